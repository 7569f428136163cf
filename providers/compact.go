package providers

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxPreview is how much of an error message compact forms show, in characters.
const maxPreview = 120

// compactEvent is an event in a compact event file: abbreviated, without texts.
type compactEvent struct {
	Type       string `json:"t"`
	Model      string `json:"m,omitempty"`
	Length     *int   `json:"l,omitempty"`
	StopReason string `json:"sr,omitempty"`
	Error      string `json:"x,omitempty"`
}

// CompactLine is the event as a line of a compact event file, without the
// newline: {"t":EPOCH_MS,"e":{"t":ABBREVIATION,...}}.
func CompactLine(event Event) []byte {
	compact := compactEvent{Type: string(event.Type)}
	switch event.Type {
	case RunStarted:
		compact.Type, compact.Model = "rs", shortModel(event.Data.Model)
	case MessageStreamed:
		length := len(event.Data.Content)
		compact.Type, compact.Length = "ms", &length
	case RunCompleted:
		compact.Type, compact.StopReason = "rc", shortStopReason(event.Data.StopReason)
	case ErrorOccurred:
		compact.Type, compact.Error = "er", preview(event.Data.ErrorMessage)
	}
	line, err := json.Marshal(struct {
		At    int64        `json:"t"`
		Event compactEvent `json:"e"`
	}{event.At.UnixMilli(), compact})
	if err != nil {
		// Numbers and strings always encode.
		panic(err)
	}
	return line
}

// shortModel drops the vendor from a model name and all but three of its parts.
func shortModel(model string) string {
	model = strings.TrimPrefix(strings.TrimPrefix(model, "claude-"), "anthropic.")
	parts := strings.Split(model, "-")
	return strings.Join(parts[:min(len(parts), 3)], "-")
}

func shortStopReason(reason string) string {
	switch reason = strings.ToLower(reason); reason {
	case "tool_use":
		return "tool"
	case "end_turn":
		return "end"
	}
	return reason
}

// preview is the beginning of a text on one line.
func preview(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxPreview {
		return text
	}
	return string([]rune(text)[:maxPreview]) + "..."
}
