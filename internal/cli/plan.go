package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

// planSchema names the document that plan --json prints.
const planSchema = "prompt_runner.plan/v1"

type planOptions struct {
	target    target
	overrides run.Overrides
	commit    run.CommitMode
	json      bool
}

// planDocument is what a run would do.
type planDocument struct {
	Schema  string `json:"schema"`
	Packet  string `json:"packet"`
	Root    string `json:"root"`
	Profile string `json:"profile,omitempty"`
	// Prompts counts those of the packet, Selected are the ids in run order.
	Prompts         int              `json:"prompts"`
	Selected        []string         `json:"selected"`
	Providers       []string         `json:"providers"`
	Models          []string         `json:"models"`
	PermissionModes []string         `json:"permission_modes"`
	Commit          run.CommitMode   `json:"commit"`
	MaxSessions     int              `json:"max_sessions"`
	Steps           []planStep       `json:"steps"`
	Warnings        []packet.Finding `json:"warnings"`
}

// planStep is a selected prompt.
type planStep struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Provider       string   `json:"provider"`
	Model          string   `json:"model,omitempty"`
	PermissionMode string   `json:"permission_mode"`
	Targets        []string `json:"targets"`
	DependsOn      []string `json:"depends_on,omitempty"`
	// Items counts the items of the contract.
	Items  int    `json:"contract_items"`
	Commit string `json:"commit"`
	// MaxSessions is the most sessions, resumes included.
	MaxSessions int `json:"max_sessions"`
	Retries     int `json:"max_retries"`
	Repairs     int `json:"max_repairs"`
	Resumes     int `json:"resumes_per_attempt"`
}

