package providers

import (
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// EventType is what an event reports. Its values are what event files spell.
type EventType string

const (
	// RunStarted opens a turn: Model, ProviderSessionID, Metadata.
	RunStarted EventType = "run_started"
	// MessageStreamed is a piece of text from the agent: Content.
	MessageStreamed EventType = "message_streamed"
	// RunCompleted ends a turn normally: StopReason.
	RunCompleted EventType = "run_completed"
	// ErrorOccurred ends a turn badly: ErrorCode, ErrorMessage, ProviderError.
	ErrorOccurred EventType = "error_occurred"
)

// Event is one thing that a session did. Its JSON form is a line of a full event
// file.
type Event struct {
	At   time.Time `json:"ts"`
	Type EventType `json:"type"`
	Data Data      `json:"data,omitzero"`
}

// Data is what an event carries. Which fields are set depends on the type.
type Data struct {
	Model             string            `json:"model,omitempty"`
	ProviderSessionID string            `json:"provider_session_id,omitempty"`
	Metadata          map[string]string `json:"metadata,omitempty"`
	Content           string            `json:"content,omitempty"`
	StopReason        string            `json:"stop_reason,omitempty"`
	// ErrorCode is the failure's class.
	ErrorCode     string         `json:"error_code,omitempty"`
	ErrorMessage  string         `json:"error_message,omitempty"`
	ProviderError *ProviderError `json:"provider_error,omitempty"`
}

// ProviderError is an error in the provider's own words, and what it was taken for.
type ProviderError struct {
	Kind     string      `json:"kind"`
	Message  string      `json:"message"`
	Stderr   string      `json:"stderr,omitempty"`
	Recovery run.Failure `json:"recovery"`
}
