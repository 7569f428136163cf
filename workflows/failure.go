package workflows

import (
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/prompt-runner/prompt-runner/run"
)

// promptError ends a leg because a prompt did not complete.
type promptError struct {
	kind    string
	outcome run.PromptOutcome
	packet  string
}

// Error says which prompt, why, and the commands to look and to go on.
func (e *promptError) Error() string {
	label := e.outcome.Prompt
	if e.outcome.Name != "" {
		label += " (" + e.outcome.Name + ")"
	}
	return fmt.Sprintf("prompt %s: %s: %s\nto look: prompt-runner logs %s %s\nto go on: prompt-runner run %s",
		label, e.outcome.Status, e.outcome.Message, e.packet, e.outcome.Prompt, e.packet)
}

// promptFailure turns the error of a PromptRun child into the leg's failure.
func promptFailure(opened run.OpenRunResult, prompt string, err error) *promptError {
	failure := &promptError{
		kind:    run.FailurePrompt,
		packet:  opened.Run.Packet,
		outcome: run.PromptOutcome{Prompt: prompt, Status: run.StatusFailed, Message: run.Cut(err.Error(), run.MaxMessage, "")},
	}
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		var outcome run.PromptOutcome
		if app.HasDetails() && app.Details(&outcome) == nil && outcome.Prompt != "" {
			failure.kind, failure.outcome = app.Type(), outcome
		}
		return failure
	}
	if temporal.IsCanceledError(err) {
		failure.outcome.Status = run.StatusStopped
		failure.outcome.Message = "its workflow was cancelled"
	}
	return failure
}

// openFailure gives an OpenRun that never ran its type and its next step.
func openFailure(err error) error {
	timeout, ok := errors.AsType[*temporal.TimeoutError](err)
	if !ok || timeout.TimeoutType() != enumspb.TIMEOUT_TYPE_SCHEDULE_TO_START {
		return err
	}
	return temporal.NewNonRetryableApplicationError(
		"no worker picked up OpenRun within two minutes; start the worker of the host that has the packet, or name another host",
		run.FailureHost, err)
}

// outcomeError is how PromptRun fails: its message tells a reader of Temporal
// Web what happened, its details carry the outcome to PacketRun.
func outcomeError(outcome run.PromptOutcome) error {
	kind := run.FailurePrompt
	if outcome.Status == run.StatusVerifierFault {
		kind = run.FailureFault
	}
	return temporal.NewApplicationErrorWithOptions(
		run.Cut(fmt.Sprintf("prompt %s: %s: %s", outcome.Prompt, outcome.Status, outcome.Message), run.MaxMessage, ""),
		kind, temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{outcome}})
}
