package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/examples"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/run"
)

const (
	// demoSetupTimeout bounds setup.sh, which makes one small repository.
	demoSetupTimeout = time.Minute
	// demoCommits bounds the commits that are listed.
	demoCommits = 50
	// demoRepository is where the example's prompts work.
	demoRepository = "workspace"
)

type demoOptions struct{ keep bool }

func (a *app) demoCommand() *cobra.Command {
	var opts demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run a packet of scripted failures and recoveries",
		Long: `Run a packet of scripted failures and recoveries in a temporary directory.

Nine prompts run with a simulated agent, which needs no account and no network:
each fails in its own way and recovers in its own way. The local runtime is
used, so that the histories can be looked at afterwards.`,
		Example: `  prompt-runner demo
  prompt-runner demo --keep`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context(), opts) },
	}
	cmd.Flags().BoolVar(&opts.keep, "keep", false, "keep the directory")
	return cmd
}

func (a *app) runDemo(ctx context.Context, opts demoOptions) error {
	base, err := os.MkdirTemp(a.env.Getenv("TMPDIR"), "prompt-runner-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w; set TMPDIR to a writable directory", err)
	}
	done, err := a.demonstrate(ctx, filepath.Join(base, examples.SimulatedRecovery))
	if done && !opts.keep {
		if removeErr := os.RemoveAll(base); removeErr != nil {
			return errors.Join(err, fmt.Errorf("demo: %w", removeErr))
		}
		a.say("The files have been removed; with --keep they stay, for `prompt-runner status` and `prompt-runner logs`.")
		return err
	}
	dir := shellWord(filepath.Join(base, examples.SimulatedRecovery))
	if !errors.Is(err, errDetached) {
		a.say("Files: %s", dir)
		a.say("to see the attempts: prompt-runner status %s", dir)
		a.say("to read a transcript: prompt-runner logs %s 07", dir)
	}
	return err
}

// demonstrate runs the example in dir. done is false when there is something
// left to look at or to go on with.
func (a *app) demonstrate(ctx context.Context, dir string) (done bool, err error) {
	if err := a.setUpDemo(ctx, dir); err != nil {
		return false, err
	}
	resolved := target{Dir: dir}
	if err := a.canonical(&resolved); err != nil {
		return false, err
	}
	options := runOptions{target: resolved, commit: run.CommitGit}
	loaded, err := a.load(resolved.Dir, a.loadOptions())
	if err != nil {
		return false, err
	}
	state, host, err := a.openState()
	if err != nil {
		return false, err
	}
	conn, err := a.connectLocal(ctx, state, startRuntime)
	if err != nil {
		return false, err
	}
	defer conn.close()
	w, err := a.begin(ctx, conn, state, host, loaded, options)
	if err != nil {
		return false, err
	}
	a.announce(w, loaded)
	if err := a.finish(ctx, w, a.watch(ctx, w), false); err != nil {
		return false, err
	}
	commits, err := gitcmd.Repo{Dir: filepath.Join(resolved.Dir, demoRepository), Env: a.env.Environ}.Log(ctx, demoCommits)
	if err != nil {
		return false, err
	}
	a.say("")
	a.say("Commits:")
	for _, commit := range commits {
		a.say("  %s", commit)
	}
	a.say("")
	a.say("History of the run: %s", conn.web(w.handle.WorkflowID(), w.handle.RunID()))
	return true, nil
}

// setUpDemo writes the example and makes its repository, as its README says.
func (a *app) setUpDemo(ctx context.Context, dir string) error {
	if err := examples.Copy(examples.SimulatedRecovery, dir); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	result, err := proc.Run(ctx, proc.Command{Path: "sh", Args: []string{"setup.sh"}, Dir: dir, Env: a.env.Environ, Timeout: demoSetupTimeout})
	switch {
	case err != nil:
		return fmt.Errorf("demo: sh setup.sh in %s: %w", dir, err)
	case result.TimedOut:
		return fmt.Errorf("demo: sh setup.sh in %s: not done within %s", dir, demoSetupTimeout)
	case result.ExitCode != 0:
		return fmt.Errorf("demo: sh setup.sh in %s: exit code %d: %s", dir, result.ExitCode, result.Combined)
	}
	return nil
}
