package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/preflight"
	"github.com/prompt-runner/prompt-runner/internal/render"
)

type preflightOptions struct {
	dir  string
	json bool
}

func (a *app) packetPreflightCommand() *cobra.Command {
	var opts preflightOptions
	cmd := &cobra.Command{
		Use:   "preflight [PACKET]",
		Short: "Check that the repositories of a packet can be worked in",
		Long: `Check that the repositories of a packet can be worked in: that they are there, are
git work trees, and that commits would land on a branch.

A run does the same for the repositories that its prompts work on, unless it is
told --skip-preflight. Exit code 2 when one is not ready.`,
		Example: `  prompt-runner packet preflight path/to/packet`,
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return a.onPacket(cmd, &opts.dir, &opts.json, func(ctx context.Context) error { return a.runPreflight(ctx, opts) })
}

func (a *app) runPreflight(ctx context.Context, opts preflightOptions) error {
	report, err := a.diagnose(ctx, opts.dir)
	if err != nil {
		return err
	}
	if opts.json {
		err = a.printJSON(report)
	} else {
		a.printRepos(report.Report)
		if report.RuntimeReady {
			a.say("ready")
		} else {
			a.say("not ready: %s", render.Count(len(report.ReadinessErrors), "problem"))
		}
	}
	if err == nil && !report.RuntimeReady {
		return outcomeError(exitUsage)
	}
	return err
}

func (a *app) printRepos(report preflight.Report) {
	for _, repo := range report.Repos {
		state := "ready"
		switch {
		case repo.Info.Branch != "":
			state += ", on branch " + render.OneLine(repo.Info.Branch)
		case repo.Git:
			state += ", HEAD is detached"
		}
		if !repo.Ready {
			state = "NOT READY"
		}
		note := ""
		if repo.Default {
			note = " (default)"
		}
		a.say("Repository %s%s: %s: %s", repo.Name, note, repo.Path, state)
		for _, problem := range repo.Errors {
			a.say("  %s: %s", problem.Kind, strings.ReplaceAll(render.Printable(problem.Message), "\n", "\n  "))
		}
	}
}
