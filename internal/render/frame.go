package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// Name columns: a prompt's name gets its share of the width within these bounds.
const (
	minNameColumns = 12
	maxNameColumns = 44
	// unknownWidth stands for a width that could not be learned.
	unknownWidth = 100
)

// Frame draws a leg as lines that fit the terminal: a head line and a line per
// prompt, or as many around the one at work as there is room for.
func Frame(s run.Snapshot, now time.Time, style Style) []string {
	width := style.Width
	if width <= 0 {
		width = unknownWidth
	}
	lines := []string{Cut(head(s), width)}
	first, last := window(s.Prompts, style.Height)
	if first > 0 {
		lines = append(lines, Cut(fmt.Sprintf("    … %d above", first), width))
	}
	nameColumns := 0
	for _, prompt := range s.Prompts[first:last] {
		nameColumns = max(nameColumns, Columns(OneLine(prompt.Name)))
	}
	nameColumns = min(nameColumns, max(minNameColumns, min(maxNameColumns, width/3)))
	for _, prompt := range s.Prompts[first:last] {
		lines = append(lines, promptLine(prompt, now, nameColumns, width, style))
	}
	if hidden := len(s.Prompts) - last; hidden > 0 {
		lines = append(lines, Cut(fmt.Sprintf("    … %d below", hidden), width))
	}
	return lines
}

func head(s run.Snapshot) string {
	if s.Run == "" {
		return "opening the run"
	}
	completed := s.Done
	for _, prompt := range s.Prompts {
		if prompt.Status == run.StatusCompleted {
			completed++
		}
	}
	text := fmt.Sprintf("run %s  %d of %d completed", s.Run, completed, s.Done+len(s.Prompts))
	if len(s.Warnings) > 0 {
		text += "  " + Count(len(s.Warnings), "warning")
	}
	return text
}

func promptLine(p run.PromptSnapshot, now time.Time, nameColumns, width int, style Style) string {
	glyph, sgr := mark(p.Status)
	text := fmt.Sprintf("%s  %s  %s", p.Prompt, pad(Cut(OneLine(p.Name), nameColumns), nameColumns), state(p, now))
	return "  " + style.paint(sgr, glyph) + " " + Cut(strings.TrimRight(text, " "), width-4)
}

// state says in a few words where a prompt stands, the most telling first, since
// the end may be cut.
func state(p run.PromptSnapshot, now time.Time) string {
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	elapsed := func(since time.Time) {
		if !since.IsZero() {
			end := p.EndedAt
			if end.IsZero() {
				end = now
			}
			add(Duration(end.Sub(since)))
		}
	}
	switch {
	case p.Status == run.StatusPending || p.Status == "":
		return ""
	case p.Status.Final():
		if p.Status != run.StatusCompleted {
			add(statusText(p.Status))
		}
		add(Attempts(modesOf(p), p.Resumes))
		elapsed(p.StartedAt)
		for _, remark := range notes(p.PromptOutcome) {
			add(remark)
		}
	default:
		if n := len(p.Attempts); n > 0 {
			last := p.Attempts[n-1]
			add(fmt.Sprintf("attempt %d (%s)", last.Seq, last.Mode))
		}
		add(activity(p, now))
		elapsed(p.StartedAt)
	}
	return strings.Join(parts, " · ")
}

func activity(p run.PromptSnapshot, now time.Time) string {
	if p.Status == run.StatusRetryScheduled && !p.NextRetry.IsZero() {
		return "retry in " + Duration(p.NextRetry.Sub(now))
	}
	if p.Waiting != "" {
		return OneLine(p.Waiting)
	}
	if p.Activity != "" {
		return OneLine(p.Activity)
	}
	return statusText(p.Status)
}

// window chooses which prompts to show when the terminal is too low for all: a
// stretch that has the first unfinished one in its middle.
func window(prompts []run.PromptSnapshot, height int) (first, last int) {
	const others = 5 // the head, both "…" lines, a note and the cursor's own line
	room := max(3, height-others)
	if height <= 0 || len(prompts) <= room {
		return 0, len(prompts)
	}
	current := len(prompts) - 1
	for i, prompt := range prompts {
		if !prompt.Status.Final() {
			current = i
			break
		}
	}
	first = min(max(0, current-room/2), len(prompts)-room)
	return first, first + room
}
