package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

// PromptRun is one prompt in one leg: attempts until the contract is met or the
// recovery policy is spent, then the commit. It fails with a typed,
// non-retryable error whose details carry the outcome.
func PromptRun(ctx workflow.Context, input run.PromptRunInput) (run.PromptOutcome, error) {
	prompt := &promptRun{
		input:     input,
		iteration: 1,
		execution: workflow.GetInfo(ctx).WorkflowExecution.RunID,
		counts:    recovery.Counts{Retries: map[run.Class]int{}},
	}
	prompt.snapshot.Prompt = input.Prompt.ID
	prompt.snapshot.Status = run.StatusRunning
	prompt.snapshot.StartedAt = workflow.Now(ctx)
	err := workflow.SetQueryHandlerWithOptions(ctx, run.SnapshotQuery, func() (run.PromptSnapshot, error) {
		return prompt.snapshot, nil
	}, workflow.QueryHandlerOptions{Description: "Where the prompt stands: attempt, mode, current activity."})
	if err != nil {
		return run.PromptOutcome{}, err
	}
	return prompt.run(ctx)
}

// promptRun is the state of one prompt in one leg.
type promptRun struct {
	input     run.PromptRunInput
	iteration int
	// execution is the Temporal run id that session keys carry. A reset has
	// another, so it never adopts a session of before.
	execution string
	prepared  run.PrepareIterationResult
	counts    recovery.Counts
	// number counts the attempts of the iteration, sequence the projections.
	number, sequence int
	snapshot         run.PromptSnapshot
}

func (p *promptRun) run(ctx workflow.Context) (run.PromptOutcome, error) {
	outcome, err := p.steps(ctx)
	// The workflow's context decides, not the error of an activity; work that
	// reached its commit is past stopping.
	committed := outcome.Status == run.StatusCompleted || outcome.Status == run.StatusCommitFailed
	if ctx.Err() != nil && !committed {
		return p.stopped(ctx)
	}
	if err != nil {
		return p.broken(ctx, err)
	}
	if outcome.Status != run.StatusCompleted {
		return outcome, outcomeError(outcome)
	}
	return outcome, nil
}

func (p *promptRun) steps(ctx workflow.Context) (run.PromptOutcome, error) {
	if blockers := p.input.Prompt.BlockedBy; len(blockers) > 0 {
		return p.end(ctx, run.ProjectStateInput{
			Status:    run.StatusBlockedByDep,
			BlockedBy: blockers,
			Reason:    fmt.Sprintf("it depends on %s, which never completed; run that first", strings.Join(blockers, ", ")),
		})
	}
	prepared, err := executeLocal(ctx, run.PrepareIteration, run.PrepareIterationInput{
		Run: p.input.Run, Prompt: p.input.Prompt.ID, Iteration: p.iteration,
	}, "prepare", p.waiting)
	if err != nil {
		return run.PromptOutcome{}, err
	}
	p.prepared = prepared
	p.snapshot.Name, p.snapshot.Provider, p.snapshot.Model = prepared.Name, prepared.Provider, prepared.Model

	if seq := p.input.Prompt.CommitSeq; seq > 0 {
		return p.complete(ctx, seq, run.ProjectStateInput{})
	}
	mode, repair := run.ModeRun, (*run.RepairSource)(nil)
	for {
		attempt, err := p.attempt(ctx, mode, repair)
		if err == nil {
			// A stop never completes a prompt, even one that just passed.
			err = ctx.Err()
		}
		if err != nil {
			return run.PromptOutcome{}, err
		}
		decision, err := recovery.Decide(p.input.Rules, attempt.judged(), p.prepared.Policy, p.counts,
			recovery.Seed(p.input.Run.ID, p.input.Prompt.ID, attempt.seq))
		if err != nil {
			return run.PromptOutcome{}, err
		}
		p.lastAttempt().Status = decision.AttemptStatus
		switch decision.Action {
		case recovery.Complete:
			return p.complete(ctx, attempt.seq, attempt.transition(decision))
		case recovery.Retry:
			if err := p.retry(ctx, attempt, decision); err != nil {
				return run.PromptOutcome{}, err
			}
			mode, repair = run.ModeRetry, nil
		case recovery.Repair:
			p.counts.Repairs++
			p.project(ctx, attempt.transition(decision))
			mode = run.ModeRepair
			repair = &run.RepairSource{Report: attempt.report.File, LastError: attempt.message()}
		default:
			return p.end(ctx, attempt.transition(decision))
		}
	}
}

