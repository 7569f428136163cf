package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
)

func (a *app) migrateCommand() *cobra.Command {
	var (
		dir           string
		check, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "migrate [PACKET] --check",
		Short: "List what a packet of the Elixir tool does differently here",
		Long: `List everything that a packet written for the Elixir tool prompt_runner_sdk does
differently here, and older forms, each with its place and what to do.

Nothing is changed: --check is all that the command does so far. Exit code 1 when
there is something to look at.`,
		Example: `  prompt-runner migrate path/to/packet --check`,
	}
	cmd.Flags().BoolVar(&check, "check", false, "list, and change nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return a.onPacket(cmd, &dir, &asJSON, func(context.Context) error {
		if !check {
			return usagef("migrate only lists so far; give --check")
		}
		return a.runMigrate(dir, asJSON)
	})
}

func (a *app) runMigrate(dir string, asJSON bool) error {
	report, err := packet.Migrate(dir, a.loadOptions())
	if err != nil {
		return cannotRun(err)
	}
	if asJSON {
		err = a.printJSON(report)
	} else {
		a.say("Packet %s at %s", render.OneLine(report.Packet), report.Root)
		style := a.style()
		for _, finding := range report.Findings {
			a.printFinding(style, report.Root, finding)
		}
		if report.Pass {
			a.say("it does the same here")
		} else {
			a.say("%s", render.Count(len(report.Findings), "difference"))
		}
	}
	if err == nil && !report.Pass {
		return outcomeError(exitFailed)
	}
	return err
}
