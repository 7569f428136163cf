package render

import "github.com/prompt-runner/prompt-runner/run"

// Style is how a terminal may be written to.
type Style struct {
	// Colour allows ANSI colours.
	Colour bool
	// Width and Height are the terminal's size in columns and lines; 0 means
	// unknown, and nothing is cut.
	Width, Height int
}

// SGR sequences: colours of states, and what ends them.
const (
	sgrReset  = "\x1b[0m"
	sgrRed    = "\x1b[31m"
	sgrGreen  = "\x1b[32m"
	sgrYellow = "\x1b[33m"
	sgrCyan   = "\x1b[36m"
	sgrDim    = "\x1b[2m"
)

func (s Style) paint(sgr, text string) string {
	if !s.Colour || sgr == "" {
		return text
	}
	return sgr + text + sgrReset
}

// Severity is the word that a finding begins with, padded to one width.
func (s Style) Severity(severity string) string {
	if severity == "error" {
		return s.paint(sgrRed, "ERROR  ")
	}
	return s.paint(sgrYellow, "WARNING")
}

// mark is the glyph and colour of a status.
func mark(status run.Status) (glyph, sgr string) {
	switch status {
	case run.StatusCompleted:
		return "✓", sgrGreen
	case run.StatusRunning:
		return "▸", sgrCyan
	case run.StatusRetryScheduled, run.StatusRepairing:
		return "↻", sgrYellow
	case run.StatusStopped, run.StatusBlockedByDep:
		return "■", sgrYellow
	case run.StatusPending, "":
		return "·", sgrDim
	}
	return "✗", sgrRed
}
