package localruntime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

// stopTimeout bounds how long [Stop] waits.
const stopTimeout = 15 * time.Second

// Stop asks the running local runtime to end and waits until it has, at most 15
// seconds. The error is [ErrNotRunning] when there is none. Sessions live on.
func Stop(ctx context.Context, state statedir.Dir) error {
	f := filesOf(state)
	info, running, err := Find(state)
	if err != nil {
		return err
	}
	if running {
		if err := terminate(info); err != nil {
			return fmt.Errorf("local runtime: stop process %d: %w", info.PID, err)
		}
	} else if alive, err := held(f.lock()); err != nil {
		return err
	} else if !alive {
		return ErrNotRunning
	}
	bounded, cancel := context.WithTimeoutCause(ctx, stopTimeout, fmt.Errorf("still running after %s", stopTimeout))
	defer cancel()
	err = poll(bounded, func() (bool, error) {
		alive, err := held(f.lock())
		return !alive, err
	})
	if err != nil {
		return fmt.Errorf("local runtime: stop: %w; see %s, and end the process that holds %s", err, f.log(), f.lock())
	}
	return nil
}

// terminate sends SIGTERM to the process of the record, and to no other that
// has got its pid since.
func terminate(info Info) error {
	// The handle comes first: from here on the pid cannot change its meaning.
	process, err := os.FindProcess(info.PID)
	if err != nil {
		return err
	}
	defer func() { _ = process.Release() }()
	if !info.alive() {
		return errors.New("it has ended, or its pid belongs to another process now")
	}
	return process.Signal(syscall.SIGTERM)
}
