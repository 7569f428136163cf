package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// Attempts lists the modes of a prompt's attempts, with the session resumes that
// they needed: "run, retry" or "run, 1 resume".
func Attempts(modes []run.Mode, resumes int) string {
	var parts []string
	for _, mode := range modes {
		parts = append(parts, string(mode))
	}
	if resumes > 0 {
		parts = append(parts, Count(resumes, "resume"))
	}
	return strings.Join(parts, ", ")
}

// modesOf prefers the attempts themselves: they are there while a prompt runs.
func modesOf(p run.PromptSnapshot) []run.Mode {
	if len(p.Attempts) <= len(p.Modes) {
		return p.Modes
	}
	modes := make([]run.Mode, len(p.Attempts))
	for i, attempt := range p.Attempts {
		modes[i] = attempt.Mode
	}
	return modes
}

// statusText spells a status for people.
func statusText(status run.Status) string {
	if status == "" {
		return "pending"
	}
	return strings.ReplaceAll(string(status), "_", " ")
}

// notes says what is remarkable about how a prompt ended.
func notes(p run.PromptOutcome) []string {
	var remarks []string
	if p.Unverified {
		remarks = append(remarks, "unverified: its contract has no item")
	}
	if p.LateError {
		remarks = append(remarks, "late error: "+reason(p.FailureClass, p.Message))
	}
	if p.Status == run.StatusCompleted {
		return append(remarks, commits(p.Commits)...)
	}
	if why := reason(p.FailureClass, p.Message); p.Status.Final() && why != "" {
		remarks = append(remarks, why)
	}
	return remarks
}

// rowNotes is what a table says of a prompt: what is remarkable about how it
// ended, or what it is busy with.
func rowNotes(p run.PromptSnapshot) []string {
	if p.Status.Final() {
		return notes(p.PromptOutcome)
	}
	if doing := OneLine(cmp.Or(p.Waiting, p.Activity)); doing != "" {
		return []string{doing}
	}
	return nil
}

// commits says what became of the work in each repository; a single one needs
// no name.
func commits(repos []run.RepoCommit) []string {
	var parts []string
	for _, repo := range repos {
		what := ""
		switch repo.Status {
		case run.CommitStatusOK:
			what = "commit " + repo.SHA[:min(len(repo.SHA), 7)]
		case run.CommitStatusSkip:
			what = "no commit (" + strings.ReplaceAll(repo.Reason, "_", " ") + ")"
		default:
			what = "commit failed: " + OneLine(repo.Reason)
		}
		if len(repos) > 1 {
			what = repo.Repo + " " + what
		}
		if repo.LeftOut > 0 {
			what += fmt.Sprintf(", %s left out that the sessions did not change", Count(repo.LeftOut, "path"))
		}
		parts = append(parts, what)
	}
	return parts
}

// reason joins a failure class and its message, either of which may be missing; a
// message that names the class itself is enough.
func reason(class run.Class, message string) string {
	message = OneLine(message)
	switch {
	case class == "" || class == run.ClassOK || strings.Contains(message, string(class)):
		return message
	case message == "":
		return string(class)
	}
	return string(class) + ": " + message
}

// title is a prompt's id and name.
func title(p run.PromptOutcome) string {
	return strings.TrimSpace(p.Prompt + " " + OneLine(p.Name))
}

// Count writes a number with its noun: "1 prompt", "2 prompts".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
