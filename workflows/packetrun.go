package workflows

import (
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
)

// PacketRun is one leg of a run: it opens or continues the run, executes the
// selected prompts in order, each as a PromptRun child, and closes the leg. It
// fails with a typed, non-retryable error whose details carry the result, or is
// cancelled when the run was stopped.
func PacketRun(ctx workflow.Context, request run.Request) (run.Result, error) {
	leg := &packetRun{
		request:  request,
		snapshot: run.Snapshot{Packet: request.Packet, State: run.RunOpen},
	}
	err := workflow.SetQueryHandlerWithOptions(ctx, run.SnapshotQuery, func() (run.Snapshot, error) {
		return leg.snapshot, nil
	}, workflow.QueryHandlerOptions{Description: "Where the run stands: state, prompts, attempts."})
	if err != nil {
		return run.Result{}, err
	}
	return leg.run(ctx)
}

// packetRun is the state of a leg.
type packetRun struct {
	request   run.Request
	execution run.Execution
	opened    run.OpenRunResult
	snapshot  run.Snapshot
	completed int
}

func (p *packetRun) run(ctx workflow.Context) (run.Result, error) {
	info := workflow.GetInfo(ctx)
	p.execution = run.Execution{WorkflowID: info.WorkflowExecution.ID, RunID: info.FirstRunID}
	if err := p.request.Validate(); err != nil {
		return p.end(run.RunFailed, temporal.NewNonRetryableApplicationError(err.Error(), run.FailurePacketInvalid, nil))
	}
	if err := p.open(ctx); err != nil {
		if ctx.Err() != nil {
			return p.end(run.RunStopped, err)
		}
		return p.end(run.RunFailed, openFailure(err))
	}
	p.publish(ctx)

	state, err := run.RunCompleted, p.prompts(ctx)
	switch {
	case ctx.Err() != nil:
		state, err = run.RunStopped, ctx.Err()
	case err != nil:
		state = run.RunFailed
	}
	p.snapshot.State = state
	p.close(ctx, state)
	p.publish(ctx)
	return p.end(state, err)
}

// open runs OpenRun on the named host's queue, or on the shared queue when no
// host was named.
func (p *packetRun) open(ctx workflow.Context) error {
	queue := run.SharedQueue
	if p.request.Host != "" {
		queue = run.HostQueue(p.request.Host)
	}
	opened, err := execute(ctx, run.OpenRun, run.OpenRunInput{Request: p.request, Execution: p.execution}, workflow.ActivityOptions{
		TaskQueue: queue,
		// The only wait for a host that is bounded: nothing has begun yet, and a
		// mistyped host would otherwise wait for ever.
		ScheduleToStartTimeout: 2 * time.Minute,
		StartToCloseTimeout:    10 * time.Minute,
		Summary:                "open the run of " + run.Cut(p.request.Packet, 120, ""),
	})
	if err != nil {
		return err
	}
	p.opened = opened
	p.snapshot.Run, p.snapshot.Leg = opened.Run.ID, opened.Run.Leg
	p.snapshot.Packet, p.snapshot.Name, p.snapshot.Host = opened.Run.Packet, opened.Name, opened.Host
	p.snapshot.Continued, p.snapshot.Done = opened.Continued, opened.Done
	p.snapshot.Warnings = opened.Warnings
	for _, prompt := range opened.Prompts {
		p.snapshot.Prompts = append(p.snapshot.Prompts, run.PromptSnapshot{
			PromptOutcome: run.PromptOutcome{Prompt: prompt.ID, Status: run.StatusPending},
		})
	}
	return nil
}

// prompts executes the prompts one after another and stops at the first that
// does not complete.
func (p *packetRun) prompts(ctx workflow.Context) error {
	for i, prompt := range p.opened.Prompts {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.prompt(ctx, &p.snapshot.Prompts[i], prompt); err != nil {
			return err
		}
		p.completed++
	}
	return nil
}

