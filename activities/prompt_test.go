package activities_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestAttemptsAreNumberedOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	first := must(h, run.PrepareAttempt, attemptOf(ref, 1, "x"))
	require.Equal(t, run.PrepareAttemptResult{
		Seq: 1, Log: filepath.Join(h.packet, ".prompt_runner", "logs", "prompt-01-20260304-050607.log"),
	}, first)
	require.Equal(t, first, must(h, run.PrepareAttempt, attemptOf(ref, 1, "x")), "asked again after a kill")

	// All of them begin within the same second, and none has a log yet.
	second := must(h, run.PrepareAttempt, attemptOf(ref, 2, "x"))
	afterReset := must(h, run.PrepareAttempt, attemptOf(ref, 1, "y"))
	iteration := attemptOf(ref, 1, "x")
	iteration.Iteration = 2
	next := must(h, run.PrepareAttempt, iteration)
	logs := map[string]bool{}
	for i, one := range []run.PrepareAttemptResult{first, second, afterReset, next} {
		require.Equal(t, i+1, one.Seq)
		require.False(t, logs[one.Log], "two attempts share %s", one.Log)
		logs[one.Log] = true
	}
	require.Equal(t, first, must(h, run.PrepareAttempt, attemptOf(ref, 1, "x")))
	require.FileExists(t, projection.In(h.packet).PidFile())
}

// Where the packet directory cannot be written, the run goes on without it.
func TestAttemptWithoutProjection(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	require.NoError(t, os.RemoveAll(filepath.Join(h.packet, ".prompt_runner")))
	h.write(filepath.Join(h.packet, ".prompt_runner"), "a file")
	attempt := must(h, run.PrepareAttempt, attemptOf(ref, 1, "x"))
	require.Equal(t, filepath.Join(h.state.Run(ref.ID), "logs", "prompt-01-20260304-050607.log"), attempt.Log)

	projected := must(h, run.ProjectState, run.ProjectStateInput{
		Run: ref, Prompt: "01", Status: run.StatusCompleted, Seq: 1, At: at, Revision: run.Revision{Leg: 1, Sequence: 2},
	})
	require.Contains(t, projected.Warning, ".prompt_runner")
	entries, err := h.store.Ledger(ref.ID).Read()
	require.NoError(t, err)
	require.Equal(t, 1, runstore.Completions(entries, "01"), "the completion counts all the same")
}

func TestFirstBaselineStays(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	h.app.Write("author", "x")
	ref := h.prepared()
	h.app.Write("session", "x")
	prepared := must(h, run.PrepareIteration, run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1})
	require.Equal(t, "One", prepared.Name)
	require.True(t, prepared.InWorker)
	h.verified(ref)
	result := must(h, run.Commit, commitOf(ref))
	require.Equal(t, 1, result.Repos[0].LeftOut)
	require.Equal(t, "session", h.app.Git("show", "--format=", "--name-only"))
}

// A prompt that is run again after it completed starts from the tree as it is.
func TestBaselineAfterCompletion(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.app.Write("left by the author since", "x")
	must(h, run.ProjectState, run.ProjectStateInput{
		Run: ref, Prompt: "01", Status: run.StatusCompleted, Seq: 1, At: at, Revision: run.Revision{Leg: 1, Sequence: 1},
	})
	must(h, run.PrepareIteration, run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1})
	h.verified(ref)
	require.Equal(t, run.SkipNoChanges, must(h, run.Commit, commitOf(ref)).Repos[0].Reason)
}

// A baseline that lacks a target would make all of the author's dirt the
// session's.
func TestBaselineWithoutATargetIsRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t, both)
	ref := h.prepared()
	path := filepath.Join(h.state.Run(ref.ID), "baselines", "01-0-1.json")
	var baselines map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(h.read(path)), &baselines))
	delete(baselines, "lib")
	data, err := json.Marshal(baselines)
	require.NoError(t, err)
	h.write(path, string(data))
	failure := refused(h, run.Commit, commitOf(ref))
	require.Equal(t, run.FailurePacketChanged, failure.Type())
	require.True(t, failure.NonRetryable())
	require.Contains(t, failure.Message(), "repository lib")
}

func TestCompletionIsRecordedOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	must(h, run.PrepareAttempt, attemptOf(ref, 1, "x"))
	done := run.ProjectStateInput{
		Run: ref, Prompt: "01", Status: run.StatusCompleted, Seq: 1, AttemptStatus: run.StatusCompleted,
		At: at, Revision: run.Revision{Leg: 1, Sequence: 2},
		// The report is lost; what is known is shown.
		Report: "none.json",
	}
	for range 2 {
		require.Contains(t, must(h, run.ProjectState, done).Warning, "none.json")
	}
	entries, err := h.store.Ledger(ref.ID).Read()
	require.NoError(t, err)
	require.Equal(t, 1, runstore.Completions(entries, "01"))
	dir := projection.In(h.packet)
	require.Equal(t, "01:completed:2026-03-04T05:06:07.000000Z:no_changes\n", h.read(dir.ProgressFile()))
	require.Contains(t, h.read(dir.StateFile()), `"status": "completed"`)

	again := done
	again.Seq, again.Revision.Sequence = 2, 3
	must(h, run.ProjectState, again)
	entries, err = h.store.Ledger(ref.ID).Read()
	require.NoError(t, err)
	require.Equal(t, 2, runstore.Completions(entries, "01"), "another attempt is another completion")
}

// Trying again mends what the machine lacks; it cannot mend a refusal.
func TestWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	iteration := func(change func(*run.PrepareIterationInput)) run.PrepareIterationInput {
		in := run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1}
		change(&in)
		return in
	}
	for name, in := range map[string]run.PrepareIterationInput{
		"no plan":   iteration(func(in *run.PrepareIterationInput) { in.Run.Plan = "none" }),
		"no prompt": iteration(func(in *run.PrepareIterationInput) { in.Prompt = "99" }),
	} {
		failure := refused(h, run.PrepareIteration, in)
		require.Equal(t, run.FailurePacketInvalid, failure.Type(), name)
		require.True(t, failure.NonRetryable(), name)
	}

	ledger := filepath.Join(h.state.Run(ref.ID), "ledger.jsonl")
	iterationAgain := iteration(func(in *run.PrepareIterationInput) { in.Iteration = 2 })
	closing := run.CloseRunInput{Run: ref, Execution: leg("a"), State: run.RunCompleted, At: at}
	for name, tc := range map[string]struct {
		spoil func()
		final bool
		want  string
	}{
		"a damaged record stays damaged": {func() { h.write(ledger, "junk\n") }, true, ledger + ":1"},
		"a disk may come back":           {func() { require.NoError(t, os.Mkdir(ledger, 0o700)) }, false, ledger},
	} {
		require.NoError(t, os.RemoveAll(ledger))
		tc.spoil()
		for activity, failure := range map[string]*temporal.ApplicationError{
			run.PrepareIteration.Name: refused(h, run.PrepareIteration, iterationAgain),
			run.PrepareAttempt.Name:   refused(h, run.PrepareAttempt, attemptOf(ref, 1, "x")),
			run.Verify.Name:           refused(h, run.Verify, run.VerifyInput{Run: ref, Prompt: "01", Iteration: 1, Seq: 1}),
			run.Commit.Name:           refused(h, run.Commit, commitOf(ref)),
			run.CloseRun.Name:         refused(h, run.CloseRun, closing),
		} {
			require.Equal(t, tc.final, failure.NonRetryable(), "%s: %s", name, activity)
			require.Contains(t, failure.Message(), tc.want, "%s: %s", name, activity)
		}
	}
}
