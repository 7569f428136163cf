package recovery

import "github.com/prompt-runner/prompt-runner/run"

// Bound is the most that a prompt can cost before a person is asked.
type Bound struct {
	// Retries is the sum of the retries of every class of failure.
	Retries int
	Repairs int
	// Resumes is the number of resumes of each attempt.
	Resumes int
}

// BoundOf returns what the policy allows in the worst case: a failure of every
// class as often as it is retried, and every repair.
func BoundOf(p run.RecoveryPolicy) Bound {
	bound := Bound{Resumes: p.ResumeAttempts}
	for _, limit := range p.Retry.ClassAttempts {
		bound.Retries += limit
	}
	if p.Repair.Enabled {
		bound.Repairs = p.Repair.MaxAttempts
	}
	return bound
}

// Sessions is the most sessions that can be started, resumes included.
func (b Bound) Sessions() int { return (1 + b.Retries + b.Repairs) * (1 + b.Resumes) }
