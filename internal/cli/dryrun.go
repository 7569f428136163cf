package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// messageLines bounds how much of a commit message a dry run shows.
const messageLines = 10

// dryRun is what run --dry-run tells of one prompt.
type dryRun struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	File     string          `json:"file"`
	Lines    int             `json:"lines"`
	Bytes    int             `json:"bytes"`
	Settings packet.Settings `json:"settings"`
	WorkDir  string          `json:"work_dir"`
	Targets  []packet.Repo   `json:"targets"`
	Items    int             `json:"contract_items"`
	// Contract has a line for each item.
	Contract []string `json:"contract"`
	// Commit is empty when nothing is committed.
	Commit string `json:"commit,omitempty"`
}

type dryRunDocument struct {
	Schema  string   `json:"schema"`
	Packet  string   `json:"packet"`
	Root    string   `json:"root"`
	Prompts []dryRun `json:"prompts"`
}

// runDry describes the prompts that a run would work on, in run order. Nothing is
// started and nothing is written.
func (a *app) runDry(opts runOptions) error {
	loaded, prompts, err := a.planned(opts.target, opts.overrides)
	if err != nil {
		return err
	}
	document := dryRunDocument{Schema: "prompt_runner.dry_run/v1", Packet: loaded.Name, Root: loaded.Root, Prompts: []dryRun{}}
	for _, prompt := range prompts {
		entry := dryRun{
			ID: prompt.ID, Name: prompt.Name, File: prompt.File,
			Lines: strings.Count(strings.TrimSuffix(prompt.Body, "\n"), "\n") + 1, Bytes: len(prompt.Body),
			Settings: prompt.Settings, WorkDir: prompt.WorkDir, Targets: []packet.Repo{},
			Items: prompt.Contract.Items(), Contract: append([]string{}, scaffold.Labels(prompt.Contract)...),
		}
		if prompt.Body == "" {
			entry.Lines = 0
		}
		for _, name := range prompt.Targets {
			repo, _ := loaded.Repo(name)
			entry.Targets = append(entry.Targets, repo)
		}
		if opts.commit == run.CommitGit {
			entry.Commit = prompt.Commit
		}
		document.Prompts = append(document.Prompts, entry)
	}
	if opts.json {
		return a.printJSON(document)
	}
	for i, entry := range document.Prompts {
		if i > 0 {
			a.say("")
		}
		a.printDryRun(entry, opts.commit)
	}
	return nil
}

func (a *app) printDryRun(entry dryRun, commit run.CommitMode) {
	a.say("[DRY RUN] Prompt %s: %s", entry.ID, render.OneLine(entry.Name))
	a.say("1. Prompt: %s (%s, %d bytes)", entry.File, render.Count(entry.Lines, "line"), entry.Bytes)
	settings := entry.Settings
	model := settings.Model
	if model == "" {
		model = "the provider's own model"
	}
	a.say("2. Session: %s, %s, permission mode %s", settings.Provider, render.OneLine(model), settings.PermissionMode)
	if settings.ReasoningEffort != "" {
		a.say("   reasoning effort: %s", render.OneLine(settings.ReasoningEffort))
	}
	if len(settings.AllowedTools) > 0 {
		a.say("   allowed tools: %s", render.OneLine(strings.Join(settings.AllowedTools, ", ")))
	}
	if settings.MaxTurns > 0 {
		a.say("   at most %s", render.Count(settings.MaxTurns, "turn"))
	}
	for _, text := range []struct{ name, value string }{{"system prompt", settings.SystemPrompt}, {"added to the system prompt", settings.AppendSystemPrompt}} {
		if text.value != "" {
			a.say("   %s: %s", text.name, render.Cut(render.OneLine(text.value), 100))
		}
	}
	a.say("   ended after: %s", render.Duration(time.Duration(settings.TimeoutMS)*time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(settings.Options)) {
		options, err := json.Marshal(settings.Options[name])
		if err != nil {
			options = []byte(err.Error())
		}
		a.say("   %s: %s", name, render.OneLine(string(options)))
	}
	a.say("   in: %s", entry.WorkDir)
	for _, repo := range entry.Targets {
		a.say("   target %s: %s", repo.Name, repo.Path)
	}
	if entry.Items == 0 {
		a.say("   contract: none, so it is complete when the provider says so")
	} else {
		a.say("   contract: %s", render.Count(entry.Items, "item"))
	}
	for _, label := range entry.Contract {
		a.say("     %s", render.OneLine(label))
	}
	if commit != run.CommitGit {
		a.say("3. Commit: SKIPPED (%s)", map[run.CommitMode]string{run.CommitNone: "--no-commit", run.CommitNoop: "--committer noop"}[commit])
		return
	}
	a.say("3. Commit:")
	lines := strings.Split(strings.TrimRight(render.Printable(entry.Commit), "\n"), "\n")
	for _, line := range lines[:min(len(lines), messageLines)] {
		a.say("   %s", line)
	}
	if more := len(lines) - messageLines; more > 0 {
		a.say("   ... (%s)", fmt.Sprintf("%d more lines", more))
	}
}
