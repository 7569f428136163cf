package run

import "time"

// Activity describes one activity: its wire name, and in its type parameters
// what goes in and comes out. Package workflows executes it and package
// activities registers it, so that a wrong argument does not compile.
type Activity[In, Out any] struct {
	// Name is the activity type on the wire. Renaming a Go method cannot break
	// running histories, changing this would.
	Name string
}

// Wire names of workflows and queries.
const (
	PacketRun     = "PacketRun"
	PromptRun     = "PromptRun"
	SnapshotQuery = "snapshot"
)

// The activities. PrepareIteration, PrepareAttempt and ProjectState are local
// activities of PromptRun; the others are regular ones.
var (
	OpenRun          = Activity[OpenRunInput, OpenRunResult]{Name: "OpenRun"}
	PrepareIteration = Activity[PrepareIterationInput, PrepareIterationResult]{Name: "PrepareIteration"}
	PrepareAttempt   = Activity[PrepareAttemptInput, PrepareAttemptResult]{Name: "PrepareAttempt"}
	RunSession       = Activity[RunSessionInput, RunSessionResult]{Name: "RunSession"}
	Verify           = Activity[VerifyInput, VerifyResult]{Name: "Verify"}
	Commit           = Activity[CommitInput, CommitResult]{Name: "Commit"}
	ProjectState     = Activity[ProjectStateInput, ProjectStateResult]{Name: "ProjectState"}
	CloseRun         = Activity[CloseRunInput, CloseRunResult]{Name: "CloseRun"}
)

// Execution identifies a workflow by its id and the first run id of its
// continue-as-new chain.
type Execution struct {
	WorkflowID string `json:"workflow_id"`
	RunID      string `json:"run_id"`
}

// Ref points an activity at a run: everything large (prompt bodies, policies,
// transcripts, reports) is read from the run's state on the host.
type Ref struct {
	// ID is the random id of the run, minted by OpenRun.
	ID string `json:"id"`
	// Leg counts the workflows that have worked on the run, from 1.
	Leg int `json:"leg"`
	// Packet is the canonical absolute path of the packet directory.
	Packet string `json:"packet"`
	// Plan is the SHA-256 of the leg's plan snapshot, in hex.
	Plan string `json:"plan"`
}

// OpenRunInput asks to open or continue a run.
type OpenRunInput struct {
	Request   Request   `json:"request"`
	Execution Execution `json:"execution"`
}

// OpenRunResult is the compact plan of a leg.
type OpenRunResult struct {
	Run  Ref    `json:"run"`
	Name string `json:"name"`
	Host string `json:"host"`
	// Prompts are the selected prompts in the order to run them, those that are
	// completed in this run already left out unless they were named explicitly.
	Prompts []PlannedPrompt `json:"prompts"`
	// Done counts prompts of the run that were completed by earlier legs.
	Done int `json:"done,omitempty"`
	// Continued says that an unfinished run was continued.
	Continued bool `json:"continued,omitempty"`
	// Rules pins the version of the recovery rules for the leg.
	Rules int `json:"rules"`
	// SearchAttributes says that the namespace has the search attributes.
	SearchAttributes bool `json:"search_attributes,omitempty"`
	// Warnings are findings that do not stop the run; at most 20.
	Warnings []string `json:"warnings,omitempty"`
}

// PlannedPrompt is one prompt of a leg, at most about 200 bytes.
type PlannedPrompt struct {
	ID       string `json:"id"`
	Provider string `json:"provider"`
	// BlockedBy are dependencies outside the leg that never completed; the
	// prompt cannot run.
	BlockedBy []string `json:"blocked_by,omitempty"`
	// CommitSeq, when positive, is the attempt whose work was verified by an
	// earlier leg but not (wholly) committed: the leg continues at Commit.
	CommitSeq int `json:"commit_seq,omitempty"`
}

// PrepareIterationInput starts an iteration of a prompt.
type PrepareIterationInput struct {
	Run       Ref    `json:"run"`
	Prompt    string `json:"prompt"`
	Iteration int    `json:"iteration"`
}

// PrepareIterationResult is what the workflow must know of the prompt.
type PrepareIterationResult struct {
	Name     string         `json:"name"`
	Provider string         `json:"provider"`
	Model    string         `json:"model"`
	Policy   RecoveryPolicy `json:"policy"`
	// TimeoutMS bounds a session, in milliseconds.
	TimeoutMS int64 `json:"timeout_ms"`
	// InWorker says that sessions run inside the worker. They need no process
	// and no slot of the session queue.
	InWorker bool `json:"in_worker,omitempty"`
}

