package recovery

import (
	"fmt"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// Rules is the version of the decision rules that new legs are pinned to.
const Rules = 1

// Action is what follows an attempt.
type Action string

const (
	// Complete ends the prompt well.
	Complete Action = "complete"
	// Retry starts another attempt with the same prompt text.
	Retry Action = "retry"
	// Repair starts another attempt with the unmet items added to the text.
	Repair Action = "repair"
	// Fail ends the prompt badly.
	Fail Action = "fail"
	// Fault halts the run: the contract could not be judged.
	Fault Action = "fault"
)

// Attempt is how an attempt ended, its resumes included.
type Attempt struct {
	// Failure is nil when the provider finished normally.
	Failure *run.Failure
	// Report is the verdict on the contract.
	Report run.ReportSummary
	// Changed says that a target repository differs from the iteration's baseline.
	Changed bool
}

// Counts is what an iteration has spent since a person last started or continued
// the run.
type Counts struct {
	// Retries counts the retries answered to each class.
	Retries map[run.Class]int
	Repairs int
}

// Decision is what follows an attempt, and what to tell people.
type Decision struct {
	Action Action
	// Status is the prompt's status from now on, AttemptStatus the attempt's.
	Status        run.Status
	AttemptStatus run.Status
	// Delay is the wait before a retry; zero for every other action.
	Delay time.Duration
	// LateError marks a completion although the provider failed.
	LateError bool
	// Unverified marks a completion without any contract item.
	Unverified bool
	// Reason says in one sentence what was decided and why, bounded to
	// run.MaxMessage bytes.
	Reason string
}

// Decide answers an attempt under the given version of the rules; a version that
// this build does not know is an error. seed feeds the jitter of a retry's delay.
func Decide(rules int, a Attempt, p run.RecoveryPolicy, c Counts, seed uint64) (Decision, error) {
	if rules != Rules {
		return Decision{}, fmt.Errorf("recovery rules version %d is unknown, this build knows version %d: continue the run with a worker of the release that opened it", rules, Rules)
	}
	decision := decide(a, p, c, seed)
	decision.Reason = run.Cut(decision.Reason, run.MaxMessage, "")
	return decision, nil
}

func decide(a Attempt, p run.RecoveryPolicy, c Counts, seed uint64) Decision {
	switch {
	case a.Report.Faults > 0:
		// A fault comes first: without a verdict nothing else means anything.
		return Decision{
			Action: Fault, Status: run.StatusVerifierFault, AttemptStatus: run.StatusVerifierFault,
			Reason: fmt.Sprintf("the contract could not be judged, %s could not run: %s", count(a.Report.Faults, "check"), quote(a.Report.Unmet)),
		}
	case a.Failure == nil:
		return afterSuccess(a, p, c)
	case Terminal(*a.Failure):
		return failed(fmt.Sprintf("%s; this class is neither retried nor repaired", ended(*a.Failure)))
	case a.Report.Pass() && !a.Report.Unverified():
		return Decision{
			Action: Complete, Status: run.StatusCompleted, AttemptStatus: run.StatusCompleted, LateError: true,
			Reason: fmt.Sprintf("all %s of the contract pass although %s", count(a.Report.Items, "item"), ended(*a.Failure)),
		}
	}
	return afterFailure(a, p, c, seed)
}

// afterSuccess answers a session that ended normally.
func afterSuccess(a Attempt, p run.RecoveryPolicy, c Counts) Decision {
	if a.Report.Pass() {
		decision := Decision{
			Action: Complete, Status: run.StatusCompleted, AttemptStatus: run.StatusCompleted,
			Unverified: a.Report.Unverified(),
			Reason:     fmt.Sprintf("all %s of the contract pass", count(a.Report.Items, "item")),
		}
		if decision.Unverified {
			decision.Reason = "the session ended normally and the prompt has no contract to check"
		}
		return decision
	}
	unmet := fmt.Sprintf("the session ended normally but %s of the contract %s unmet: %s",
		count(a.Report.Failures, "item"), verb(a.Report.Failures), quote(a.Report.Unmet))
	obstacle := ""
	switch {
	case !p.Repair.Enabled:
		obstacle = "repair is disabled"
	case !p.Repair.OnFailedVerifier:
		obstacle = "repair after an unmet contract is disabled"
	case c.Repairs >= p.Repair.MaxAttempts:
		obstacle = spent(c.Repairs, p.Repair.MaxAttempts, "repair")
	default:
		return repair(run.StatusVerificationFailed, unmet, p, c)
	}
	return Decision{
		Action: Fail, Status: run.StatusVerificationFailed, AttemptStatus: run.StatusVerificationFailed,
		Reason: unmet + "; " + obstacle,
	}
}

// afterFailure answers a provider failure whose contract is unmet or empty.
func afterFailure(a Attempt, p run.RecoveryPolicy, c Counts, seed uint64) Decision {
	failure := *a.Failure
	limit := retryLimit(p.Retry, failure)
	retries := c.Retries[failure.Class]
	if failure.Retryable && retries < limit {
		delay := Delay(p.Retry, failure, retries+1, seed)
		return Decision{
			Action: Retry, Status: run.StatusRetryScheduled, AttemptStatus: run.StatusFailed, Delay: delay,
			Reason: fmt.Sprintf("%s; retry %d of %d of this class follows after %s", ended(failure), retries+1, limit, delay),
		}
	}

	obstacle := "its class is not retryable"
	trigger := p.Repair.OnFailureWithChanges
	if failure.Retryable {
		obstacle = spent(retries, limit, "retry of this class")
		trigger = p.Repair.OnExhaustionWithChanges
	}
	switch {
	case !failure.Repairable:
		obstacle += " and its failure is not repairable"
	case a.Report.Unverified():
		obstacle += " and there is no contract to repair by"
	case !a.Changed:
		obstacle += " and nothing has changed that could be repaired"
	case !p.Repair.Enabled:
		obstacle += " and repair is disabled"
	case !trigger:
		obstacle += " and repair after this kind of end is disabled"
	case c.Repairs >= p.Repair.MaxAttempts:
		obstacle += " and " + spent(c.Repairs, p.Repair.MaxAttempts, "repair")
	default:
		return repair(run.StatusFailed, ended(failure)+"; "+obstacle+" but there are changes to repair", p, c)
	}
	return failed(ended(failure) + "; " + obstacle)
}

// retryLimit is how many retries a failure's class may have.
func retryLimit(p run.RetryPolicy, f run.Failure) int {
	limit, ok := p.ClassAttempts[f.Class]
	if !ok {
		limit = p.MaxAttempts
	}
	if f.SuggestedMaxAttempts != nil {
		limit = min(limit, *f.SuggestedMaxAttempts)
	}
	return limit
}

func repair(attempt run.Status, why string, p run.RecoveryPolicy, c Counts) Decision {
	return Decision{
		Action: Repair, Status: run.StatusRepairing, AttemptStatus: attempt,
		Reason: fmt.Sprintf("%s; repair %d of %d follows", why, c.Repairs+1, p.Repair.MaxAttempts),
	}
}

func failed(reason string) Decision {
	return Decision{Action: Fail, Status: run.StatusFailed, AttemptStatus: run.StatusFailed, Reason: reason}
}
