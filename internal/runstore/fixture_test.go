package runstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

const (
	runID  = "run-1"
	packet = "/packets/one"
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func newState(t *testing.T) statedir.Dir {
	t.Helper()
	state, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	return state
}

func newStore(t *testing.T) *runstore.Store {
	t.Helper()
	return runstore.New(newState(t))
}

func attempt(prompt string, seq int) runstore.Entry {
	return runstore.Entry{Type: runstore.EntryAttempt, Prompt: prompt, Seq: seq, At: at, Mode: run.ModeRun}
}

func plan(prompt string, seq int) runstore.Entry {
	return runstore.Entry{Type: runstore.EntryCommitPlan, Prompt: prompt, Seq: seq, At: at, Repos: []string{"app"}}
}

func completed(prompt string, seq int) runstore.Entry {
	return runstore.Entry{Type: runstore.EntryCompleted, Prompt: prompt, Seq: seq, At: at}
}

func appendEntry(t *testing.T, ledger *runstore.Ledger, entry runstore.Entry) {
	t.Helper()
	require.NoError(t, ledger.Append(func([]runstore.Entry) (*runstore.Entry, error) { return &entry, nil }))
}
