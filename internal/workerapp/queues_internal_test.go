package workerapp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/run"
)

func TestQueues(t *testing.T) {
	all := queues(Options{Host: "h1", Build: "b1", Sessions: 3}, func(error) {})
	require.Len(t, all, 3)
	names := make([]string, len(all))
	for i, queue := range all {
		names[i] = queue.name
		require.Equal(t, "h1@b1", queue.options.Identity)
		require.False(t, queue.options.DisableEagerActivities)
		require.NotNil(t, queue.options.OnFatalError)
		require.Equal(t, queue.name == run.SessionQueue("h1"), queue.options.DisableWorkflowWorker)
	}
	require.Equal(t, []string{run.SharedQueue, run.HostQueue("h1"), run.SessionQueue("h1")}, names)
	require.Equal(t, 3, all[2].options.MaxConcurrentActivityExecutionSize)
	require.Greater(t, all[1].options.MaxConcurrentActivityExecutionSize, 3, "sessions do not limit verifications and commits")
}

func TestDefaults(t *testing.T) {
	opts := Options{}.withDefaults()
	require.Equal(t, DefaultSessions, opts.Sessions)
	require.Equal(t, Build(), opts.Build)
	require.NotNil(t, opts.Logger)
}