// retry waits out the backoff in a durable timer.
func (p *promptRun) retry(ctx workflow.Context, attempt *attempt, decision recovery.Decision) error {
	p.counts.Retries[attempt.session.Failure.Class]++
	transition := attempt.transition(decision)
	milliseconds := decision.Delay.Milliseconds()
	transition.RetryDelayMS = &milliseconds
	p.project(ctx, transition)
	if decision.Delay <= 0 {
		return nil
	}
	p.snapshot.Activity = "waiting to retry"
	p.snapshot.NextRetry = workflow.Now(ctx).Add(decision.Delay)
	timer := workflow.NewTimerWithOptions(ctx, decision.Delay, workflow.TimerOptions{
		Summary: fmt.Sprintf("retry %s in %s", p.input.Prompt.ID, decision.Delay),
	})
	err := timer.Get(ctx, nil)
	p.snapshot.NextRetry = time.Time{}
	return err
}

// complete commits the verified work and records the prompt as complete. Both
// happen on a context that a cancel does not reach: work that was verified is
// not torn between repository and ledger.
func (p *promptRun) complete(ctx workflow.Context, seq int, transition run.ProjectStateInput) (run.PromptOutcome, error) {
	ctx, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	p.snapshot.Activity = "commit"
	committed, err := execute(ctx, run.Commit, run.CommitInput{
		Run: p.input.Run, Prompt: p.input.Prompt.ID, Iteration: p.iteration, Seq: seq,
	}, workflow.ActivityOptions{
		TaskQueue:           run.HostQueue(p.input.Host),
		StartToCloseTimeout: 24 * time.Hour,
		Summary:             fmt.Sprintf("commit %s · attempt %d", p.input.Prompt.ID, seq),
	})
	if err != nil {
		return run.PromptOutcome{}, err
	}
	transition.Seq, transition.Status, transition.AttemptStatus = seq, run.StatusCompleted, run.StatusCompleted
	transition.Commits = committed.Repos
	if committed.Failed != "" {
		transition.Status = run.StatusCommitFailed
		transition.Reason = committed.Failed
	}
	return p.end(ctx, transition)
}

// end projects a final transition and shapes the outcome.
func (p *promptRun) end(ctx workflow.Context, transition run.ProjectStateInput) (run.PromptOutcome, error) {
	p.project(ctx, transition)
	p.snapshot.Activity = ""
	p.snapshot.EndedAt = workflow.Now(ctx)
	p.snapshot.Commits = transition.Commits
	p.snapshot.Unverified, p.snapshot.LateError = transition.Unverified, transition.LateError
	p.snapshot.Message = transition.Reason
	if transition.Failure != nil {
		p.snapshot.FailureClass = transition.Failure.Class
	}
	return p.snapshot.PromptOutcome, nil
}

// stopped is the end of a prompt whose run was stopped: it stays resumable.
func (p *promptRun) stopped(ctx workflow.Context) (run.PromptOutcome, error) {
	disconnected, cancel := workflow.NewDisconnectedContext(ctx)
	defer cancel()
	transition := run.ProjectStateInput{Status: run.StatusStopped, Reason: "the run was stopped"}
	if last := p.lastAttempt(); last != nil && last.Status == run.StatusRunning {
		last.Status = run.StatusStopped
		transition.Seq, transition.AttemptStatus = last.Seq, run.StatusStopped
	}
	outcome, err := p.end(disconnected, transition)
	if err != nil {
		return outcome, err
	}
	return outcome, ctx.Err()
}

// broken is the end of a prompt that infrastructure made impossible: an
// activity failed in a way that trying again cannot mend.
func (p *promptRun) broken(ctx workflow.Context, cause error) (run.PromptOutcome, error) {
	outcome, err := p.end(ctx, run.ProjectStateInput{
		Status: run.StatusFailed,
		Reason: run.Cut(cause.Error(), run.MaxMessage, ""),
	})
	if err != nil {
		return outcome, err
	}
	return outcome, outcomeError(outcome)
}

// project publishes a transition; its failure is a warning in the history, and
// never the prompt's verdict.
func (p *promptRun) project(ctx workflow.Context, transition run.ProjectStateInput) {
	transition.Run, transition.Prompt = p.input.Run, p.input.Prompt.ID
	transition.Revision = p.nextRevision()
	transition.At = workflow.Now(ctx)
	p.snapshot.Status = transition.Status
	projected, err := executeLocal(ctx, run.ProjectState, transition, "state: "+string(transition.Status), p.waiting)
	if err != nil {
		workflow.GetLogger(ctx).Warn("state was not projected", "error", err)
	} else if projected.Warning != "" {
		workflow.GetLogger(ctx).Warn("state was not projected", "warning", projected.Warning)
	}
}

// waiting shows what keeps the prompt from going on; "" that nothing does.
func (p *promptRun) waiting(problem string) { p.snapshot.Waiting = problem }

func (p *promptRun) nextRevision() run.Revision {
	p.sequence++
	return run.Revision{Leg: p.input.Run.Leg, Sequence: p.sequence}
}

func (p *promptRun) lastAttempt() *run.AttemptSnapshot {
	if len(p.snapshot.Attempts) == 0 {
		return nil
	}
	return &p.snapshot.Attempts[len(p.snapshot.Attempts)-1]
}
