package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// reasonColumns bounds the reason in an appended line; the whole text is in the
// transcript and in the run's state.
const reasonColumns = 240

// Transitions lists what happened between two snapshots of a leg, a line each.
// What came and went between them is told too, from the attempts that the later
// one remembers. A zero prev means that nothing has been told yet.
func Transitions(prev, next run.Snapshot) []string {
	var lines []string
	if prev.Run == "" && next.Run != "" {
		lines = append(lines, opened(next))
	}
	for _, warning := range next.Warnings {
		if !slices.Contains(prev.Warnings, warning) {
			lines = append(lines, "warning: "+OneLine(warning))
		}
	}
	if next.Waiting != "" && next.Waiting != prev.Waiting {
		lines = append(lines, OneLine(next.Waiting))
	}
	before := make(map[string]run.PromptSnapshot, len(prev.Prompts))
	for _, prompt := range prev.Prompts {
		before[prompt.Prompt] = prompt
	}
	for _, prompt := range next.Prompts {
		lines = append(lines, promptTransitions(before[prompt.Prompt], prompt)...)
	}
	return lines
}

func opened(s run.Snapshot) string {
	if s.Continued {
		return fmt.Sprintf("run %s continues (leg %d): %s to do, %d completed before", s.Run, s.Leg, Count(len(s.Prompts), "prompt"), s.Done)
	}
	return fmt.Sprintf("run %s: %s", s.Run, Count(len(s.Prompts), "prompt"))
}

func promptTransitions(prev, next run.PromptSnapshot) []string {
	if prev.Status.Final() {
		return nil
	}
	var lines []string
	say := func(format string, args ...any) {
		lines = append(lines, title(next.PromptOutcome)+": "+fmt.Sprintf(format, args...))
	}
	told := make(map[int]run.Status, len(prev.Attempts))
	for i, attempt := range prev.Attempts {
		told[attempt.Seq] = attempt.Status
		if _, decided := followUp(prev, i); !decided && attempt.Status != run.StatusRunning {
			// It had ended, but what follows was not known yet.
			told[attempt.Seq] = run.StatusRunning
		}
	}
	for i, attempt := range next.Attempts {
		status, seen := told[attempt.Seq]
		what := fmt.Sprintf("attempt %d (%s)", attempt.Seq, attempt.Mode)
		if attempt.Status == run.StatusRunning {
			if !seen {
				say("%s started", what)
			}
			continue
		}
		then, decided := followUp(next, i)
		if !decided || (seen && status != run.StatusRunning) {
			continue
		}
		if attempt.Status == run.StatusCompleted || (then == "" && next.Status.Final()) {
			continue // the prompt's own line says it
		}
		say("%s %s%s%s", what, statusText(attempt.Status), attemptReason(attempt), then)
	}
	if strings.HasPrefix(next.Activity, "waiting for") && next.Activity != prev.Activity {
		say("%s", OneLine(next.Activity))
	}
	if next.Waiting != "" && next.Waiting != prev.Waiting {
		say("%s", OneLine(next.Waiting))
	}
	if next.Status.Final() {
		lines = append(lines, finalLine(next))
	}
	return lines
}

// followUp says what comes after attempt i of a prompt, and whether that has
// been decided.
func followUp(p run.PromptSnapshot, i int) (then string, decided bool) {
	if i+1 < len(p.Attempts) {
		return "; " + string(p.Attempts[i+1].Mode), true
	}
	switch {
	case p.Status == run.StatusRetryScheduled && !p.NextRetry.IsZero():
		return "; retry at " + p.NextRetry.Local().Format("15:04:05"), true
	case p.Status == run.StatusRetryScheduled:
		return "; retry", true
	case p.Status == run.StatusRepairing:
		return "; repair", true
	}
	return "", p.Status.Final()
}

// attemptReason says why an attempt was not enough, the unmet contract last.
func attemptReason(a run.AttemptSnapshot) string {
	why := reason(a.Class, a.Message)
	if unmet := OneLine(a.Unmet); why == "" {
		why = unmet
	}
	if why == "" {
		return ""
	}
	return ": " + Cut(why, reasonColumns)
}

func finalLine(p run.PromptSnapshot) string {
	line := title(p.PromptOutcome) + ": " + statusText(p.Status)
	if attempts := Attempts(modesOf(p), p.Resumes); attempts != "" {
		line += " (" + attempts + ")"
	}
	if !p.StartedAt.IsZero() && !p.EndedAt.IsZero() {
		line += " in " + Duration(p.EndedAt.Sub(p.StartedAt))
	}
	if remarks := notes(p.PromptOutcome); len(remarks) > 0 {
		separator := "; "
		if p.Status != run.StatusCompleted {
			separator = ": "
		}
		line += separator + Cut(strings.Join(remarks, "; "), reasonColumns)
	}
	return line
}
