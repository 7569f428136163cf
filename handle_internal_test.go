package promptrunner

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/run"
)

func TestMergePrefersThePromptUntilItsVerdict(t *testing.T) {
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	parent := run.PromptSnapshot{WorkflowID: "child", StartedAt: began}
	parent.Prompt, parent.Status = "01", run.StatusRunning
	child := run.PromptSnapshot{Activity: "verify", StartedAt: began.Add(time.Second), Attempts: []run.AttemptSnapshot{{Seq: 1}}}
	child.Prompt, child.Name, child.Status = "01", "First", run.StatusRepairing

	merged := merge(parent, child)
	require.Equal(t, run.StatusRepairing, merged.Status)
	require.Equal(t, "verify", merged.Activity)
	require.Equal(t, "child", merged.WorkflowID)
	require.Equal(t, began, merged.StartedAt)

	parent.Status, parent.EndedAt, parent.Modes = run.StatusCompleted, began.Add(time.Minute), []run.Mode{run.ModeRun}
	merged = merge(parent, child)
	require.Equal(t, run.StatusCompleted, merged.Status, "a late answer does not undo a verdict")
	require.Equal(t, parent.EndedAt, merged.EndedAt)
	require.Equal(t, "First", merged.Name)
	require.Equal(t, child.Attempts, merged.Attempts)
}
