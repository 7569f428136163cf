package activities

import (
	"errors"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// refusal is an error that trying again cannot mend. Type is one of the failure
// types of package run.
type refusal struct {
	Type    string
	Message string
	Cause   error
}

func (r *refusal) Error() string { return r.Message }

func (r *refusal) Unwrap() error { return r.Cause }

// errHandover ends an activity whose worker is stopping, so that the next
// worker takes over at once.
var errHandover = errors.New("the worker is stopping; the next one goes on")

// outward is the one mapper through which errors leave activities. Outermost,
// because an error that is wrapped again loses that it must not be retried.
func outward(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*refusal](err); ok {
		return temporal.NewNonRetryableApplicationError(sendable(refused.Message), refused.Type, nil)
	}
	if damaged, ok := errors.AsType[*atomicfile.DamagedError](err); ok {
		return temporal.NewNonRetryableApplicationError(sendable(damaged.Error()), run.FailurePreflight, nil)
	}
	if errors.Is(err, errHandover) {
		return temporal.NewApplicationErrorWithOptions(err.Error(), "Handover", temporal.ApplicationErrorOptions{
			NextRetryDelay: 100 * time.Millisecond,
		})
	}
	if temporal.IsCanceledError(err) {
		return temporal.NewCanceledError()
	}
	return temporal.NewApplicationError(sendable(err.Error()), "Infrastructure")
}

// sendable bounds a message. A file name in it may be no UTF-8, and a failure
// with such a message could not be reported at all.
func sendable(message string) string {
	return run.Cut(strings.ToValidUTF8(message, "\uFFFD"), run.MaxMessage, "")
}
