package localruntime

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// Serve runs a local runtime in this process until ctx ends, which is a clean
// stop and no error. Install signal handlers before calling it. When [Ensure]
// started the process, Serve also tells it when clients can connect, or why not.
func Serve(ctx context.Context, opts Options) error {
	starter, err := starterOf(temporalconn.Environment(opts.Environ).Getenv)
	if err != nil {
		return err
	}
	opts.Environ = slices.DeleteFunc(slices.Clone(opts.Environ), func(entry string) bool {
		return strings.HasPrefix(entry, readyVariable+"=")
	})
	rt, err := start(ctx, opts, starter.failed)
	if err != nil {
		starter.failed(err.Error())
		return err
	}
	defer rt.Stop()
	starter.ready()
	if opts.Ready != nil {
		opts.Ready(rt.Info())
	}
	ticker := time.NewTicker(recordCheck)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-rt.Done():
			return fmt.Errorf("local runtime: %w", rt.Err())
		case <-ticker.C:
			if err := rt.keepRecord(filesOf(opts.State).record()); err != nil {
				return err
			}
		}
	}
}

// recordCheck is how soon a record comes back that somebody removed. Without it
// no command would find the runtime, and its lock would keep another from
// starting.
const recordCheck = time.Second

func (r *Runtime) keepRecord(path string) error {
	_, err := os.Lstat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return r.Info().write(path)
}
