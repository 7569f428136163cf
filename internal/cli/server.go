package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/localruntime"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

func (a *app) serverCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "server",
		Short: "Control the local runtime",
		Long: `Control the local runtime: the background process that holds an embedded
Temporal server, Temporal Web and a worker. Commands that need it start it.`,
		Example: `  prompt-runner server status
  prompt-runner server stop`,
	}, a.serverStartCommand(), a.serverStopCommand(), a.serverStatusCommand(), a.serverLogsCommand(), a.serverServeCommand())
}

// serverSub is a subcommand without arguments that works on the state directory.
func (a *app) serverSub(name, short, long string, work func(context.Context, statedir.Dir) error) *cobra.Command {
	return &cobra.Command{
		Use:     name,
		Short:   short,
		Long:    short + ".\n\n" + long,
		Example: "  prompt-runner server " + name,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			state, _, err := a.openState()
			if err != nil {
				return err
			}
			return work(cmd.Context(), state)
		},
	}
}

func (a *app) serverStartCommand() *cobra.Command {
	return a.serverSub("start", "Start the local runtime", "Open runs go on.", func(ctx context.Context, state statedir.Dir) error {
		connection, info, err := localruntime.Ensure(ctx, state, a.runtimeOptions())
		if err != nil {
			return &runtimeError{err}
		}
		connection.Close()
		a.describeRuntime(info)
		return nil
	})
}

func (a *app) serverStopCommand() *cobra.Command {
	return a.serverSub("stop", "Stop the local runtime", "Open runs go on when it is started again.", func(ctx context.Context, state statedir.Dir) error {
		err := localruntime.Stop(ctx, state)
		if errors.Is(err, localruntime.ErrNotRunning) {
			a.say("the local runtime is not running")
			return nil
		}
		if err != nil {
			return err
		}
		a.say("the local runtime has stopped")
		return nil
	})
}

func (a *app) serverStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := a.serverSub("status", "Show whether the local runtime runs", "It is not started.", func(_ context.Context, state statedir.Dir) error {
		info, running, err := localruntime.Find(state)
		if err != nil {
			return err
		}
		switch {
		case asJSON:
			document := serverDocument{Running: running}
			if running {
				document.Runtime = &info
			}
			return a.printJSON(document)
		case running:
			a.describeRuntime(info)
		default:
			a.say("the local runtime is not running")
			a.say("to start it: prompt-runner server start")
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// serverDocument is what server status --json prints.
type serverDocument struct {
	Running bool               `json:"running"`
	Runtime *localruntime.Info `json:"runtime,omitempty"`
}

func (a *app) describeRuntime(info localruntime.Info) {
	a.say("the local runtime is running (process %d, build %s, for %s)", info.PID, info.Build, render.Duration(a.env.Now().Sub(info.StartedAt).Round(time.Second)))
	a.say("Temporal: %s, namespace %s, server %s", info.Address, info.Namespace, info.ServerVersion)
	a.say("Web: %s", info.UI)
}

func (a *app) serverLogsCommand() *cobra.Command {
	return a.serverSub("logs", "Print the log of the local runtime", "Its path goes to stderr.", func(_ context.Context, state statedir.Dir) error {
		path := localruntime.LogFile(state)
		file, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return usagef("the local runtime has no log yet: %s does not exist", path)
		}
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		_, _ = fmt.Fprintln(a.env.Stderr, path)
		_, err = io.Copy(a.env.Stdout, file)
		return err
	})
}

// serverServeCommand is the background process itself.
func (a *app) serverServeCommand() *cobra.Command {
	cmd := a.serverSub("serve", "Be the local runtime", "It runs in the foreground until it is interrupted.", func(ctx context.Context, state statedir.Dir) error {
		ctx, release := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
		defer release()
		err := localruntime.Serve(ctx, localruntime.Options{State: state, Environ: a.env.Environ, Ready: a.describeRuntime})
		if err != nil {
			return &runtimeError{err}
		}
		return nil
	})
	cmd.Hidden = true
	return cmd
}