// PrepareAttemptInput announces an attempt.
type PrepareAttemptInput struct {
	Run       Ref    `json:"run"`
	Prompt    string `json:"prompt"`
	Iteration int    `json:"iteration"`
	// Number counts the attempts of the iteration, from 1.
	Number int  `json:"number"`
	Mode   Mode `json:"mode"`
	// Execution is the Temporal run id of the scheduling workflow. Together with
	// iteration and number it makes the activity idempotent.
	Execution string    `json:"execution"`
	At        time.Time `json:"at"`
	Revision  Revision  `json:"revision"`
}

// PrepareAttemptResult names the attempt.
type PrepareAttemptResult struct {
	// Seq counts the attempts of the prompt over the whole run; never reused.
	Seq int `json:"seq"`
	// Log is the path of the attempt's transcript.
	Log string `json:"log"`
}

// RunSessionInput starts a provider session, or resumes it.
type RunSessionInput struct {
	Run       Ref    `json:"run"`
	Prompt    string `json:"prompt"`
	Iteration int    `json:"iteration"`
	Number    int    `json:"number"`
	Seq       int    `json:"seq"`
	Mode      Mode   `json:"mode"`
	// Resume is 0 for the session's first turn, n for its n-th resume.
	Resume    int    `json:"resume,omitempty"`
	Execution string `json:"execution"`
	// ProviderSession is the provider's own id of the session to resume.
	ProviderSession string `json:"provider_session,omitempty"`
	// Log is the path of the attempt's transcript; resumes continue it.
	Log string `json:"log"`
	// Repair is set in mode repair.
	Repair *RepairSource `json:"repair,omitempty"`
}

// RepairSource says what a repair prompt is built from.
type RepairSource struct {
	// Report is the file name of the verifier report, inside the run's state.
	Report string `json:"report"`
	// LastError is the message of the session that failed, if one did.
	LastError string `json:"last_error,omitempty"`
}

// RunSessionResult is how a session ended. A provider failure is a result, not
// an activity error: the workflow answers it.
type RunSessionResult struct {
	ProviderSession string `json:"provider_session,omitempty"`
	// Failure is nil when the provider finished normally.
	Failure *Failure `json:"failure,omitempty"`
}

// VerifyInput asks for a contract to be judged.
type VerifyInput struct {
	Run       Ref    `json:"run"`
	Prompt    string `json:"prompt"`
	Iteration int    `json:"iteration"`
	Seq       int    `json:"seq"`
}

// VerifyResult is the summary of a report.
type VerifyResult struct {
	Report ReportSummary `json:"report"`
	// Changed says that a target repository differs from the iteration's baseline.
	Changed bool `json:"changed"`
}

// ReportSummary is the part of a verifier report that decisions need.
type ReportSummary struct {
	Items    int `json:"items"`
	Failures int `json:"failures"`
	Faults   int `json:"faults"`
	// Unmet describes the failing items for people, bounded to MaxMessage.
	Unmet string `json:"unmet,omitempty"`
	// File is the report's file name inside the run's state.
	File string `json:"file"`
}

// Pass reports whether nothing failed and nothing faulted. An empty report
// passes; Unverified tells it apart.
func (r ReportSummary) Pass() bool { return r.Failures == 0 && r.Faults == 0 }

// Unverified reports that the contract had no item to check.
func (r ReportSummary) Unverified() bool { return r.Items == 0 }

// CommitInput asks for a prompt's work to be committed.
type CommitInput struct {
	Run       Ref    `json:"run"`
	Prompt    string `json:"prompt"`
	Iteration int    `json:"iteration"`
	Seq       int    `json:"seq"`
}

// CommitResult says what happened in each target repository.
type CommitResult struct {
	Repos []RepoCommit `json:"repos"`
	// Failed is the message of the first repository that refused; empty when
	// none did.
	Failed string `json:"failed,omitempty"`
}

// Commit statuses of a repository.
const (
	CommitStatusOK    = "ok"
	CommitStatusSkip  = "skip"
	CommitStatusError = "error"
)

// Reasons why a repository was skipped, as the progress ledger spells them.
const (
	SkipNoChanges = "no_changes"
	SkipNoCommit  = "no_commit"
	SkipNoop      = "noop"
)

// RepoCommit is the commit outcome of one repository.
type RepoCommit struct {
	Repo   string `json:"repo"`
	Status string `json:"status"`
	SHA    string `json:"sha,omitempty"`
	Reason string `json:"reason,omitempty"`
	// LeftOut counts paths that were dirty before the prompt and stay so.
	LeftOut int `json:"left_out,omitempty"`
}

// CloseRunInput ends a leg.
type CloseRunInput struct {
	Run       Ref       `json:"run"`
	Execution Execution `json:"execution"`
	State     RunState  `json:"state"`
	At        time.Time `json:"at"`
}

// CloseRunResult carries what went wrong without stopping the close.
type CloseRunResult struct {
	Warning string `json:"warning,omitempty"`
}
