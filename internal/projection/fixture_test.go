package projection_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/run"
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 890_000_000, time.UTC)

// later is n seconds after at.
func later(n int) time.Time { return at.Add(time.Duration(n) * time.Second) }

// stamp is how files write later(n).
func stamp(n int) string { return later(n).Format("2006-01-02T15:04:05.000000Z") }

// start announces attempt seq of prompt 01.
func start(t *testing.T, dir projection.Dir, runID string, leg, sequence, seq int) {
	t.Helper()
	require.NoError(t, dir.StartAttempt(run.PrepareAttemptInput{
		Run: run.Ref{ID: runID, Leg: leg}, Prompt: "01", Iteration: 1, Number: seq, Mode: run.ModeRun,
		At: later(sequence), Revision: run.Revision{Leg: leg, Sequence: sequence},
	}, seq, "First", filepath.Join(dir.LogDir(), "prompt-01.log")))
}

// transition is one of run r, at the second of its sequence.
func transition(leg, sequence int, status run.Status) run.ProjectStateInput {
	return run.ProjectStateInput{
		Run: run.Ref{ID: "r", Leg: leg}, Prompt: "01", Status: status,
		At: later(sequence), Revision: run.Revision{Leg: leg, Sequence: sequence},
	}
}

func apply(t *testing.T, dir projection.Dir, transitions ...run.ProjectStateInput) {
	t.Helper()
	for _, one := range transitions {
		require.NoError(t, dir.Apply(one, nil))
	}
}

// entry is prompt 01 in state.json.
func entry(t *testing.T, dir projection.Dir) map[string]any {
	t.Helper()
	var state struct {
		Prompts map[string]map[string]any `json:"prompts"`
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, dir.StateFile())), &state))
	return state.Prompts["01"]
}

func progress(t *testing.T, dir projection.Dir) []string {
	t.Helper()
	if _, err := os.Stat(dir.ProgressFile()); os.IsNotExist(err) {
		return nil
	}
	return strings.Split(strings.TrimSuffix(read(t, dir.ProgressFile()), "\n"), "\n")
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
