package promptrunner

import (
	"errors"
	"fmt"

	"github.com/prompt-runner/prompt-runner/run"
)

// ErrStopped is matched by the error of a leg that was cancelled.
var ErrStopped = errors.New("the run was stopped")

// Types of a Failure beside those that package run declares.
const (
	// FailureStopped is a cancelled leg; the run can be continued.
	FailureStopped = "Stopped"
	// FailureTerminated and FailureTimedOut are legs that Temporal ended without
	// giving them a chance to clean up.
	FailureTerminated = "Terminated"
	FailureTimedOut   = "TimedOut"
	// FailureUnknown is a leg that failed without a type.
	FailureUnknown = "Unknown"
)

// Failure is a leg that ended otherwise than completed.
type Failure struct {
	// Type is one of the Failure constants of this package or of package run.
	Type string
	// Message says for people what happened and why.
	Message string
	// Result is what the leg reported; zero when it reported nothing.
	Result run.Result

	cause error
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap gives the error that Temporal's client returned.
func (f *Failure) Unwrap() error { return f.cause }

// Is matches ErrStopped when the leg was stopped.
func (f *Failure) Is(target error) bool { return target == ErrStopped && f.Type == FailureStopped }

// AlreadyRunningError says that the workflow id has an open run.
type AlreadyRunningError struct {
	WorkflowID string
	// RunID is the Temporal run id of the open execution.
	RunID string
}

// Error names the open run.
func (e *AlreadyRunningError) Error() string {
	return fmt.Sprintf("a run is open already: workflow %s (run id %s)", e.WorkflowID, e.RunID)
}
