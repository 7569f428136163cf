package packet

import (
	"fmt"
	"strings"
)

// Severity says whether a finding stops a run.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Finding is one problem, with the place it was found at.
type Finding struct {
	// Kind is a stable name for the kind of problem, such as "unknown_key".
	Kind     string   `json:"kind"`
	Severity Severity `json:"severity"`
	// Prompt is the id of the prompt concerned; empty when it is not about one.
	Prompt string `json:"prompt_id,omitempty"`
	// File is the path as a person would open it.
	File string `json:"file"`
	// Line counts from 1; 0 means the whole file.
	Line int `json:"line,omitempty"`
	// Key is the dotted path of the front matter key, such as
	// "verify.commands[0].timeout_ms"; empty when no key is at fault.
	Key string `json:"key,omitempty"`
	// Message says what is wrong and what to do about it.
	Message string `json:"message"`
}

// String renders "file:line: key: message" without the parts that are unknown.
func (f Finding) String() string {
	var text strings.Builder
	text.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&text, ":%d", f.Line)
	}
	if f.Key != "" {
		text.WriteString(": " + f.Key)
	}
	return text.String() + ": " + f.Message
}

// Errors are the findings that make a packet unusable; never empty.
type Errors []Finding

// Error lists every finding on a line of its own.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, finding := range e {
		lines[i] = finding.String()
	}
	return strings.Join(lines, "\n")
}
