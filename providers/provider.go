package providers

import (
	"context"

	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// Provider is a coding agent that sessions can be given to.
type Provider interface {
	// Name is the name that packets select the provider by.
	Name() string
}

// Local is a provider whose sessions run inside the worker.
type Local interface {
	Provider
	// Play runs one turn of a session to its end and hands every event to emit,
	// in order; an error of emit ends the turn and is returned.
	//
	// How the session ended is the result, failures included. An error means that
	// the turn could not be played to its end on this machine now: the context's
	// cause after a cancel, a full disk. Playing the same turn again, with the
	// same journal, has the effect of playing it once.
	Play(ctx context.Context, turn Turn, emit func(Event) error) (Result, error)
}

// Turn is what a session is asked to do, once.
type Turn struct {
	// Prompt is the text that is sent.
	Prompt string
	// WorkDir is the absolute directory that the session runs in.
	WorkDir string
	// Repos are the only directories that the session may write in.
	Repos []Repo
	// PromptID is the id of the prompt in its packet.
	PromptID string
	// Attempt is the attempt's number in its iteration, from 1.
	Attempt int
	// Resume is 0 for a session's first turn, n for its n-th resume.
	Resume int
	// ProviderSession is the provider's own id of the session to resume.
	ProviderSession string
	Model           string
	ReasoningEffort string
	PermissionMode  string
	// Script is what a simulated session does.
	Script simulation.Script
	// Journal is an absolute directory that survives a kill of the worker and
	// belongs to this turn alone. It is created when it is missing.
	Journal string
}

// Repo is a directory that a session works in.
type Repo struct {
	Name string
	// Path is absolute.
	Path string
}

// Result is how a turn ended.
type Result struct {
	// Session is the provider's own id of the session, to resume it by.
	Session string
	// Failure is nil when the provider finished normally.
	Failure *run.Failure
	// StopReason is why the provider stopped; empty after a failure.
	StopReason string
}
