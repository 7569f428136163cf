package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/localruntime"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/run"
)

// runtimeMode says what may be done about the local runtime.
type runtimeMode int

const (
	// findRuntime uses a running one only.
	findRuntime runtimeMode = iota
	// startRuntime starts one in the background when none runs.
	startRuntime
	// hostRuntime hosts it in this process when none runs.
	hostRuntime
)

// connection is a Temporal to work with.
type connection struct {
	client client.Client
	// local says that it is the local runtime; hosted that this process is it.
	local, hosted bool
	// address and namespace are for people.
	address, namespace string
	// ui is the URL of Temporal Web; empty when unknown.
	ui    string
	close func()
}

// errNoRuntime says that no Temporal was chosen and no local runtime runs.
var errNoRuntime = errors.New("the local runtime is not running")

// connect is the only way to Temporal: flags, TEMPORAL_* variables and the
// temporal.toml profile choose one, otherwise the local runtime is meant. With
// findRuntime the error is errNoRuntime when that does not run.
func (a *app) connect(ctx context.Context, state statedir.Dir, target temporalconn.Target, mode runtimeMode) (*connection, error) {
	options, explicit, err := temporalconn.FromEnvironment(a.env.Environ, target)
	if err != nil {
		return nil, usagef("%v", err)
	}
	if !explicit {
		return a.connectLocal(ctx, state, mode)
	}
	dialed, err := temporalconn.Dial(ctx, options)
	if err != nil {
		return nil, err
	}
	return &connection{client: dialed, address: options.HostPort, namespace: options.Namespace, close: dialed.Close}, nil
}

func (a *app) connectLocal(ctx context.Context, state statedir.Dir, mode runtimeMode) (*connection, error) {
	var (
		dialed client.Client
		info   localruntime.Info
		err    error
	)
	switch mode {
	case findRuntime:
		dialed, info, err = localruntime.Connect(ctx, state)
		if errors.Is(err, localruntime.ErrNotRunning) {
			return nil, errNoRuntime
		}
	case hostRuntime:
		runtime, hostErr := a.host(ctx, state)
		if hostErr == nil {
			return localConnection(runtime.Client(), runtime.Info(), true, runtime.Stop), nil
		}
		if !errors.Is(hostErr, localruntime.ErrRunning) {
			return nil, &runtimeError{hostErr}
		}
		dialed, info, err = localruntime.Connect(ctx, state)
	default:
		dialed, info, err = localruntime.Ensure(ctx, state, a.runtimeOptions())
	}
	if err != nil {
		return nil, &runtimeError{err}
	}
	return localConnection(dialed, info, false, dialed.Close), nil
}

// host starts the local runtime in this process. A provider session may not: its
// runs would end with it.
func (a *app) host(ctx context.Context, state statedir.Dir) (*localruntime.Runtime, error) {
	if session := a.env.Getenv(run.SessionVariable); session != "" {
		return nil, fmt.Errorf("%w (%s is %q)", localruntime.ErrInSession, run.SessionVariable, session)
	}
	return localruntime.Embedded(ctx, localruntime.Options{State: state, Environ: a.env.Environ})
}

// runtimeOptions start the local runtime as "server serve" of this program.
func (a *app) runtimeOptions() localruntime.StartOptions {
	return localruntime.StartOptions{
		Executable: a.env.Executable,
		Args:       []string{"server", "serve"},
		Environ:    a.env.Environ,
		Log:        func(text string) { _, _ = fmt.Fprintln(a.env.Stderr, text) },
	}
}

func localConnection(dialed client.Client, info localruntime.Info, hosted bool, stop func()) *connection {
	return &connection{
		client: dialed, local: true, hosted: hosted,
		address: info.Address, namespace: info.Namespace, ui: info.UI,
		close: stop,
	}
}

// String says which Temporal it is.
func (c *connection) String() string {
	switch {
	case c.hosted:
		return "in this process"
	case c.local:
		return "local runtime at " + c.address
	}
	return fmt.Sprintf("%s, namespace %s", c.address, c.namespace)
}

// web is the page of a workflow in Temporal Web; empty when no Web is known.
func (c *connection) web(workflowID, runID string) string {
	if c.ui == "" {
		return ""
	}
	return fmt.Sprintf("%s/namespaces/%s/workflows/%s/%s/history", c.ui, url.PathEscape(c.namespace), url.PathEscape(workflowID), url.PathEscape(runID))
}
