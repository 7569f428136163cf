package simulated_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// newTurn is the first turn of a prompt "01" in an empty repository "app".
func newTurn(t *testing.T, script simulation.Script) providers.Turn {
	t.Helper()
	repo := t.TempDir()
	return providers.Turn{
		PromptID: "01", Attempt: 1, Model: "simulated-demo",
		WorkDir: repo, Repos: []providers.Repo{{Name: "app", Path: repo}},
		Journal: filepath.Join(t.TempDir(), "session"),
		Script:  script,
	}
}

func attempts(steps ...simulation.Step) simulation.Script { return simulation.Script{Attempts: steps} }

// play plays a turn that must reach its end, and returns its events without times.
func play(t *testing.T, turn providers.Turn) (providers.Result, []providers.Event) {
	t.Helper()
	var events []providers.Event
	result, err := simulated.New().Play(t.Context(), turn, func(e providers.Event) error {
		require.False(t, e.At.IsZero())
		events = append(events, providers.Event{Type: e.Type, Data: e.Data})
		return nil
	})
	require.NoError(t, err)
	return result, events
}

// files is the content of every file below dir, by relative path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		found[path] = string(content)
		return err
	}))
	return found
}

func TestPlaySuccess(t *testing.T) {
	turn := newTurn(t, attempts(simulation.Step{
		Label: "first try", Messages: []string{"Reading.", "Writing."},
		Writes: []simulation.Write{{Path: "a.txt", Text: "a\n"}, {Path: "deep/b.txt", Text: "b"}},
	}))
	result, events := play(t, turn)
	require.Equal(t, providers.Result{Session: "simulated-01-1", StopReason: "end_turn"}, result)
	require.Equal(t, []providers.Event{
		{Type: providers.RunStarted, Data: providers.Data{
			Model: "simulated-demo", ProviderSessionID: "simulated-01-1",
			Metadata: map[string]string{"simulated": "true", "confirmation_source": "simulated", "simulation_label": "first try"},
		}},
		{Type: providers.MessageStreamed, Data: providers.Data{Content: "Reading."}},
		{Type: providers.MessageStreamed, Data: providers.Data{Content: "Writing."}},
		{Type: providers.RunCompleted, Data: providers.Data{StopReason: "end_turn"}},
	}, events)
	require.Equal(t, map[string]string{"a.txt": "a\n", "deep/b.txt": "b"}, files(t, turn.WorkDir))
}

func TestPlayPicksTheStep(t *testing.T) {
	script := simulation.Script{
		Attempts: []simulation.Step{
			{Writes: []simulation.Write{{Path: "played", Text: "attempt 1"}}},
			{Writes: []simulation.Write{{Path: "played", Text: "attempt 2"}}},
		},
		Resume:     []simulation.Step{{Writes: []simulation.Write{{Path: "played", Text: "resume 1"}}}, {Writes: []simulation.Write{{Path: "played", Text: "resume 2"}}}},
		ResumeEach: true,
	}
	always := script
	always.ResumeEach = false
	tests := []struct {
		name            string
		script          simulation.Script
		attempt, resume int
		want            string
	}{
		{"first attempt", script, 1, 0, "attempt 1"},
		{"second attempt", script, 2, 0, "attempt 2"},
		{"past the end", script, 3, 0, ""},
		{"first resume", script, 2, 1, "resume 1"},
		{"second resume", script, 2, 2, "resume 2"},
		{"resume past the end", script, 2, 3, ""},
		{"one step for every resume", always, 2, 2, "resume 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := newTurn(t, tt.script)
			turn.Attempt, turn.Resume = tt.attempt, tt.resume
			if tt.resume > 0 {
				turn.ProviderSession = "simulated-01-1"
			}
			result, _ := play(t, turn)
			require.Nil(t, result.Failure)
			require.Equal(t, tt.want, files(t, turn.WorkDir)["played"])
			if tt.resume > 0 {
				require.Equal(t, "simulated-01-1", result.Session)
			}
		})
	}
}

