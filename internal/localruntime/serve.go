package localruntime

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	select {
	case <-ctx.Done():
		return nil
	case <-rt.Done():
		return fmt.Errorf("local runtime: %w", rt.Err())
	}
}
