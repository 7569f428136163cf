package recovery

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// Limits of the text that a repair adds to a prompt.
const (
	maxRepairItems = 50
	maxRepairLines = 40
	maxRepairText  = run.MaxReport
)

// repairInstructions is what a repair asks for.
const repairInstructions = `## Repair Instructions

You are continuing work on the task above. An earlier session has already worked
in this workspace, and a check of the result found requirements that are not met.

Start from the workspace as it is now. Fix what is listed below and nothing else;
leave finished work as it is and do not start over.
`

// Unmet is one contract item that a repair must satisfy. Empty fields are left
// out of the text.
type Unmet struct {
	Kind    string
	Repo    string
	Path    string
	Command string
	Cwd     string
	// Details says what was found; the first lines of it are quoted.
	Details string
}

// RepairPrompt adds to the body of a prompt what its contract still misses.
// lastError is the message of the session that failed, empty when it ended
// normally. body must be the prompt's original text, never an earlier repair's,
// so that instructions do not pile up; it is kept whole, and what is added to it
// is at most 64 KiB and says how much it leaves out.
func RepairPrompt(body, lastError string, unmet []Unmet) string {
	var text strings.Builder
	text.WriteString(repairInstructions)
	text.WriteString("\nLast runtime error: " + cmp.Or(run.Cut(strings.TrimSpace(lastError), run.MaxMessage, ""), "n/a") + "\n")
	text.WriteString("\nUnmet requirements:\n\n")
	if len(unmet) == 0 {
		text.WriteString("(none recorded)\n")
	}
	for i, item := range unmet {
		block := item.block()
		// The mark that may follow is short; 128 bytes always hold it.
		if i == maxRepairItems || text.Len()+len(block) > maxRepairText-128 {
			fmt.Fprintf(&text, "[left out: %d more unmet requirement(s)]\n", len(unmet)-i)
			break
		}
		text.WriteString(block)
	}
	return strings.TrimRight(body, "\n") + "\n\n" + text.String()
}

// block renders the item, at most run.MaxReportItem bytes of details in it.
func (u Unmet) block() string {
	var text strings.Builder
	text.WriteString("- failure\n")
	for _, field := range []struct{ name, value string }{
		{"kind", u.Kind}, {"repo", u.Repo}, {"path", u.Path}, {"command", u.Command}, {"cwd", u.Cwd},
	} {
		if field.value != "" {
			// One line each: a line break in a path must not look like a field.
			value := strings.Join(strings.Fields(field.value), " ")
			text.WriteString("  " + field.name + ": " + run.Cut(value, run.MaxMessage, "") + "\n")
		}
	}
	details := strings.TrimRight(u.Details, " \t\r\n")
	if details == "" {
		return text.String()
	}
	lines := strings.Split(details, "\n")
	shown := lines[:min(len(lines), maxRepairLines)]
	text.WriteString("  output:\n")
	for line := range strings.SplitSeq(run.Cut(strings.Join(shown, "\n"), run.MaxReportItem, ""), "\n") {
		text.WriteString("      " + strings.TrimRight(line, "\r") + "\n")
	}
	if more := len(lines) - len(shown); more > 0 {
		fmt.Fprintf(&text, "      [truncated: %d more line(s)]\n", more)
	}
	return text.String()
}
