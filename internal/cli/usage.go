package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// flagGroup is the annotation that puts a flag under a heading of its own.
const flagGroup = "group"

// temporalFlags adds the flags that choose a Temporal, for people who run one.
func temporalFlags(flags *pflag.FlagSet, target *temporalconn.Target) {
	flags.StringVar(&target.Address, "address", "", "host:port of Temporal (TEMPORAL_ADDRESS; without one the local runtime is used)")
	flags.StringVar(&target.Namespace, "namespace", "", "Temporal namespace (TEMPORAL_NAMESPACE)")
	flags.StringVar(&target.Profile, "profile", "", "profile of temporal.toml (TEMPORAL_PROFILE)")
	for _, name := range []string{"address", "namespace", "profile"} {
		flags.Lookup(name).Annotations = map[string][]string{flagGroup: {"Temporal"}}
	}
}

// usage prints how a command is used, its flags by group.
func usage(cmd *cobra.Command) error {
	var text strings.Builder
	text.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&text, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "  %s COMMAND\n\nCommands:\n", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&text, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExample:\n%s\n", cmd.Example)
	}
	groups := map[string]*pflag.FlagSet{}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		group := ""
		if names := flag.Annotations[flagGroup]; len(names) > 0 {
			group = names[0] + " "
		}
		if groups[group] == nil {
			groups[group] = pflag.NewFlagSet(group, pflag.ContinueOnError)
		}
		groups[group].AddFlag(flag)
	})
	for _, group := range []string{"", "Display ", "Temporal "} {
		if set := groups[group]; set != nil && set.HasAvailableFlags() {
			fmt.Fprintf(&text, "\n%sFlags:\n%s", group, set.FlagUsages())
		}
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), text.String())
	return err
}
