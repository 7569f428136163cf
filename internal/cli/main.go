package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
)

// app is what commands share.
type app struct {
	env Environment
	// parsed is set once arguments and flags were accepted: errors before are
	// about usage.
	parsed bool
}

// Main runs one command line, without the program's name, and returns the exit
// code.
func Main(ctx context.Context, args []string, env Environment) int {
	a := &app{env: env}
	root := a.rootCommand()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !a.parsed {
		err = &usageError{message: strings.TrimSpace(err.Error()), command: cmd.CommandPath()}
	}
	if err != nil && !silent(err) {
		_, _ = fmt.Fprintf(env.Stderr, "prompt-runner: %s\n", render.Printable(err.Error()))
	}
	return exitCode(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "prompt-runner",
		Short: "Run packets of prompts with coding agents, each judged by a contract",
		Long: `Run packets of prompts with coding agents, each judged by a contract.

A packet is a directory with a manifest (prompt_runner_packet.md) and ordered
prompt files. Runs go on in the background when the terminal is closed.

Exit codes: 0 completed; 1 the run failed; 2 wrong usage, or the packet cannot
be run; 4 a check or the infrastructure is broken; 5 stopped; 6 Temporal cannot
be reached; 130 detached by an interrupt, the run goes on.`,
		Example: `  prompt-runner demo
  prompt-runner run path/to/packet
  prompt-runner status path/to/packet`,
		SilenceErrors:    true,
		SilenceUsage:     true,
		PersistentPreRun: func(*cobra.Command, []string) { a.parsed = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.SetUsageFunc(usage)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.runCommand(),
		a.demoCommand(),
		a.attachCommand(),
		a.statusCommand(),
		a.stopCommand(),
		a.logsCommand(),
		a.diffCommand(),
		a.planCommand(),
		a.listCommand(),
		a.verifyCommand(),
		a.initCommand(),
		a.packetCommand(),
		a.promptCommand(),
		a.repoCommand(),
		a.checklistCommand(),
		a.profileCommand(),
		a.templateCommand(),
		a.schemaCommand(),
		a.migrateCommand(),
		a.completionCommand(),
		a.serverCommand(),
	)
	return root
}

// say prints a line of a result.
func (a *app) say(format string, args ...any) {
	_, _ = fmt.Fprintf(a.env.Stdout, format+"\n", args...)
}
