package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

func (a *app) openState() (state statedir.Dir, host string, err error) {
	state, err = statedir.Open(a.env.Getenv)
	if err != nil {
		return statedir.Dir{}, "", err
	}
	host, err = state.Host(a.env.Getenv)
	return state, host, err
}

// runtimeWasUsed reports whether this state directory ever had a local runtime,
// which may hold an open run although it does not live now.
func runtimeWasUsed(state statedir.Dir) (bool, error) {
	_, err := os.Stat(state.Runtime())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// openRun finds the open run of the packet at dir: the run lock names it, and
// before the lock is taken the workflow id that run would give it does. The
// handle is nil when there is none.
func (a *app) openRun(ctx context.Context, conn *connection, state statedir.Dir, host, dir string) (*promptrunner.Handle, error) {
	runs := promptrunner.New(conn.client)
	lock, locked, err := runstore.New(state).Lock(dir)
	if _, damaged := errors.AsType[*atomicfile.DamagedError](err); damaged {
		// The packet's own workflow id finds its run without the lock.
		locked, err = false, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run lock: %w", err)
	}
	if locked {
		handle, err := runs.Open(ctx, lock.Execution.WorkflowID)
		if err != nil {
			return nil, err
		}
		if handle != nil && handle.RunID() == lock.Execution.RunID {
			return handle, nil
		}
		if !conn.local || lock.Namespace != conn.namespace {
			return nil, usagef("%s is locked by workflow %s on Temporal at %s, namespace %s, which %s does not know as open; choose that server with --address and --namespace",
				dir, lock.Execution.WorkflowID, lock.Address, lock.Namespace, conn)
		}
	}
	loaded, err := a.load(dir, a.loadOptions())
	if err != nil {
		return nil, err
	}
	return runs.Open(ctx, run.PacketRunID(loaded.Name, host, dir))
}

// requireOpenRun connects, starting the local runtime when it could hold the
// run, and finds the open run. Having none is an error that says so.
func (a *app) requireOpenRun(ctx context.Context, t openTarget) (*connection, *promptrunner.Handle, error) {
	state, host, err := a.openState()
	if err != nil {
		return nil, nil, err
	}
	used, err := runtimeWasUsed(state)
	if err != nil {
		return nil, nil, err
	}
	mode := findRuntime
	if used {
		mode = startRuntime
	}
	conn, err := a.connect(ctx, state, t.temporal, mode)
	if errors.Is(err, errNoRuntime) {
		return nil, nil, noOpenRun(t.dir)
	}
	if err != nil {
		return nil, nil, err
	}
	handle, err := a.openRun(ctx, conn, state, host, t.dir)
	if err == nil && handle == nil {
		err = noOpenRun(t.dir)
	}
	if err != nil {
		conn.close()
		return nil, nil, err
	}
	return conn, handle, nil
}

func noOpenRun(dir string) error {
	return withNext(usagef("no run of %s is open", dir),
		step{"see how the last one ended", "prompt-runner status " + shellWord(dir)},
		step{"start or continue one", "prompt-runner run " + shellWord(dir)})
}
