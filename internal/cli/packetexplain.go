package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

type explainOptions struct {
	target    target
	overrides run.Overrides
	all       bool
	json      bool
}

func (a *app) packetExplainCommand() *cobra.Command {
	var (
		opts      explainOptions
		packetDir string
	)
	cmd := &cobra.Command{
		Use:   "explain [PACKET] [ID...]",
		Short: "Show every setting that counts, and the file and line it comes from",
		Long: `Show every setting that counts, and where it comes from: from weakest to strongest
the default, the environment (PROMPT_RUNNER_PROVIDER, PROMPT_RUNNER_MODEL), the
profile, the packet, the prompt, the command line.

First the settings that prompts start from, then what differs in each prompt, or in
those whose ids are given.`,
		Example: `  prompt-runner packet explain path/to/packet
  prompt-runner packet explain path/to/packet 03 --all
  prompt-runner packet explain path/to/packet --provider simulated`,
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if opts.target, err = a.resolveTarget(packetDir, args); err == nil {
				err = a.runExplain(opts)
			}
			return a.refused(opts.json, "", err)
		},
		ValidArgsFunction: a.completePacketThenIDs(&packetDir),
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory; all arguments are prompt ids then")
	a.overrideFlags(cmd, &opts.overrides)
	cmd.Flags().BoolVar(&opts.all, "all", false, "show what is the same in every prompt as well")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return cmd
}

// overrideFlags adds the settings that beat every file.
func (a *app) overrideFlags(cmd *cobra.Command, overrides *run.Overrides) {
	cmd.Flags().StringVar(&overrides.Provider, "provider", "", "provider to use instead of the configured ones")
	cmd.Flags().StringVar(&overrides.Model, "model", "", "model to use instead of the configured ones")
	_ = cmd.RegisterFlagCompletionFunc("provider", completionOf(packet.Providers()...)) // the flag exists
}

func (a *app) runExplain(opts explainOptions) error {
	if !opts.target.Exists {
		return usagef("no such directory: %s", opts.target.Dir)
	}
	options := a.loadOptions()
	options.Overrides = opts.overrides
	explanation, err := packet.Explain(opts.target.Dir, options)
	if err != nil {
		return cannotRun(err)
	}
	if explanation.Prompts, err = onlyPrompts(explanation.Prompts, opts.target.Prompts); err != nil {
		return err
	}
	if opts.json {
		return a.printJSON(explanation)
	}
	a.say("Packet %s at %s", render.OneLine(explanation.Packet.Name), explanation.Packet.Root)
	profile := explanation.Packet.Profile
	if profile == "" {
		profile = "none"
	}
	a.say("Profile: %s", profile)
	for _, repo := range explanation.Repos {
		note := ""
		if repo.Default {
			note = " (default)"
		}
		a.say("Repository %s: %s%s", repo.Name, repo.Path, note)
	}
	a.say("")
	a.say("Settings that prompts start from:")
	a.printSettings(explanation.Packet.Root, explanation.Settings)
	for _, prompt := range explanation.Prompts {
		settings := prompt.Settings
		if !opts.all {
			settings = differing(prompt.Settings, explanation.Settings)
		}
		a.say("")
		a.say("Prompt %s %s:", prompt.ID, render.OneLine(prompt.Name))
		a.printSettings(explanation.Packet.Root, settings)
	}
	return nil
}

// onlyPrompts are the prompts with these ids, all of them when there are none.
func onlyPrompts(prompts []packet.PromptExplanation, ids []string) ([]packet.PromptExplanation, error) {
	if len(ids) == 0 {
		return prompts, nil
	}
	chosen := []packet.PromptExplanation{}
	for _, id := range ids {
		i := slices.IndexFunc(prompts, func(prompt packet.PromptExplanation) bool { return prompt.ID == id })
		if i < 0 {
			var known []string
			for _, prompt := range prompts {
				known = append(known, prompt.ID)
			}
			return nil, usagef("no prompt %s; the packet has: %s", id, strings.Join(known, ", "))
		}
		chosen = append(chosen, prompts[i])
	}
	return chosen, nil
}

// differing are the settings of a prompt that are not the packet's.
func differing(prompt, base []packet.Effective) []packet.Effective {
	return slices.DeleteFunc(slices.Clone(prompt), func(setting packet.Effective) bool {
		return slices.ContainsFunc(base, func(other packet.Effective) bool {
			return other.Key == setting.Key && shown(other.Value) == shown(setting.Value) && other.Source == setting.Source
		})
	})
}

func (a *app) printSettings(root string, settings []packet.Effective) {
	var rows [][]string
	for _, setting := range settings {
		source := string(setting.Source)
		if setting.File != "" && setting.Source != packet.SourceCommandLine && setting.Source != packet.SourceEnvironment {
			source += " " + below(root, setting.File)
			if setting.Line > 0 {
				source += fmt.Sprintf(":%d", setting.Line)
			}
		}
		rows = append(rows, []string{setting.Key, shown(setting.Value), source})
	}
	for _, line := range render.Grid(rows) {
		a.say("  %s", line)
	}
}

// shown writes a value as JSON does, texts without their quotes.
func shown(value any) string {
	if text, ok := value.(string); ok {
		if text == "" {
			return "-"
		}
		return render.Cut(render.OneLine(text), 60)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if string(data) == "null" {
		return "-"
	}
	return render.OneLine(string(data))
}

// below writes a path relative to the directory that it lies in.
func below(dir, path string) string {
	if relative, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return path
}
