package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/suggest"
)

// group makes cmd a command that only groups others.
func group(cmd *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	cmd.Args = unknownSubcommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(subs...)
	return cmd
}

// unknownSubcommand refuses arguments to a command that only groups others.
func unknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			known = append(known, sub.Name())
		}
	}
	message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if nearest := suggest.Closest(args[0], known); nearest != "" {
		message += fmt.Sprintf(" (did you mean %q?)", nearest)
	}
	return errors.New(message)
}
