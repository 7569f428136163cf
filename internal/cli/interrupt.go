package cli

import (
	"context"
	"errors"
)

// errInterrupted is why the context of an interrupted command ended.
var errInterrupted = errors.New("interrupted")

// interruptible ends ctx at the first interrupt, so that a command can put back
// what it has moved.
func (a *app) interruptible(ctx context.Context) (context.Context, func()) {
	if a.env.Interrupts == nil {
		return ctx, func() {}
	}
	signals, stop := a.env.Interrupts()
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
