package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

type listOptions struct {
	dir  string
	json bool
}

// listDocument is what list --json prints.
type listDocument struct {
	Schema    string       `json:"schema"`
	Packet    string       `json:"packet"`
	Root      string       `json:"root"`
	Prompts   []listPrompt `json:"prompts"`
	Completed int          `json:"completed"`
}

type listPrompt struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Phase       int        `json:"phase"`
	PhaseName   string     `json:"phase_name,omitempty"`
	StoryPoints int        `json:"sp"`
	Targets     []string   `json:"targets"`
	Status      run.Status `json:"status"`
	// Commit is what became of the work: a hash, no_commit or no_changes.
	Commit string `json:"commit,omitempty"`
	File   string `json:"file"`
}

func (a *app) listCommand() *cobra.Command {
	var opts listOptions
	cmd := &cobra.Command{
		Use:     "list [PACKET]",
		Short:   "List the prompts of a packet and which are done",
		Long:    `List the prompts of a packet in file order by phase, and which of them are done.`,
		Example: `  prompt-runner list path/to/packet`,
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return a.onPacket(cmd, &opts.dir, &opts.json, func(context.Context) error { return a.runList(opts) })
}

func (a *app) runList(opts listOptions) error {
	loaded, err := a.load(opts.dir, a.loadOptions())
	if err != nil {
		return err
	}
	outcomes, err := projection.In(opts.dir).Outcomes()
	if err != nil {
		return err
	}
	document := listDocument{Schema: "prompt_runner.list/v1", Packet: loaded.Name, Root: loaded.Root, Prompts: []listPrompt{}}
	for _, prompt := range loaded.Prompts {
		entry := listPrompt{
			ID: prompt.ID, Name: prompt.Name, Phase: prompt.Phase, PhaseName: loaded.Phases[prompt.Phase],
			StoryPoints: prompt.StoryPoints, Targets: prompt.Targets, Status: run.StatusPending, File: prompt.File,
		}
		if outcome, ok := outcomes[prompt.ID]; ok {
			entry.Status, entry.Commit = run.StatusFailed, outcome.Commit
			if outcome.Completed {
				entry.Status = run.StatusCompleted
				document.Completed++
			}
		}
		document.Prompts = append(document.Prompts, entry)
	}
	if opts.json {
		return a.printJSON(document)
	}
	a.printList(document, loaded)
	return nil
}

// commitHash matches full hashes of commits.
var commitHash = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// shortCommit writes what became of the work for people: "sha 01234567",
// "app 01234567, lib 89abcdef" for several repositories, or why there is no commit.
func shortCommit(commit string) string {
	parts := strings.Split(commit, ",")
	for i, part := range parts {
		repo, hash, several := strings.Cut(part, "=")
		if !several {
			repo, hash = "sha", part
		}
		if commitHash.MatchString(hash) {
			parts[i] = repo + " " + hash[:8]
		} else if several {
			parts[i] = repo + " " + hash
		}
	}
	return strings.Join(parts, ", ")
}

func (a *app) printList(document listDocument, loaded *packet.Packet) {
	a.say("Packet %s at %s", render.OneLine(document.Packet), document.Root)
	for _, repo := range loaded.Repos {
		if repo.Default {
			a.say("Repository: %s at %s", repo.Name, repo.Path)
		}
	}
	phase := -1
	for _, prompt := range document.Prompts {
		if prompt.Phase != phase {
			phase = prompt.Phase
			name := prompt.PhaseName
			if name != "" {
				name = ": " + render.OneLine(name)
			}
			a.say("")
			a.say("Phase %d%s", phase, name)
		}
		mark := map[run.Status]string{run.StatusCompleted: "[x]", run.StatusFailed: "[!]"}[prompt.Status]
		if mark == "" {
			mark = "[ ]"
		}
		line := fmt.Sprintf("  %s %s - %s (%d SP) [%s]", mark, prompt.ID, render.OneLine(prompt.Name), prompt.StoryPoints, strings.Join(prompt.Targets, ", "))
		if prompt.Commit != "" {
			line += " (" + render.OneLine(shortCommit(prompt.Commit)) + ")"
		}
		if _, err := os.Stat(prompt.File); errors.Is(err, fs.ErrNotExist) {
			line += " (missing)"
		}
		a.say("%s", line)
	}
	a.say("")
	a.say("Progress: %d/%d completed", document.Completed, len(document.Prompts))
}
