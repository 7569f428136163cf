package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
)

// heartbeatTimeout is how long a dead worker goes unnoticed. Activities beat
// every three seconds, whatever they are doing.
const heartbeatTimeout = 10 * time.Second

// infrastructureRetry answers infrastructure failures only; a provider failure
// is a result. MaximumInterval is set because the test environment would
// otherwise never back off.
func infrastructureRetry(initial time.Duration) *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    initial,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second,
	}
}

// execute runs a regular activity on a task queue. The summary is what Temporal
// Web shows for it.
func execute[In, Out any](ctx workflow.Context, activity run.Activity[In, Out], input In, options workflow.ActivityOptions) (Out, error) {
	options.HeartbeatTimeout = heartbeatTimeout
	options.WaitForCancellation = true
	if options.RetryPolicy == nil {
		options.RetryPolicy = infrastructureRetry(time.Second)
	}
	var out Out
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options), activity.Name, input).Get(ctx, &out)
	return out, err
}

// executeLocal runs a local activity: short, idempotent work on the host.
func executeLocal[In, Out any](ctx workflow.Context, activity run.Activity[In, Out], input In, summary string) (Out, error) {
	ctx = workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    time.Minute,
		ScheduleToCloseTimeout: 365 * 24 * time.Hour,
		RetryPolicy:            infrastructureRetry(200 * time.Millisecond),
		Summary:                summary,
	})
	var out Out
	err := workflow.ExecuteLocalActivity(ctx, activity.Name, input).Get(ctx, &out)
	return out, err
}
