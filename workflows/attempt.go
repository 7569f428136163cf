package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

// attempt is one try of a prompt: a session with its resumes, and what the
// verifier said of the tree afterwards.
type attempt struct {
	seq     int
	log     string
	session run.RunSessionResult
	report  run.ReportSummary
	changed bool
}

// judged is the attempt as the recovery rules see it.
func (a *attempt) judged() recovery.Attempt {
	return recovery.Attempt{Failure: a.session.Failure, Report: a.report, Changed: a.changed}
}

func (a *attempt) message() string {
	if a.session.Failure == nil {
		return ""
	}
	return a.session.Failure.Message
}

// transition begins the projection of what was decided about the attempt.
func (a *attempt) transition(decision recovery.Decision) run.ProjectStateInput {
	return run.ProjectStateInput{
		Status:        decision.Status,
		Seq:           a.seq,
		AttemptStatus: decision.AttemptStatus,
		Failure:       a.session.Failure,
		Reason:        decision.Reason,
		Report:        a.report.File,
		Unverified:    decision.Unverified,
		LateError:     decision.LateError,
	}
}

// maxAttempts bounds the attempts that a snapshot lists.
const maxAttempts = 100

// attempt runs one attempt up to and including its verification.
func (p *promptRun) attempt(ctx workflow.Context, mode run.Mode, repair *run.RepairSource) (*attempt, error) {
	p.number++
	prepared, err := executeLocal(ctx, run.PrepareAttempt, run.PrepareAttemptInput{
		Run:       p.input.Run,
		Prompt:    p.input.Prompt.ID,
		Iteration: p.iteration,
		Number:    p.number,
		Mode:      mode,
		Execution: p.execution,
		At:        workflow.Now(ctx),
		Revision:  p.nextRevision(),
	}, fmt.Sprintf("attempt %d: %s", p.number, mode), p.waiting)
	if err != nil {
		return nil, err
	}
	if len(p.snapshot.Attempts) == maxAttempts {
		p.snapshot.Attempts = p.snapshot.Attempts[1:]
	}
	p.snapshot.Attempts = append(p.snapshot.Attempts, run.AttemptSnapshot{
		Seq: prepared.Seq, Mode: mode, Status: run.StatusRunning, Log: prepared.Log,
	})
	p.snapshot.Modes = append(p.snapshot.Modes, mode)
	p.snapshot.Status = run.StatusRunning
	p.snapshot.Since = workflow.Now(ctx)

	attempt := &attempt{seq: prepared.Seq, log: prepared.Log}
	if err := p.session(ctx, attempt, mode, repair); err != nil {
		return nil, err
	}
	if err := p.verify(ctx, attempt); err != nil {
		return nil, err
	}
	p.lastAttempt().Unmet = attempt.report.Unmet
	return attempt, nil
}

// session runs the provider session and resumes it while its failure allows;
// the last resume's result is the attempt's.
func (p *promptRun) session(ctx workflow.Context, attempt *attempt, mode run.Mode, repair *run.RepairSource) error {
	queue := run.SessionQueue(p.input.Host)
	if p.prepared.InWorker {
		queue = run.HostQueue(p.input.Host)
	}
	for resume := 0; ; resume++ {
		p.snapshot.Activity = "session"
		label := fmt.Sprintf("session %s · attempt %d · %s · %s", p.input.Prompt.ID, attempt.seq, mode, p.prepared.Provider)
		if resume > 0 {
			p.snapshot.Activity = fmt.Sprintf("session (resume %d)", resume)
			p.snapshot.Resumes++
			label += fmt.Sprintf(" · resume %d", resume)
		}
		result, err := execute(ctx, run.RunSession, run.RunSessionInput{
			Run:             p.input.Run,
			Prompt:          p.input.Prompt.ID,
			Iteration:       p.iteration,
			Number:          p.number,
			Seq:             attempt.seq,
			Mode:            mode,
			Resume:          resume,
			Execution:       p.execution,
			ProviderSession: attempt.session.ProviderSession,
			Log:             attempt.log,
			Repair:          repair,
		}, workflow.ActivityOptions{
			TaskQueue: queue,
			// The session enforces its own deadline; this one only bounds a
			// session whose deadline could not be enforced.
			StartToCloseTimeout: time.Duration(p.prepared.TimeoutMS)*time.Millisecond + 24*time.Hour,
			Summary:             label,
		})
		if err != nil {
			return err
		}
		attempt.session = result
		shown := p.lastAttempt()
		shown.Resumes = resume
		if result.Failure != nil {
			shown.Class, shown.Message = result.Failure.Class, result.Failure.Message
		} else {
			shown.Class, shown.Message = "", ""
		}
		if !recovery.Resumable(result.Failure, resume, p.prepared.Policy) {
			return nil
		}
	}
}

// verify judges the contract; it runs whatever the session said of itself.
func (p *promptRun) verify(ctx workflow.Context, attempt *attempt) error {
	p.snapshot.Activity = "verify"
	verified, err := execute(ctx, run.Verify, run.VerifyInput{
		Run: p.input.Run, Prompt: p.input.Prompt.ID, Iteration: p.iteration, Seq: attempt.seq,
	}, workflow.ActivityOptions{
		TaskQueue:           run.HostQueue(p.input.Host),
		StartToCloseTimeout: 24 * time.Hour,
		Summary:             fmt.Sprintf("verify %s · attempt %d", p.input.Prompt.ID, attempt.seq),
	})
	if err != nil {
		return err
	}
	attempt.report, attempt.changed = verified.Report, verified.Changed
	return nil
}
