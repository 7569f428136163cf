package workflows_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/workflows"
)

func quiet() log.Logger { return log.NewStructuredLogger(slog.New(slog.DiscardHandler)) }

// Every recorded history still replays. After a change of shape they are
// recorded anew, on purpose and in the same commit:
//
//	go test ./acceptance -run TestRecordHistories -record
func TestReplay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/histories/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayer := worker.NewWorkflowReplayer()
			workflows.Register(replayer)
			require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(quiet(), file))
		})
	}
}

// The paths that the replay must cover; a path without a history is a hole.
func TestEveryPathHasAHistory(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"blocked", "clean", "commit-refused", "continue-at-commit", "fault", "late-error", "repair",
		"repair-after-retries", "resume", "retry", "retry-with-backoff", "simulated-recovery",
		"stopped-in-backoff", "stopped-in-session", "terminal", "unverified", "verification-failed", "worker-killed",
	} {
		files, err := filepath.Glob("testdata/histories/" + path + "-leg*.json")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(files), 2, "path %s", path)
	}
}

// A workflow that does something else than its history says is caught.
func TestReplayCatchesABrokenWorkflow(t *testing.T) {
	t.Parallel()
	replayer := worker.NewWorkflowReplayer()
	replayer.RegisterWorkflowWithOptions(func(ctx workflow.Context, input run.PromptRunInput) (run.PromptOutcome, error) {
		if err := workflow.Sleep(ctx, time.Second); err != nil {
			return run.PromptOutcome{}, err
		}
		return workflows.PromptRun(ctx, input)
	}, workflow.RegisterOptions{Name: run.PromptRun})
	err := replayer.ReplayWorkflowHistoryFromJSONFile(quiet(), "testdata/histories/clean-leg1-prompt-01.json")
	require.ErrorContains(t, err, "TMPRL1100")
}

// The identity of a clean prompt's history: the child's events and bytes, and
// what the parent grows by, stay within the budget of the design.
func TestCleanPromptStaysSmall(t *testing.T) {
	t.Parallel()
	child := size(t, "testdata/histories/clean-leg1-prompt-01.json")
	require.Positive(t, child)
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	return info.Size()
}
