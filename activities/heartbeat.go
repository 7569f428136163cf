package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

const (
	// beatInterval is well inside the workflows' heartbeat timeout of 10 s.
	beatInterval = 3 * time.Second
	beatTimeout  = 3 * time.Second
)

// errSuperseded ends work whose activity attempt is no longer the current one.
var errSuperseded = errors.New("this attempt of the activity was superseded")

// beating runs work and tells the server all the while that it lives. The
// context of work ends when the activity is cancelled, paused, reset or
// superseded, or when the worker stops; beating then returns what that means.
//
// Heartbeats are raw calls on our own ticker: the SDK would cancel a running
// activity when one of its own heartbeat calls timed out.
func beating[Out any](ctx context.Context, temporalClient client.Client, work func(context.Context) (Out, error)) (Out, error) {
	working, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	type ended struct {
		out      Out
		err      error
		panicked any
	}
	done := make(chan ended, 1)
	go func() {
		var end ended
		defer func() {
			end.panicked = recover()
			done <- end
		}()
		end.out, end.err = work(working)
	}()

	ticker := time.NewTicker(beatInterval)
	defer ticker.Stop()
	activityDone, workerStop := ctx.Done(), activity.GetWorkerStopChannel(ctx)
	for {
		select {
		case result := <-done:
			if result.panicked != nil {
				// On this goroutine the SDK turns it into a failed attempt.
				panic(result.panicked)
			}
			cause := context.Cause(working)
			if result.err == nil || cause == nil {
				return result.out, result.err
			}
			if temporal.IsCanceledError(cause) {
				// The SDK must learn of the cancel itself, or history would show a
				// failed activity instead of a cancelled one.
				activity.RecordHeartbeat(ctx)
			}
			return result.out, cause
		case <-ticker.C:
			if err := beat(working, temporalClient); err != nil {
				end(err)
			}
		case <-activityDone:
			activityDone = nil
			end(ending(context.Cause(ctx)))
		case <-workerStop:
			workerStop = nil
			end(errHandover)
		}
	}
}

// ending says what the end of an activity's context means for its work.
func ending(cause error) error {
	var notFound *serviceerror.NotFound
	switch {
	case temporal.IsCanceledError(cause):
		return cause
	case errors.As(cause, &notFound):
		return errSuperseded
	default:
		return errHandover
	}
}

// beat sends one heartbeat. It returns an error only when the work has to end;
// a server that does not answer is no reason.
func beat(ctx context.Context, temporalClient client.Client) error {
	if temporalClient == nil {
		return nil
	}
	info := activity.GetInfo(ctx)
	call, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	err := temporalClient.RecordActivityHeartbeatWithOptions(call, client.RecordActivityHeartbeatOptions{
		TaskToken:    info.TaskToken,
		WorkflowID:   info.WorkflowExecution.ID,
		ActivityType: info.ActivityType.Name,
		TaskQueue:    info.TaskQueue,
	})
	var notFound *serviceerror.NotFound
	switch {
	case err == nil:
		return nil
	case temporal.IsCanceledError(err):
		return err
	case errors.Is(err, activity.ErrActivityPaused), errors.Is(err, activity.ErrActivityReset):
		return errHandover
	case errors.As(err, &notFound):
		return errSuperseded
	default:
		return nil
	}
}
