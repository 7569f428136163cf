package cli

import (
	"context"
	"errors"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// Exit codes. Scripts depend on them: 3 and 7 are kept for runs that are blocked
// by their agent and for runs that wait for a person.
const (
	exitCompleted      = 0
	exitFailed         = 1
	exitUsage          = 2
	exitInfrastructure = 4
	exitStopped        = 5
	exitUnreachable    = 6
	exitDetached       = 130
)

// exitCode is the only place where errors become exit codes.
func exitCode(err error) int {
	if err == nil {
		return exitCompleted
	}
	if outcome, ok := errors.AsType[outcomeError](err); ok {
		return int(outcome)
	}
	if failure, ok := errors.AsType[*promptrunner.Failure](err); ok {
		switch failure.Type {
		case run.FailurePrompt:
			return exitFailed
		case run.FailurePacketInvalid, run.FailurePacketChanged, run.FailurePreflight, run.FailureRunLocked:
			return exitUsage
		case promptrunner.FailureStopped:
			return exitStopped
		}
		return exitInfrastructure
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[packet.Errors](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*promptrunner.AlreadyRunningError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*temporalconn.UnreachableError](err); ok {
		return exitUnreachable
	}
	if _, ok := errors.AsType[*runtimeError](err); ok {
		return exitUnreachable
	}
	if errors.Is(err, errDetached) || errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
		return exitDetached
	}
	return exitInfrastructure
}
