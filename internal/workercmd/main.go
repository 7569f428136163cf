package workercmd

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/internal/workerapp"
)

// Exit codes of the worker, a subset of the CLI's.
const (
	exitStopped        = 0
	exitUsage          = 2
	exitInfrastructure = 4
	exitUnreachable    = 6
)

// Main runs a worker until ctx ends and returns the exit code: 0 when it was
// told to stop, 2 for wrong usage or configuration, 6 when Temporal cannot be
// reached, 4 for any other failure. Messages and logs go to stderr.
func Main(ctx context.Context, args, environ []string, stderr io.Writer) int {
	target, sessions, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitStopped
	}
	if err != nil {
		return exitUsage // the flag set has reported it
	}
	if err := serve(ctx, target, sessions, environ, stderr); err != nil {
		_, _ = fmt.Fprintf(stderr, "worker: %v\n", strings.TrimPrefix(err.Error(), "worker: "))
		return exitCode(err)
	}
	return exitStopped
}

func parse(args []string, stderr io.Writer) (target temporalconn.Target, sessions int, err error) {
	flags := flag.NewFlagSet("worker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&target.Address, "address", "", "host:port of Temporal (TEMPORAL_ADDRESS; default localhost:7233)")
	flags.StringVar(&target.Namespace, "namespace", "", "Temporal namespace (TEMPORAL_NAMESPACE; default \"default\")")
	flags.StringVar(&target.Profile, "profile", "", "profile of temporal.toml (TEMPORAL_PROFILE)")
	flags.IntVar(&sessions, "sessions", workerapp.DefaultSessions, "provider sessions at a time")
	if err := flags.Parse(args); err != nil {
		return target, 0, err
	}
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case sessions < 1:
		err = fmt.Errorf("--sessions is %d; it must be at least 1", sessions)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "worker: %v\n", err)
		flags.Usage()
	}
	return target, sessions, err
}

// configError marks what the caller has to put right before a worker can run.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

func serve(ctx context.Context, target temporalconn.Target, sessions int, environ []string, stderr io.Writer) error {
	getenv := temporalconn.Environment(environ).Getenv
	state, err := statedir.Open(getenv)
	if err != nil {
		return configError{err}
	}
	host, err := state.Host(getenv)
	if err != nil {
		return configError{err}
	}
	options, _, err := temporalconn.FromEnvironment(environ, target)
	if err != nil {
		return configError{err}
	}
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	options.Logger = temporalconn.Logger(logger)
	client, err := temporalconn.Dial(ctx, options)
	if err != nil {
		if ctx.Err() != nil {
			return nil // stopped before it began
		}
		return err
	}
	defer client.Close()
	app, err := workerapp.Start(workerapp.Options{
		Client:    client,
		Namespace: options.Namespace,
		Address:   options.HostPort,
		State:     state,
		Host:      host,
		Sessions:  sessions,
		Environ:   environ,
		Logger:    logger,
	})
	if err != nil {
		return err
	}
	defer app.Stop()
	select {
	case <-ctx.Done():
		logger.Info("worker stopping: running sessions are handed over", "host", host)
		return nil
	case <-app.Done():
		return app.Err()
	}
}

func exitCode(err error) int {
	var unreachable *temporalconn.UnreachableError
	var config configError
	switch {
	case errors.As(err, &unreachable):
		return exitUnreachable
	case errors.As(err, &config):
		return exitUsage
	default:
		return exitInfrastructure
	}
}