func (p *packetRun) prompt(ctx workflow.Context, snapshot *run.PromptSnapshot, prompt run.PlannedPrompt) error {
	snapshot.WorkflowID = run.PromptRunID(p.opened.Run.ID, p.opened.Run.Leg, prompt.ID)
	snapshot.Status = run.StatusRunning
	snapshot.StartedAt = workflow.Now(ctx)
	p.publish(ctx)

	child := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:            snapshot.WorkflowID,
		TaskQueue:             run.HostQueue(p.opened.Host),
		WaitForCancellation:   true,
		ParentClosePolicy:     enumspb.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
		StaticSummary:         fmt.Sprintf("prompt %s of %s", prompt.ID, p.opened.Name),
		TypedSearchAttributes: p.promptAttributes(prompt),
	})
	var outcome run.PromptOutcome
	err := workflow.ExecuteChildWorkflow(child, run.PromptRun, run.PromptRunInput{
		Run:    p.opened.Run,
		Host:   p.opened.Host,
		Prompt: prompt,
		Rules:  p.opened.Rules,
	}).Get(ctx, &outcome)
	snapshot.EndedAt = workflow.Now(ctx)
	if err == nil {
		snapshot.PromptOutcome = outcome
		return nil
	}
	failure := promptFailure(p.opened, prompt.ID, err)
	snapshot.PromptOutcome = failure.outcome
	p.snapshot.Message = failure.Error()
	return failure
}

// close releases the run lock and everything else the leg holds. It is also
// reached when the leg is cancelled, therefore on a context that is not.
func (p *packetRun) close(ctx workflow.Context, state run.RunState) {
	disconnected, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	closed, err := execute(disconnected, run.CloseRun, run.CloseRunInput{
		Run:       p.opened.Run,
		Execution: p.execution,
		State:     state,
		At:        workflow.Now(ctx),
	}, workflow.ActivityOptions{
		TaskQueue:           run.HostQueue(p.opened.Host),
		StartToCloseTimeout: time.Minute,
		Summary:             "close the run: " + string(state),
	})
	switch {
	case err != nil:
		p.snapshot.Warnings = append(p.snapshot.Warnings, run.Cut("close: "+err.Error(), run.MaxMessage, ""))
	case closed.Warning != "":
		p.snapshot.Warnings = append(p.snapshot.Warnings, closed.Warning)
	}
}

// end shapes what the leg returns.
func (p *packetRun) end(state run.RunState, err error) (run.Result, error) {
	p.snapshot.State = state
	result := p.result()
	if err == nil {
		return result, nil
	}
	if state == run.RunStopped {
		return result, temporal.NewCanceledError(result)
	}
	failureType, message, cause := run.FailurePrompt, err.Error(), error(nil)
	if failure, ok := errors.AsType[*promptError](err); ok {
		failureType = failure.kind
	} else if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		failureType, message, cause = app.Type(), app.Message(), app.Unwrap()
	}
	if p.snapshot.Message == "" {
		p.snapshot.Message = message
	}
	return result, temporal.NewApplicationErrorWithOptions(run.Cut(message, run.MaxMessage, ""), failureType, temporal.ApplicationErrorOptions{
		NonRetryable: true,
		Details:      []any{result},
		Cause:        cause,
	})
}

// maxUnfinished bounds the prompts that a result lists.
const maxUnfinished = 100

func (p *packetRun) result() run.Result {
	result := run.Result{
		Run:       p.opened.Run.ID,
		Leg:       p.opened.Run.Leg,
		Packet:    p.snapshot.Packet,
		Name:      p.snapshot.Name,
		State:     p.snapshot.State,
		Completed: p.opened.Done + p.completed,
		Total:     p.opened.Done + len(p.opened.Prompts),
		Warnings:  p.snapshot.Warnings,
	}
	if p.opened.Run.Packet != "" {
		result.StateFile = p.opened.Run.Packet + "/.prompt_runner/state.json"
	}
	for _, prompt := range p.snapshot.Prompts {
		if prompt.Status != run.StatusCompleted && len(result.Unfinished) < maxUnfinished {
			result.Unfinished = append(result.Unfinished, prompt.PromptOutcome)
		}
	}
	return result
}
