package run

import "time"

// PromptRunInput is the input of the PromptRun workflow.
type PromptRunInput struct {
	Run    Ref           `json:"run"`
	Host   string        `json:"host"`
	Prompt PlannedPrompt `json:"prompt"`
	Rules  int           `json:"rules"`
}

// PromptOutcome is how a prompt ended in a leg, and the result of PromptRun.
// When PromptRun fails, the details of its error carry it.
type PromptOutcome struct {
	Prompt string `json:"prompt"`
	Name   string `json:"name,omitempty"`
	Status Status `json:"status"`
	// Modes are the modes of the attempts made in this leg, in order.
	Modes []Mode `json:"modes,omitempty"`
	// Resumes counts session resumes over all attempts of the leg.
	Resumes int `json:"resumes,omitempty"`
	// Unverified marks a prompt that completed without any contract item.
	Unverified bool `json:"unverified,omitempty"`
	// LateError marks a prompt whose contract passed although the provider failed.
	LateError    bool         `json:"late_error,omitempty"`
	FailureClass Class        `json:"failure_class,omitempty"`
	Message      string       `json:"message,omitempty"`
	Commits      []RepoCommit `json:"commits,omitempty"`
}

// Result is the result of PacketRun, also carried by its error's details.
type Result struct {
	Run    string   `json:"run"`
	Leg    int      `json:"leg"`
	Packet string   `json:"packet"`
	Name   string   `json:"name"`
	State  RunState `json:"state"`
	// Completed and Total count the prompts of the run, earlier legs included.
	Completed int `json:"completed"`
	Total     int `json:"total"`
	// Unfinished lists the prompts that did not complete, at most 100 of them.
	Unfinished []PromptOutcome `json:"unfinished,omitempty"`
	// StateFile has every prompt and attempt.
	StateFile string   `json:"state_file,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

// Snapshot answers the snapshot query of PacketRun: where the leg stands now.
type Snapshot struct {
	Run       string           `json:"run,omitempty"`
	Leg       int              `json:"leg,omitempty"`
	Packet    string           `json:"packet"`
	Name      string           `json:"name,omitempty"`
	Host      string           `json:"host,omitempty"`
	State     RunState         `json:"state"`
	Continued bool             `json:"continued,omitempty"`
	Done      int              `json:"done,omitempty"`
	Prompts   []PromptSnapshot `json:"prompts,omitempty"`
	Warnings  []string         `json:"warnings,omitempty"`
	// Waiting says what keeps failing outside of any prompt, such as opening the
	// run; empty when nothing does.
	Waiting string `json:"waiting,omitempty"`
	// Message says why the leg ended, when it ended badly.
	Message string `json:"message,omitempty"`
}

// PromptSnapshot is where one prompt stands. PromptRun answers the snapshot
// query with it; in PacketRun's answer Activity, Since and NextRetry are empty.
type PromptSnapshot struct {
	PromptOutcome
	// WorkflowID is the child workflow that runs the prompt, once started.
	WorkflowID string `json:"workflow_id,omitempty"`
	// Provider and Model are what the prompt's sessions use.
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	// Activity says what is happening now: "session", "session (resume 1)",
	// "verify", "commit", "waiting to retry".
	Activity string `json:"activity,omitempty"`
	// Waiting says what keeps failing on the host and is tried again; empty when
	// nothing does.
	Waiting string `json:"waiting,omitempty"`
	// Since is when the current attempt began; StartedAt when the prompt did.
	Since     time.Time `json:"since,omitzero"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	// NextRetry is when a scheduled retry begins.
	NextRetry time.Time `json:"next_retry,omitzero"`
	// Attempts are the attempts of this leg in order, at most 100.
	Attempts []AttemptSnapshot `json:"attempts,omitempty"`
}

// AttemptSnapshot is one attempt as the workflow knows it.
type AttemptSnapshot struct {
	Seq     int    `json:"seq"`
	Mode    Mode   `json:"mode"`
	Status  Status `json:"status"`
	Resumes int    `json:"resumes,omitempty"`
	Class   Class  `json:"class,omitempty"`
	Message string `json:"message,omitempty"`
	Unmet   string `json:"unmet,omitempty"`
	Log     string `json:"log,omitempty"`
}
