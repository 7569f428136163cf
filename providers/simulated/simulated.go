package simulated

import (
	"context"
	"fmt"
	"time"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// Name is what packets call this provider.
const Name = "simulated"

// stopReason is how a turn ends that its script does not let fail.
const stopReason = "end_turn"

// Provider plays scripts. It has no state and is safe for concurrent use.
type Provider struct{}

var _ providers.Local = (*Provider)(nil)

// New makes the provider.
func New() *Provider { return &Provider{} }

// Name implements providers.Provider.
func (*Provider) Name() string { return Name }

// Play implements providers.Local: the step's writes, then the events, then its
// delay, then the event that ends the turn. A write that the packet does not
// permit, or this machine will not, ends the turn with a local configuration
// failure; the writes before it stand.
func (*Provider) Play(ctx context.Context, turn providers.Turn, emit func(providers.Event) error) (providers.Result, error) {
	if ctx.Err() != nil {
		return providers.Result{}, context.Cause(ctx)
	}
	step := turn.Script.AttemptStep(turn.Attempt)
	if turn.Resume > 0 {
		step = turn.Script.ResumeStep(turn.Resume)
	}
	session := turn.ProviderSession
	if session == "" {
		session = fmt.Sprintf("simulated-%s-%d", turn.PromptID, turn.Attempt)
	}

	refused, err := applyWrites(turn, step.Writes)
	if err != nil {
		return providers.Result{}, fmt.Errorf("simulated session of prompt %s, attempt %d: %w", turn.PromptID, turn.Attempt, err)
	}
	send := func(kind providers.EventType, data providers.Data) error {
		return emit(providers.Event{At: time.Now().UTC(), Type: kind, Data: data})
	}
	if err := send(providers.RunStarted, started(turn, step, session)); err != nil {
		return providers.Result{}, err
	}
	if refused != nil {
		failure := recovery.ClassifyKind(string(run.ClassLocalConfiguration), refused.Error())
		return fail(session, failure, &simulation.Error{Kind: string(failure.Class)}, send)
	}
	for _, message := range step.Messages {
		if err := send(providers.MessageStreamed, providers.Data{Content: message}); err != nil {
			return providers.Result{}, err
		}
	}
	if err := wait(ctx, step.DelayMS); err != nil {
		return providers.Result{}, err
	}
	if step.Error != nil {
		return fail(session, failureOf(*step.Error), step.Error, send)
	}
	if err := send(providers.RunCompleted, providers.Data{StopReason: stopReason}); err != nil {
		return providers.Result{}, err
	}
	return providers.Result{Session: session, StopReason: stopReason}, nil
}

// started describes the session as its first event does.
func started(turn providers.Turn, step simulation.Step, session string) providers.Data {
	metadata := map[string]string{"simulated": "true", "confirmation_source": Name}
	if step.Label != "" {
		metadata["simulation_label"] = step.Label
	}
	return providers.Data{Model: turn.Model, ProviderSessionID: session, Metadata: metadata}
}

// fail ends a turn badly.
func fail(session string, failure run.Failure, cause *simulation.Error, send func(providers.EventType, providers.Data) error) (providers.Result, error) {
	err := send(providers.ErrorOccurred, providers.Data{
		ErrorCode:    string(failure.Class),
		ErrorMessage: failure.Message,
		ProviderError: &providers.ProviderError{
			Kind: cause.Kind, Message: failure.Message, Stderr: cause.Stderr, Recovery: failure,
		},
	})
	if err != nil {
		return providers.Result{}, err
	}
	return providers.Result{Session: session, Failure: &failure}, nil
}

// wait passes a step's delay, or returns the cause of the context's end.
func wait(ctx context.Context, ms int64) error {
	if ms <= 0 {
		return nil
	}
	timer := time.NewTimer(duration(ms))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// duration converts milliseconds; more than fit is as long as possible.
func duration(ms int64) time.Duration {
	const most = int64((1<<63 - 1) / time.Millisecond)
	return time.Duration(min(ms, most)) * time.Millisecond
}
