package promptrunner

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/temporal"

	"github.com/prompt-runner/prompt-runner/run"
)

// Result waits until the leg has ended. A leg that ended otherwise than
// completed gives a *Failure; errors.Is(err, ErrStopped) tells a stop. Any other
// error says that the end could not be learned.
func (h *Handle) Result(ctx context.Context) (run.Result, error) {
	var result run.Result
	err := h.temporal.GetWorkflow(ctx, h.workflowID, h.runID).Get(ctx, &result)
	if err == nil {
		return result, nil
	}
	if ctx.Err() != nil {
		return run.Result{}, context.Cause(ctx)
	}
	if _, missing := errors.AsType[*serviceerror.NotFound](err); missing {
		return run.Result{}, fmt.Errorf("workflow %s does not exist in this namespace, or its history is past retention: %w", h.workflowID, err)
	}
	if failure := failureOf(h.workflowID, err); failure != nil {
		return failure.Result, failure
	}
	return run.Result{}, fmt.Errorf("wait for workflow %s: %w", h.workflowID, err)
}

// failureOf translates how a workflow ended; nil when err says something else.
func failureOf(workflowID string, err error) *Failure {
	if _, ended := errors.AsType[*temporal.WorkflowExecutionError](err); !ended {
		return nil
	}
	failure := &Failure{Type: FailureUnknown, Message: err.Error(), cause: err}
	if canceled, ok := errors.AsType[*temporal.CanceledError](err); ok {
		failure.Type, failure.Message = FailureStopped, "the run was stopped"
		if canceled.HasDetails() {
			failure.decode(canceled.Details)
		}
		return failure
	}
	if application, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		failure.Message = application.Message()
		if application.Type() != "" {
			failure.Type = application.Type()
		}
		if application.HasDetails() {
			failure.decode(application.Details)
		}
		return failure
	}
	if _, ok := errors.AsType[*temporal.TerminatedError](err); ok {
		failure.Type = FailureTerminated
		failure.Message = fmt.Sprintf("workflow %s was terminated; a terminated run cleans nothing up: stop runs instead", workflowID)
		return failure
	}
	if _, ok := errors.AsType[*temporal.TimeoutError](err); ok {
		failure.Type = FailureTimedOut
		failure.Message = fmt.Sprintf("workflow %s timed out; it was started with an execution or run timeout, which runs do not need", workflowID)
	}
	return failure
}

// decode reads the result out of a failure's details. A failure that was made by
// other code than PacketRun has other details, or none: the type and message
// say what happened all the same.
func (f *Failure) decode(details func(...any) error) {
	var result run.Result
	if details(&result) == nil {
		f.Result = result
	}
}
