package providers

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
)

// Transcript writes events as compact text for people. The zero value is not
// usable; see NewTranscript.
type Transcript struct {
	out    io.Writer
	events int
	// streaming says that the last event was streamed text, whose line is open.
	streaming bool
	// column says that something stands on the current line.
	column bool
}

// NewTranscript writes to out, and never anything that moves a terminal's cursor
// or changes its state.
func NewTranscript(out io.Writer) *Transcript {
	return &Transcript{out: out}
}

// Write adds an event. An error is that of the underlying writer.
func (t *Transcript) Write(event Event) error {
	t.events++
	if event.Type == MessageStreamed {
		return t.stream(event.Data.Content)
	}
	token := "?" + string(event.Type)
	switch event.Type {
	case RunStarted:
		token = "r+ " + shortModel(event.Data.Model)
	case RunCompleted:
		token = "r-:" + shortStopReason(event.Data.StopReason)
	case ErrorOccurred:
		token = "! " + preview(event.Data.ErrorMessage)
	}
	text := printable(token)
	switch {
	case t.streaming && t.column:
		text = "\n" + text
	case t.column:
		text = " " + text
	}
	t.streaming = false
	return t.write(text)
}

// Close ends the open line and adds the number of events. It does not close the
// underlying writer.
func (t *Transcript) Close() error {
	text := fmt.Sprintf("--- %d events ---\n", t.events)
	if t.column {
		text = "\n" + text
	}
	return t.write(text)
}

// stream writes text as it comes; the pieces of a block follow each other.
func (t *Transcript) stream(content string) error {
	text := printable(content)
	if !t.streaming {
		text = ">> " + text
		if t.column {
			text = "\n" + text
		}
	}
	t.streaming = true
	return t.write(text)
}

func (t *Transcript) write(text string) error {
	if text == "" {
		return nil
	}
	t.column = !strings.HasSuffix(text, "\n")
	if _, err := io.WriteString(t.out, text); err != nil {
		return fmt.Errorf("write transcript: %w", err)
	}
	return nil
}

// escapes matches whole terminal control sequences.
var escapes = regexp.MustCompile("\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\)?)")

// printable drops terminal control sequences and control characters, so that
// what an agent says cannot act on the terminal of whoever reads it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, escapes.ReplaceAllString(text, ""))
}
