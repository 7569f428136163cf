package activities_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/sessionhost"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/verifier"
)

const talkative = `simulate: {attempts: [{messages: [one, two], writes: [{path: notes, text: "line\n", append: true}]}]}`

// watched is the simulated provider; before sees each turn first and says after
// how many events the machine fails, -1 for never.
type watched struct {
	*simulated.Provider
	before func(providers.Turn) int
}

var errMachine = errors.New("the disk is full")

func (w watched) Play(ctx context.Context, turn providers.Turn, emit func(providers.Event) error) (providers.Result, error) {
	left := w.before(turn)
	return w.Provider.Play(ctx, turn, func(event providers.Event) error {
		if left == 0 {
			return errMachine
		}
		left--
		return emit(event)
	})
}

func (h *host) watch(before func(providers.Turn) int) {
	h.providers = providers.NewRegistry(watched{simulated.New(), before})
}

func lines(text string) int { return strings.Count(text, "\n") }

func TestEndedSessionIsNotPlayedAgain(t *testing.T) {
	t.Parallel()
	h := newHost(t, one("simulate: {attempts: [{error: {kind: provider_capacity, message: full}}]}"))
	ref := h.prepared()
	in := h.sessionOf(ref)
	first := must(h, run.RunSession, in)
	require.Equal(t, run.ClassCapacity, first.Failure.Class)
	require.Equal(t, "full", first.Failure.Message)
	transcript := h.read(in.Log)

	h.watch(func(providers.Turn) int {
		t.Error("a session that has ended was played again")
		return -1
	})
	require.Equal(t, first, must(h, run.RunSession, in))
	require.Equal(t, transcript, h.read(in.Log))
}

// Whatever the moment at which the worker dies, the next one plays the session
// with the effect of playing it once.
func TestInterruptedSessionPlaysOnce(t *testing.T) {
	t.Parallel()
	for events := range 4 {
		h := newHost(t, one(talkative))
		h.app.Write("notes", "author\n")
		ref := h.prepared()
		in := h.sessionOf(ref)
		h.watch(func(providers.Turn) int { return events })
		failure := refused(h, run.RunSession, in)
		require.False(t, failure.NonRetryable())
		require.Contains(t, failure.Message(), errMachine.Error())

		h.watch(func(providers.Turn) int { return -1 })
		require.Nil(t, must(h, run.RunSession, in).Failure)
		require.Equal(t, "author\nline\n", h.read(filepath.Join(h.app.Dir, "notes")))
		transcript := h.read(in.Log)
		for _, once := range []string{"Prompt: 01\n", ">> onetwo\n", "--- 4 events ---\n"} {
			require.Equal(t, 1, strings.Count(transcript, once), "%s in %s", once, transcript)
		}
		require.Equal(t, 4, lines(h.read(strings.TrimSuffix(in.Log, ".log")+".events.jsonl")))
		dir := filepath.Join(h.state.Run(ref.ID), "sessions", run.SessionKey("01", 1, 0, "x"))
		require.Equal(t, 4, lines(h.read(filepath.Join(dir, sessionhost.EventsFile))))
	}
}

func TestResumeContinuesTheTranscript(t *testing.T) {
	t.Parallel()
	h := newHost(t, one("simulate: {attempts: [{messages: [first], error: {kind: transport_disconnect}}], resume: {messages: [second]}}"))
	ref := h.prepared()
	in := h.sessionOf(ref)
	ended := must(h, run.RunSession, in)
	require.True(t, ended.Failure.Resumable)
	before := h.read(in.Log)

	in.Resume, in.ProviderSession = 1, ended.ProviderSession
	h.watch(func(turn providers.Turn) int {
		require.Equal(t, recovery.ResumePrompt, turn.Prompt)
		require.Equal(t, ended.ProviderSession, turn.ProviderSession)
		return 2
	})
	_ = refused(h, run.RunSession, in)
	h.watch(func(providers.Turn) int { return -1 })
	require.Nil(t, must(h, run.RunSession, in).Failure)
	after := h.read(in.Log)
	require.True(t, strings.HasPrefix(after, before), after)
	require.Equal(t, 1, strings.Count(after, "SESSION_RECOVERY action=resume_started"))
	require.Equal(t, 1, strings.Count(after, ">> second"))
	require.Equal(t, 6, lines(h.read(strings.TrimSuffix(in.Log, ".log")+".events.jsonl")))
}

func TestWhatTheProviderIsSent(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	in := h.sessionOf(ref)
	var sent string
	h.watch(func(turn providers.Turn) int { sent = turn.Prompt; return -1 })
	must(h, run.RunSession, in)
	require.Equal(t, "Do it.\n", sent)

	item := verifier.Item{Kind: verifier.FileExists, Repo: "app", Details: "it is missing", FileCheck: &verifier.FileCheck{Path: "out.txt"}}
	name := runstore.ReportName("01", 1)
	require.NoError(t, h.store.SaveReport(ref.ID, name, verifier.Report{Items: []verifier.Item{item}, Failures: []verifier.Item{item}}))
	in.Mode, in.Seq, in.Number = run.ModeRepair, 2, 2
	in.Repair = &run.RepairSource{Report: name, LastError: "the model is full"}
	must(h, run.RunSession, in)
	for _, part := range []string{"Do it.", "out.txt", "it is missing", "the model is full"} {
		require.Contains(t, sent, part)
	}

	in.Seq, in.Repair.Report = 3, "none.json"
	require.False(t, refused(h, run.RunSession, in).NonRetryable())
}

// A worker that stops hands over: nothing has failed and the next one goes on.
func TestStoppingWorkerHandsOver(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(`simulate: {attempts: [{delay_ms: 3600000, writes: [{path: notes, text: x}]}]}`))
	ref := h.prepared()
	in := h.sessionOf(ref)
	h.stopping = make(chan struct{})
	close(h.stopping)
	failure := refused(h, run.RunSession, in)
	require.Equal(t, "Handover", failure.Type())
	require.False(t, failure.NonRetryable())
	require.Positive(t, failure.NextRetryDelay())
	exits, err := filepath.Glob(filepath.Join(h.state.Run(ref.ID), "sessions", "*", "exit.json"))
	require.NoError(t, err)
	require.Empty(t, exits, "the session has not ended")
}

func TestUnknownProviderIsARefusal(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	in := h.sessionOf(ref)
	h.providers = providers.NewRegistry()
	failure := refused(h, run.RunSession, in)
	require.Equal(t, run.FailurePacketInvalid, failure.Type())
	require.True(t, failure.NonRetryable())
	h.providers = providers.NewRegistry(remote{})
	require.Contains(t, refused(h, run.RunSession, in).Message(), "cannot run inside the worker")
}

// remote is a provider without sessions inside the worker.
type remote struct{}

func (remote) Name() string { return simulated.Name }
