package verifier

import (
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// summaryDetails bounds what one item contributes to a summary, in bytes.
const summaryDetails = 300

// Summarize reduces a report to what decisions need. File is where the whole
// report is kept. Faults are recognised by their items, so that a report read
// back from JSON without its lists is still judged rightly.
func Summarize(r Report, file string) run.ReportSummary {
	summary := run.ReportSummary{Items: len(r.Items), File: file}
	var unmet []string
	for _, item := range r.Items {
		if item.Fault != "" {
			summary.Faults++
		}
		if item.Pass && item.Fault == "" {
			continue
		}
		summary.Failures++
		unmet = append(unmet, item.String())
	}
	summary.Unmet = run.Cut(strings.Join(unmet, "; "), run.MaxMessage, file)
	return summary
}

// String describes the item in one line, such as "file_exists out.txt: missing".
func (i Item) String() string {
	text := i.Subject()
	if i.Fault != "" {
		text += " (" + string(i.Fault) + ")"
	}
	details := strings.Join(strings.Fields(i.Details), " ")
	return text + ": " + run.Cut(details, summaryDetails, "")
}

// Subject names what the item is about, such as "file_exists out.txt".
func (i Item) Subject() string {
	text := string(i.Kind)
	switch {
	case i.CleanCheck != nil:
		text += " " + i.Repo
	case i.FileCheck != nil && i.Path == "":
		text += " " + i.Repo
	case i.FileCheck != nil:
		text += " " + i.Path
	case i.CommandCheck != nil:
		text += " " + run.Cut(i.Command, summaryDetails, "")
	case i.Repo != "":
		text += " " + i.Repo
	}
	return text
}
