package workflows_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/proto"

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

// The cost of a clean prompt in history, the child's events and bytes plus what
// the parent grows by, stays within its budget: 45 events and 24 KiB.
func TestCleanPromptStaysSmall(t *testing.T) {
	t.Parallel()
	events, bytes := cost(history(t, "clean-leg1-prompt-01.json"))
	parent := history(t, "clean-leg1-packet.json")
	from := slices.IndexFunc(parent, func(event *historypb.HistoryEvent) bool {
		return event.GetStartChildWorkflowExecutionInitiatedEventAttributes() != nil
	})
	to := slices.IndexFunc(parent, func(event *historypb.HistoryEvent) bool {
		return event.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName() == run.CloseRun.Name
	})
	require.Positive(t, from)
	require.Greater(t, to, from)
	moreEvents, moreBytes := cost(parent[from:to])
	t.Logf("a clean prompt: %d + %d events, %d + %d bytes", events, moreEvents, bytes, moreBytes)
	require.LessOrEqual(t, events+moreEvents, 45)
	require.LessOrEqual(t, bytes+moreBytes, 24<<10)
}

func history(t *testing.T, name string) []*historypb.HistoryEvent {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata/histories", name))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	parsed, err := client.HistoryFromJSON(file, client.HistoryJSONOptions{})
	require.NoError(t, err)
	return parsed.GetEvents()
}

func cost(events []*historypb.HistoryEvent) (count, bytes int) {
	for _, event := range events {
		bytes += proto.Size(event)
	}
	return len(events), bytes
}
