package localruntime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/run"
)

// startTimeout bounds how long [Ensure] waits for a runtime to start.
const startTimeout = 60 * time.Second

// ErrInSession says that a provider session may not start a runtime: it would
// live in the session's process group and end with it.
var ErrInSession = errors.New("a provider session starts no local runtime")

// StartOptions say how a runtime process is started. Executable is required.
type StartOptions struct {
	// Executable is this program; with Args it calls [Serve].
	Executable string
	Args       []string
	// Environ is the environment of the process.
	Environ []string
	// Log tells a person what takes so long; nil is allowed.
	Log func(string)
}

// Ensure connects to the local runtime and starts one in the background when
// none runs. Calls that race start one and all connect to it. It waits at most a
// minute.
func Ensure(ctx context.Context, state statedir.Dir, opts StartOptions) (client.Client, Info, error) {
	connection, info, err := Connect(ctx, state)
	if !errors.Is(err, ErrNotRunning) {
		return connection, info, err
	}
	if session := temporalconn.Environment(opts.Environ).Getenv(run.SessionVariable); session != "" {
		return nil, Info{}, fmt.Errorf("local runtime: %w (%s is %q); start one outside the session", ErrInSession, run.SessionVariable, session)
	}
	f := filesOf(state)
	if err := f.create(); err != nil {
		return nil, Info{}, err
	}
	bounded, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("not ready within %s", startTimeout))
	defer cancel()
	lock, locked, err := acquire(bounded, f.startLock())
	if err != nil {
		return nil, Info{}, err
	}
	if !locked {
		return nil, Info{}, fmt.Errorf("local runtime: another command is starting it: %w; see %s", context.Cause(bounded), f.log())
	}
	defer func() { _ = lock.Unlock() }()

	running, err := settled(bounded, state)
	if err != nil {
		return nil, Info{}, err
	}
	if !running {
		if opts.Log != nil {
			opts.Log("starting the local runtime (log: " + f.log() + ")")
		}
		if err := spawn(bounded, f, opts); err != nil {
			return nil, Info{}, fmt.Errorf("local runtime: start %s: %w; see %s", opts.Executable, err, f.log())
		}
	}
	return Connect(bounded, state)
}

// settled waits while a runtime starts in another way or stops, and reports
// whether one runs then.
func settled(ctx context.Context, state statedir.Dir) (running bool, err error) {
	f := filesOf(state)
	err = poll(ctx, func() (bool, error) {
		var err error
		if _, running, err = Find(state); running || err != nil {
			return true, err
		}
		alive, err := held(f.lock())
		return !alive, err
	})
	if err != nil {
		return false, fmt.Errorf("local runtime: wait for the process that holds %s: %w; see %s", f.lock(), err, f.log())
	}
	return running, nil
}

// spawn starts a runtime process and waits until it is ready.
func spawn(ctx context.Context, f files, opts StartOptions) error {
	if err := rotate(f.log()); err != nil {
		return err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	_, err = proc.StartDetached(proc.Detached{
		Path: opts.Executable,
		Args: opts.Args,
		Env:  append(slices.Clone(opts.Environ), fmt.Sprintf("%s=%d", readyVariable, readyDescriptor)),
		// Not the caller's: the runtime would keep its file system busy.
		Dir:        f.dir,
		Log:        f.log(),
		ExtraFiles: []*os.File{writer},
	})
	_ = writer.Close()
	if err != nil {
		return err
	}
	return awaitReadiness(ctx, reader)
}
