package workflows

import (
	"errors"
	"fmt"
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

// localTries is how often a local activity is tried before people are told.
const localTries = 3

// localPause is the wait between such rounds.
const localPause = 10 * time.Second

// executeLocal runs a local activity: short, idempotent work on the host. Unlike
// a regular activity's, its failures show up nowhere in Temporal, so waiting is
// told what keeps failing, and "" once it no longer does.
func executeLocal[In, Out any](ctx workflow.Context, activity run.Activity[In, Out], input In, summary string, waiting func(problem string)) (Out, error) {
	retry := infrastructureRetry(200 * time.Millisecond)
	retry.MaximumAttempts = localTries
	local := workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    time.Minute,
		ScheduleToCloseTimeout: time.Hour,
		RetryPolicy:            retry,
		Summary:                summary,
	})
	for {
		var out Out
		err := workflow.ExecuteLocalActivity(local, activity.Name, input).Get(ctx, &out)
		if err == nil || ctx.Err() != nil {
			waiting("")
			return out, err
		}
		if app, ok := errors.AsType[*temporal.ApplicationError](err); ok && app.NonRetryable() {
			return out, err
		}
		waiting(run.Cut(fmt.Sprintf("waiting for the host: %s keeps failing: %v", activity.Name, err), run.MaxMessage, ""))
		timer := workflow.NewTimerWithOptions(ctx, localPause, workflow.TimerOptions{Summary: activity.Name + " is tried again"})
		if err := timer.Get(ctx, nil); err != nil {
			return out, err
		}
	}
}
