package run

import "time"

// Mode says why an attempt was started.
type Mode string

const (
	ModeRun    Mode = "run"
	ModeRetry  Mode = "retry"
	ModeRepair Mode = "repair"
)

// RunState is the state of a run between and within legs.
type RunState string

const (
	RunOpen       RunState = "running"
	RunCompleted  RunState = "completed"
	RunFailed     RunState = "failed"
	RunStopped    RunState = "stopped"
	RunSuperseded RunState = "superseded"
)

// Finished reports whether a run in this state can no longer be continued.
func (s RunState) Finished() bool { return s == RunCompleted || s == RunSuperseded }

// Status is the status of a prompt or of an attempt, as state.json spells it.
type Status string

const (
	StatusPending            Status = "pending"
	StatusRunning            Status = "running"
	StatusCompleted          Status = "completed"
	StatusFailed             Status = "failed"
	StatusVerificationFailed Status = "verification_failed"
	StatusRetryScheduled     Status = "retry_scheduled"
	StatusRepairing          Status = "repairing"
	StatusCommitFailed       Status = "commit_failed"
	StatusVerifierFault      Status = "verifier_fault"
	StatusStopped            Status = "stopped"
	StatusBlockedByDep       Status = "blocked_by_dependency"
)

// Final reports whether a prompt in this status is done with in this leg.
func (s Status) Final() bool {
	switch s {
	case StatusCompleted, StatusFailed, StatusVerificationFailed, StatusCommitFailed, StatusVerifierFault, StatusStopped, StatusBlockedByDep:
		return true
	}
	return false
}

// RecoveryPolicy is a prompt's effective recovery block, every default filled in.
type RecoveryPolicy struct {
	ResumeAttempts int          `json:"resume_attempts"`
	Retry          RetryPolicy  `json:"retry"`
	Repair         RepairPolicy `json:"repair"`
}

// RetryPolicy bounds retries. Delays are milliseconds.
type RetryPolicy struct {
	// MaxAttempts limits the retries of a class that ClassAttempts lacks.
	MaxAttempts int   `json:"max_attempts"`
	BaseDelayMS int64 `json:"base_delay_ms"`
	MaxDelayMS  int64 `json:"max_delay_ms"`
	Jitter      bool  `json:"jitter"`
	// ClassAttempts limits the retries per class; an explicit max_attempts of
	// the author has been applied to it already.
	ClassAttempts map[Class]int `json:"class_attempts"`
}

// RepairPolicy bounds repairs.
type RepairPolicy struct {
	Enabled     bool `json:"enabled"`
	MaxAttempts int  `json:"max_attempts"`
	// OnFailedVerifier repairs after a normal end whose contract is unmet.
	OnFailedVerifier bool `json:"trigger_on_nominal_success_with_failed_verifier"`
	// OnFailureWithChanges repairs after a provider failure that left changes.
	OnFailureWithChanges bool `json:"trigger_on_provider_failure_with_workspace_changes"`
	// OnExhaustionWithChanges repairs when retries are spent and changes exist.
	OnExhaustionWithChanges bool `json:"trigger_on_retry_exhaustion_with_workspace_changes"`
}

// Revision orders the projections of a prompt: a projection never overwrites
// one with a higher revision.
type Revision struct {
	Leg      int `json:"leg"`
	Sequence int `json:"sequence"`
}

// Newer reports whether r comes after other.
func (r Revision) Newer(other Revision) bool {
	if r.Leg != other.Leg {
		return r.Leg > other.Leg
	}
	return r.Sequence > other.Sequence
}

// ProjectStateInput is one transition of a prompt, for people and scripts to
// read. Zero fields say nothing about what they name.
type ProjectStateInput struct {
	Run      Ref       `json:"run"`
	Prompt   string    `json:"prompt"`
	Revision Revision  `json:"revision"`
	At       time.Time `json:"at"`
	// Status is the prompt's new status.
	Status Status `json:"status"`
	// Seq is the attempt that the transition is about; 0 when it is about none.
	Seq int `json:"seq,omitempty"`
	// AttemptStatus ends the attempt Seq; empty leaves it open.
	AttemptStatus Status   `json:"attempt_status,omitempty"`
	Failure       *Failure `json:"failure,omitempty"`
	// Reason says in one sentence why the prompt is in this status.
	Reason string `json:"reason,omitempty"`
	// Report is the file name of the verifier report inside the run's state.
	Report       string       `json:"report,omitempty"`
	Unverified   bool         `json:"unverified,omitempty"`
	LateError    bool         `json:"late_error,omitempty"`
	RetryDelayMS *int64       `json:"retry_delay_ms,omitempty"`
	Commits      []RepoCommit `json:"commits,omitempty"`
	// BlockedBy names unmet dependencies.
	BlockedBy []string `json:"blocked_by,omitempty"`
}

// Final reports whether the transition ends the prompt in this leg.
func (p ProjectStateInput) Final() bool { return p.Status.Final() }

// ProjectStateResult carries the warning of a projection that failed; the run
// goes on without it.
type ProjectStateResult struct {
	Warning string `json:"warning,omitempty"`
}
