package render

import (
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// Summary is what is said when a leg has ended: a table of its prompts, and how
// many of the run's prompts are complete.
func Summary(result run.Result, prompts []run.PromptSnapshot, style Style) []string {
	lines := Table(prompts, style)
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return append(lines, fmt.Sprintf("%d of %s completed", result.Completed, Count(result.Total, "prompt")))
}

// Table lists prompts with status, attempts, time taken and what is remarkable.
// It is empty without prompts.
func Table(prompts []run.PromptSnapshot, style Style) []string {
	if len(prompts) == 0 {
		return nil
	}
	nameColumns := maxNameColumns
	if style.Width > 0 {
		nameColumns = max(minNameColumns, min(maxNameColumns, style.Width/4))
	}
	rows := [][]string{{"PROMPT", "NAME", "STATUS", "ATTEMPTS", "TIME", "NOTE"}}
	colours := []string{""}
	for _, prompt := range prompts {
		took := ""
		if !prompt.StartedAt.IsZero() && !prompt.EndedAt.IsZero() {
			took = Duration(prompt.EndedAt.Sub(prompt.StartedAt))
		}
		rows = append(rows, []string{
			prompt.Prompt,
			Cut(OneLine(prompt.Name), nameColumns),
			statusText(prompt.Status),
			Attempts(modesOf(prompt), prompt.Resumes),
			took,
			Cut(strings.Join(rowNotes(prompt), "; "), reasonColumns),
		})
		_, sgr := mark(prompt.Status)
		colours = append(colours, sgr)
	}
	return align(rows, func(row, column int, text string) string {
		if column == 2 {
			return style.paint(colours[row], text)
		}
		return text
	}, style.Width)
}

// Grid aligns cells to columns of equal width.
func Grid(rows [][]string) []string {
	if len(rows) == 0 {
		return nil
	}
	return align(rows, func(_, _ int, text string) string { return text }, 0)
}

// align pads cells to columns of equal width. paint is applied after padding,
// and the last column alone is cut to the width.
func align(rows [][]string, paint func(row, column int, text string) string, width int) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for column, cell := range row {
			widths[column] = max(widths[column], Columns(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var line strings.Builder
		used := 0
		for column, cell := range row {
			last := column == len(row)-1
			if last && width > 0 {
				cell = Cut(cell, max(1, width-used))
			} else if !last {
				cell = pad(cell, widths[column]+2)
			}
			used += Columns(cell)
			line.WriteString(paint(i, column, cell))
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
