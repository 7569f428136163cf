package simulation

import "github.com/prompt-runner/prompt-runner/run"

// Script is the behaviour of a simulated session.
type Script struct {
	// Attempts[n-1] is played by attempt n of an iteration; past the end an
	// attempt is an empty success.
	Attempts []Step `json:"attempts,omitempty"`
	// Resume is played by resumes. With ResumeEach the attempt's n-th resume
	// plays Resume[n-1]; otherwise every resume plays Resume[0]. A missing
	// element is an empty success.
	Resume     []Step `json:"resume,omitempty"`
	ResumeEach bool   `json:"resume_each,omitempty"`
}

// Step is one turn of a simulated session.
type Step struct {
	// Label is shown on the turn's first event.
	Label string `json:"label,omitempty"`
	// Messages are said before the turn ends, one event each.
	Messages []string `json:"messages,omitempty"`
	// Writes are applied before anything else, also when the turn ends in Error.
	Writes []Write `json:"writes,omitempty"`
	// DelayMS passes after the writes and before the final event, in milliseconds.
	DelayMS int64 `json:"delay_ms,omitempty"`
	// Error ends the turn; nil is a normal end.
	Error *Error `json:"error,omitempty"`
}

// Write changes one file.
type Write struct {
	// Path is relative to Repo, or to the prompt's working directory when Repo
	// is empty; absolute paths must lie in one of the packet's repositories.
	Path string `json:"path"`
	// Text is written as it is, without a newline of our own.
	Text string `json:"text"`
	// Append adds Text to the file instead of replacing it.
	Append bool   `json:"append,omitempty"`
	Repo   string `json:"repo,omitempty"`
}

// Error is how a turn fails.
type Error struct {
	// Kind is the provider's error kind; see recovery.ClassifyKind.
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Stderr  string `json:"stderr,omitempty"`
	// Recovery, when set, replaces what Kind says; flags it omits are false.
	Recovery *run.Failure `json:"recovery,omitempty"`
}

// AttemptStep returns the step that attempt number (from 1) plays.
func (s Script) AttemptStep(number int) Step {
	if number < 1 || number > len(s.Attempts) {
		return Step{}
	}
	return s.Attempts[number-1]
}

// ResumeStep returns the step that an attempt's resume number (from 1) plays.
func (s Script) ResumeStep(number int) Step {
	index := 0
	if s.ResumeEach {
		index = number - 1
	}
	if index < 0 || index >= len(s.Resume) {
		return Step{}
	}
	return s.Resume[index]
}
