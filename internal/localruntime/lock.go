package localruntime

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockPatience is how long a runtime tries for its lock: a command that
	// probes the lock holds it for microseconds.
	lockPatience = 500 * time.Millisecond
	lockPoll     = 10 * time.Millisecond
)

// held reports whether a process holds the lock file. The probe takes it shared,
// so that probes do not see each other.
func held(path string) (bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if err != nil {
		return false, fmt.Errorf("local runtime: probe lock %s: %w", path, err)
	}
	if free {
		_ = lock.Unlock()
	}
	return !free, nil
}

// acquire takes the lock file exclusively, trying until ctx ends; false means
// that another process kept it.
func acquire(ctx context.Context, path string) (*flock.Flock, bool, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	locked, err := lock.TryLockContext(ctx, lockPoll)
	switch {
	case locked:
		return lock, true, nil
	case err == nil, errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, false, nil
	default:
		return nil, false, fmt.Errorf("local runtime: lock %s: %w; make the state directory writable or set XDG_STATE_HOME", path, err)
	}
}

// poll calls check with growing pauses of at most 100 ms until it is true, fails
// or ctx ends; then it returns the cause of ctx.
func poll(ctx context.Context, check func() (bool, error)) error {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		if ok, err := check(); ok || err != nil {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}