func (a *app) planCommand() *cobra.Command {
	var (
		opts      planOptions
		packetDir string
		noCommit  bool
		committer string
		display   displayFlags
	)
	cmd := &cobra.Command{
		Use:   "plan [PACKET] [ID...]",
		Short: "Show what a run would do, and the most that it can cost",
		Long: `Show what a run would do: the prompts in the order they would run, who works on
them with which permissions, and the most sessions that can be started before a
person is asked. Nothing is started and nothing is written.`,
		Example: `  prompt-runner plan path/to/packet
  prompt-runner plan path/to/packet 03 04 --provider simulated --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			err := display.check()
			if err == nil {
				opts.commit, err = commitMode(noCommit, committer)
			}
			if err == nil {
				opts.target, err = a.resolveTarget(packetDir, args)
			}
			if err == nil {
				err = a.runPlan(opts)
			}
			return a.refused(opts.json, planSchema, err)
		},
		ValidArgsFunction: a.completePacketThenIDs(&packetDir),
	}
	flags := cmd.Flags()
	flags.StringVar(&packetDir, "packet", "", "packet directory; all arguments are prompt ids then")
	flags.BoolVar(&noCommit, "no-commit", false, "leave completed work uncommitted")
	flags.StringVar(&committer, "committer", "git", "what commits completed work: git or noop")
	a.overrideFlags(cmd, &opts.overrides)
	flags.BoolVar(&opts.json, "json", false, "print one JSON document")
	display.add(cmd)
	return cmd
}

func (a *app) runPlan(opts planOptions) error {
	loaded, prompts, err := a.planned(opts.target, opts.overrides)
	if err != nil {
		return err
	}
	document := newPlanDocument(loaded, prompts, opts.commit)
	if opts.json {
		return a.printJSON(document)
	}
	a.printPlan(document)
	return nil
}

// planned loads the packet and selects its prompts as a run would, in run order.
func (a *app) planned(t target, overrides run.Overrides) (*packet.Packet, []*packet.Prompt, error) {
	if !t.Exists {
		return nil, nil, usagef("no such directory: %s", t.Dir)
	}
	options := a.loadOptions()
	options.Overrides = overrides
	loaded, err := a.load(t.Dir, options)
	if err != nil {
		return nil, nil, err
	}
	order, err := packet.Select(loaded, t.Prompts)
	if err != nil {
		return nil, nil, usagef("%v", err)
	}
	prompts := make([]*packet.Prompt, len(order))
	for i, id := range order {
		prompts[i], _ = loaded.Prompt(id)
	}
	return loaded, prompts, nil
}

func newPlanDocument(loaded *packet.Packet, prompts []*packet.Prompt, commit run.CommitMode) planDocument {
	document := planDocument{
		Schema: planSchema, Packet: loaded.Name, Root: loaded.Root, Profile: loaded.Profile,
		Prompts: len(loaded.Prompts), Commit: commit,
		Selected: []string{}, Providers: []string{}, Models: []string{}, PermissionModes: []string{}, Steps: []planStep{},
		Warnings: append([]packet.Finding{}, loaded.Warnings...),
	}
	add := func(list *[]string, value string) {
		if value != "" && !slices.Contains(*list, value) {
			*list = append(*list, value)
		}
	}
	for _, prompt := range prompts {
		bound := recovery.BoundOf(prompt.Recovery)
		subject, _, _ := strings.Cut(prompt.Commit, "\n")
		document.Selected = append(document.Selected, prompt.ID)
		add(&document.Providers, prompt.Settings.Provider)
		add(&document.Models, prompt.Settings.Model)
		add(&document.PermissionModes, prompt.Settings.PermissionMode)
		document.MaxSessions += bound.Sessions()
		document.Steps = append(document.Steps, planStep{
			ID: prompt.ID, Name: prompt.Name,
			Provider: prompt.Settings.Provider, Model: prompt.Settings.Model, PermissionMode: prompt.Settings.PermissionMode,
			Targets: prompt.Targets, DependsOn: prompt.DependsOn, Items: prompt.Contract.Items(), Commit: subject,
			MaxSessions: bound.Sessions(), Retries: bound.Retries, Repairs: bound.Repairs, Resumes: bound.Resumes,
		})
	}
	return document
}

func (a *app) printPlan(document planDocument) {
	orNone := func(words []string) string {
		if len(words) == 0 {
			return "the provider's own"
		}
		return render.OneLine(strings.Join(words, ", "))
	}
	a.say("Packet: %s at %s", render.OneLine(document.Packet), document.Root)
	a.say("Prompts: %d", document.Prompts)
	a.say("Selected: %d (%s)", len(document.Selected), strings.Join(document.Selected, ", "))
	a.say("Provider: %s", orNone(document.Providers))
	a.say("Model: %s", orNone(document.Models))
	a.say("Commits: %s", commitText(document.Commit))
	a.say("What agents may do unasked: permission mode %s", strings.Join(document.PermissionModes, ", "))
	a.say("At most %s before a person is asked: per prompt one attempt, its retries and its repairs, each with its resumes", render.Count(document.MaxSessions, "session"))
	a.say("")
	rows := [][]string{{"PROMPT", "NAME", "AFTER", "TARGETS", "WHO", "CONTRACT", "SESSIONS AT MOST"}}
	for _, step := range document.Steps {
		who := step.Provider
		if step.Model != "" {
			who += " (" + step.Model + ")"
		}
		contract := render.Count(step.Items, "item")
		if step.Items == 0 {
			contract = "none"
		}
		rows = append(rows, []string{
			step.ID, render.Cut(render.OneLine(step.Name), 50), strings.Join(step.DependsOn, " "), strings.Join(step.Targets, " "),
			render.OneLine(who) + ", " + step.PermissionMode, contract,
			fmt.Sprintf("%d = (1 + %d + %d) x (1 + %d)", step.MaxSessions, step.Retries, step.Repairs, step.Resumes),
		})
	}
	for _, line := range render.Grid(rows) {
		a.say("%s", line)
	}
	style := a.style()
	for _, warning := range document.Warnings {
		a.printFinding(style, document.Root, warning)
	}
}

func commitText(mode run.CommitMode) string {
	switch mode {
	case run.CommitNone:
		return "none (--no-commit)"
	case run.CommitNoop:
		return "only recorded (--committer noop)"
	}
	return "git"
}