func TestPlayErrorKinds(t *testing.T) {
	type flags struct{ Retryable, Resumable, Terminal bool }
	tests := map[string]struct {
		class run.Class
		flags flags
	}{
		"provider_capacity":      {run.ClassCapacity, flags{Retryable: true}},
		"provider_rate_limit":    {run.ClassRateLimit, flags{Retryable: true}},
		"rate_limit":             {run.ClassRateLimit, flags{Retryable: true}},
		"provider_auth_claim":    {run.ClassAuthClaim, flags{Retryable: true}},
		"provider_config_claim":  {run.ClassConfigClaim, flags{Retryable: true}},
		"provider_runtime_claim": {run.ClassRuntimeClaim, flags{Retryable: true}},
		"runtime_error":          {run.ClassRuntimeClaim, flags{Retryable: true}},
		"protocol_error":         {run.ClassProtocolError, flags{Retryable: true, Resumable: true}},
		"transport_disconnect":   {run.ClassTransportDisconnect, flags{Retryable: true, Resumable: true}},
		"transport_timeout":      {run.ClassTransportTimeout, flags{Retryable: true, Resumable: true}},
		"approval_denied":        {run.ClassApprovalDenied, flags{}},
		"guardrail_blocked":      {run.ClassGuardrailBlocked, flags{}},
		"user_cancelled":         {run.ClassUserCancelled, flags{}},
	}
	for kind, want := range tests {
		t.Run(kind, func(t *testing.T) {
			turn := newTurn(t, attempts(simulation.Step{
				Writes: []simulation.Write{{Path: "partial", Text: "x"}},
				Error:  &simulation.Error{Kind: kind, Message: "rate limit: permission denied", Stderr: "trace"},
			}))
			result, events := play(t, turn)
			require.Equal(t, "simulated-01-1", result.Session)
			require.Empty(t, result.StopReason)
			require.NotNil(t, result.Failure)
			require.Equal(t, want.class, result.Failure.Class)
			require.Equal(t, want.flags, flags{Retryable: result.Failure.Retryable, Resumable: result.Failure.Resumable})
			require.Zero(t, result.Failure.SuggestedDelayMS)
			require.Equal(t, "rate limit: permission denied", result.Failure.Message)

			last := events[len(events)-1]
			require.Equal(t, providers.ErrorOccurred, last.Type)
			require.Equal(t, string(want.class), last.Data.ErrorCode)
			require.Equal(t, "trace", last.Data.ProviderError.Stderr)
			require.Equal(t, "x", files(t, turn.WorkDir)["partial"], "writes are made although the turn fails")
		})
	}
}

func TestPlayRecoveryOverride(t *testing.T) {
	three := 3
	turn := newTurn(t, attempts(simulation.Step{Error: &simulation.Error{
		Kind: "provider_capacity", Message: "house rule",
		Recovery: &run.Failure{Class: "house_rule", Repairable: true, SuggestedDelayMS: 7, SuggestedMaxAttempts: &three},
	}}))
	result, _ := play(t, turn)
	require.Equal(t, &run.Failure{
		Class: "house_rule", Repairable: true, Severity: "error", ProviderCode: "provider_capacity",
		SuggestedDelayMS: 7, SuggestedMaxAttempts: &three, Message: "house rule",
	}, result.Failure)
	require.Empty(t, turn.Script.Attempts[0].Error.Recovery.Message, "the script is not changed")
}

func TestPlayStopsWhenEventsAreNotTaken(t *testing.T) {
	full := errors.New("no space left")
	for failing := range 3 {
		turn := newTurn(t, attempts(simulation.Step{Messages: []string{"hello"}}))
		calls := 0
		_, err := simulated.New().Play(t.Context(), turn, func(providers.Event) error {
			calls++
			if calls > failing {
				return full
			}
			return nil
		})
		require.ErrorIs(t, err, full)
		require.Equal(t, failing+1, calls)
	}
}

func TestPlayDelay(t *testing.T) {
	stop := errors.New("stopped by a person")
	turn := newTurn(t, attempts(simulation.Step{
		Messages: []string{"working"}, DelayMS: 1 << 62,
		Writes: []simulation.Write{{Path: "a", Text: "a"}},
		Error:  &simulation.Error{Kind: "provider_capacity"},
	}))
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var seen []providers.EventType
	_, err := simulated.New().Play(ctx, turn, func(e providers.Event) error {
		seen = append(seen, e.Type)
		if e.Type == providers.MessageStreamed {
			require.Equal(t, "a", files(t, turn.WorkDir)["a"], "writes come before the delay")
			cancel(stop)
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, []providers.EventType{providers.RunStarted, providers.MessageStreamed}, seen, "the final event comes after the delay")

	_, err = simulated.New().Play(ctx, turn, func(providers.Event) error { return nil })
	require.ErrorIs(t, err, stop)

	turn.Script.Attempts[0].DelayMS = 1
	result, _ := play(t, turn)
	require.Equal(t, run.ClassCapacity, result.Failure.Class)
}
