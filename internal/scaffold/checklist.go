package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Checklist is a prompt's contract as a list for people to tick.
type Checklist struct {
	Path   string `json:"path"`
	Prompt string `json:"prompt_id,omitempty"`
	// State is written, current, stale, missing, foreign, orphaned or removed.
	State string `json:"state"`
	// Empty says that the contract has no item.
	Empty bool `json:"empty_verify,omitempty"`
}

// The states of checklists. Stale and missing ones are only seen by a check;
// otherwise they are written. A foreign file stands where a checklist belongs, but
// is none, and is left alone. Orphaned ones belong to no prompt any more.
const (
	ChecklistWritten  = "written"
	ChecklistCurrent  = "current"
	ChecklistStale    = "stale"
	ChecklistMissing  = "missing"
	ChecklistForeign  = "foreign"
	ChecklistOrphaned = "orphaned"
	ChecklistRemoved  = "removed"
)

const (
	checklistSuffix = ".checklist.md"
	checklistTitle  = "# Checklist "
	checklistItems  = "## Verification Items"
	emptyChecklist  = "The contract has no item yet.\n\nAdd entries to `verify` and sync again.\n"
	// provenance marks what this package may remove.
	provenance = "Made from the prompt's contract by `prompt-runner checklist sync`; changes other than ticks are lost."
)

// SyncChecklists writes the checklist of every prompt beside it, and removes
// generated ones whose prompt is gone and in which nobody wrote. Boxes that a person ticked stay ticked
// while their label is the same. With check nothing is written.
func SyncChecklists(p *packet.Packet, promptDir string, check bool) ([]Checklist, error) {
	var lists []Checklist
	wanted := map[string]bool{}
	for _, prompt := range p.Prompts {
		path := strings.TrimSuffix(prompt.File, ".md") + checklistSuffix
		wanted[path] = true
		list := Checklist{Path: path, Prompt: prompt.ID, Empty: prompt.Contract.Items() == 0, State: ChecklistCurrent}
		before, err := os.ReadFile(path)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return lists, err
		}
		text := checklist(prompt, ticks(string(before)))
		switch {
		case text == string(before):
		case !missing && !strings.HasPrefix(string(before), checklistTitle):
			list.State = ChecklistForeign
		case check && missing:
			list.State = ChecklistMissing
		case check:
			list.State = ChecklistStale
		default:
			list.State = ChecklistWritten
			if err := write(path, text, true); err != nil {
				return lists, err
			}
		}
		lists = append(lists, list)
	}
	orphans, err := orphaned(promptDir, wanted, check)
	return append(lists, orphans...), err
}

// orphaned finds checklists of prompts that are gone, and removes those that hold
// nothing but what was generated, ticked or not.
func orphaned(dir string, wanted map[string]bool, check bool) ([]Checklist, error) {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*"+checklistSuffix))
	if err != nil {
		return nil, err
	}
	var lists []Checklist
	for _, path := range paths {
		if wanted[path] {
			continue
		}
		list := Checklist{Path: path, State: ChecklistOrphaned}
		text, err := os.ReadFile(path)
		if err != nil {
			return lists, err
		}
		if !check && untouched(string(text)) {
			if err := os.Remove(path); err != nil {
				return lists, err
			}
			list.State = ChecklistRemoved
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// escapeGlob takes the meaning from characters of a directory's name.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// box splits a line with a box from the label behind it.
func box(line string) (label string, ticked, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if label, ok = strings.CutPrefix(line, "- [ ] "); ok {
		return label, false, true
	}
	for _, mark := range []string{"- [x] ", "- [X] "} {
		if label, ok = strings.CutPrefix(line, mark); ok {
			return label, true, true
		}
	}
	return "", false, false
}

// ticks are the boxes of a checklist by label, in order where several have one
// label.
func ticks(text string) map[string][]bool {
	boxes := map[string][]bool{}
	for line := range strings.Lines(text) {
		if label, ticked, ok := box(line); ok {
			boxes[label] = append(boxes[label], ticked)
		}
	}
	return boxes
}

// untouched reports whether a checklist is as it was generated, apart from ticks.
func untouched(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	title, rest, _ := strings.Cut(text, "\n")
	items, generated := strings.CutPrefix(rest, checklistHead)
	if !generated || !strings.HasPrefix(title, checklistTitle) {
		return false
	}
	if items == emptyChecklist {
		return true
	}
	for line := range strings.Lines(items) {
		if _, _, ok := box(line); !ok {
			return false
		}
	}
	return true
}

// checklistHead stands between the title and the items.
const checklistHead = "\n" + provenance + "\n\n" + checklistItems + "\n\n"

func checklist(prompt packet.Prompt, before map[string][]bool) string {
	var text strings.Builder
	text.WriteString(checklistTitle + oneLine(prompt.ID+": "+prompt.Name) + "\n" + checklistHead)
	labels := Labels(prompt.Contract)
	if len(labels) == 0 {
		text.WriteString(emptyChecklist)
	}
	for _, label := range labels {
		mark := " "
		if same := before[label]; len(same) > 0 {
			if same[0] {
				mark = "x"
			}
			before[label] = same[1:]
		}
		text.WriteString("- [" + mark + "] " + label + "\n")
	}
	return text.String()
}

// oneLine keeps a text on its line: control characters become spaces.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
}

// Labels describe the items of a contract, one line each, by clause in the order
// of the clauses' names.
func Labels(c packet.Contract) []string {
	var labels []string
	add := func(format string, args ...any) {
		labels = append(labels, oneLine(fmt.Sprintf(format, args...)))
	}
	for _, entry := range c.ChangedPathsOnly {
		add("changed path allowed: %s", at(entry))
	}
	for _, command := range c.Commands {
		add("command: %s", commandLine(command))
	}
	for _, entry := range c.Contains {
		add("contains: %s", at(entry.PathEntry))
	}
	for _, entry := range c.Doc {
		add("doc: %s (non-blank; %d lines advisory)", at(entry.PathEntry), entry.MinLines)
	}
	for _, entry := range c.FilesAbsent {
		add("file absent: %s", at(entry))
	}
	for _, entry := range c.FilesExist {
		add("file exists: %s", at(entry))
	}
	for _, entry := range c.Glob {
		add("glob contract: %s", at(entry.PathEntry))
	}
	for _, entry := range c.JSON {
		add("JSON contract: %s", at(entry.PathEntry))
	}
	for _, entry := range c.Matches {
		add("matches: %s", at(entry.PathEntry))
	}
	for _, entry := range c.ReposClean {
		name := entry.Repo
		if name == "" {
			name = "the working repository"
		}
		if entry.Pushed {
			add("repo committed and pushed: %s", name)
		} else {
			add("repo committed: %s", name)
		}
	}
	for _, entry := range c.SourceAbsent {
		add("forbidden source absent: %s", at(entry.PathEntry))
	}
	for _, entry := range c.YAML {
		add("YAML parses: %s", at(entry.PathEntry))
	}
	return labels
}

func at(entry packet.PathEntry) string {
	switch {
	case entry.Repo == "":
		return entry.Path
	case entry.Path == "": // an artifact is a file itself
		return entry.Repo
	}
	return entry.Repo + ":" + entry.Path
}

// commandLine is a command as a person would type it.
func commandLine(command packet.Command) string {
	if command.Shell != "" {
		return command.Shell
	}
	words := []string{command.Exec}
	for _, argument := range command.Args {
		if argument == "" || strings.ContainsAny(argument, " \t\n\"'\\$;&|<>()*?[]{}~#") {
			argument = "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
		}
		words = append(words, argument)
	}
	return strings.Join(words, " ")
}
