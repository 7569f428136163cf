package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/packet"
)

// displayFlags say how a run or a transcript is shown; empty means what the
// packet says.
type displayFlags struct {
	logMode, logMeta, eventsMode, toolOutput, thinking, diff string
	confirmation, runtimeStore                               string
}

// choices are the flags with their words.
func (d *displayFlags) choices() []struct {
	name, usage string
	words       []string
	value       *string
} {
	return []struct {
		name, usage string
		words       []string
		value       *string
	}{
		{"log-mode", "how a run is shown; verbose and studio also print what sessions say", packet.LogModes, &d.logMode},
		{"log-meta", "whether transcripts show details of events", packet.LogMetas, &d.logMeta},
		{"events-mode", "which steps of a run are shown", packet.EventsModes, &d.eventsMode},
		{"tool-output", "how much of a tool's output transcripts show", packet.ToolOutputs, &d.toolOutput},
		{"thinking", "whether transcripts show thinking", packet.Thinkings, &d.thinking},
		{"diff", "how the changes of completed prompts are shown at the end", packet.Diffs, &d.diff},
		{"cli-confirmation", "what happens when Codex does not confirm its settings", packet.Confirmations, &d.confirmation},
		{"runtime-store", "where the state of a run is kept", []string{"file", "memory", "noop"}, &d.runtimeStore},
	}
}

// add adds the flags to a command.
func (d *displayFlags) add(cmd *cobra.Command) {
	for _, choice := range d.choices() {
		cmd.Flags().StringVar(choice.value, choice.name, "", choice.usage+": "+strings.Join(choice.words, ", "))
		cmd.Flags().Lookup(choice.name).Annotations = map[string][]string{flagGroup: {"Display"}}
		_ = cmd.RegisterFlagCompletionFunc(choice.name, completionOf(choice.words...)) // the flag exists
	}
}

// check refuses words that mean nothing.
func (d *displayFlags) check() error {
	for _, choice := range d.choices() {
		if *choice.value != "" && !slices.Contains(choice.words, *choice.value) {
			return usagef("--%s %q: it must be one of %s", choice.name, *choice.value, strings.Join(choice.words, ", "))
		}
	}
	if d.runtimeStore != "" && d.runtimeStore != "file" {
		return usagef("--runtime-store %s: the state of a run is what lets it survive, so it is always kept in files", d.runtimeStore)
	}
	return nil
}

// transcripts reports whether a followed run also prints what its sessions say.
func (d *displayFlags) transcripts() bool { return d.logMode == "verbose" || d.logMode == "studio" }
