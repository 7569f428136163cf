package promptrunner

import (
	"context"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// Bounds of following a leg.
const (
	defaultFollowInterval = 250 * time.Millisecond
	snapshotTimeout       = 3 * time.Second
	// failingEvery is at which looks a follower also asks what keeps failing.
	failingEvery = 8
)

// FollowOptions say what a follower is told. Callbacks are called one at a time
// and should return soon.
type FollowOptions struct {
	// Interval is the pause between two snapshots; 0 means 250 ms.
	Interval time.Duration
	// Snapshot gets every snapshot, whether something changed or not.
	Snapshot func(run.Snapshot)
	// Unanswered is told why a snapshot could not be had, such as no worker
	// being there to answer. Following goes on.
	Unanswered func(error)
}

// Follow reports snapshots until the leg has ended, then one last snapshot when
// it can be had, and returns what Result returns. Ending ctx ends the following,
// not the run.
func (h *Handle) Follow(ctx context.Context, options FollowOptions) (run.Result, error) {
	interval := options.Interval
	if interval <= 0 {
		interval = defaultFollowInterval
	}
	var (
		result  run.Result
		failure error
		ended   = make(chan struct{})
	)
	go func() {
		defer close(ended)
		result, failure = h.Result(ctx)
	}()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for look := 1; ; look++ {
		h.observe(ctx, ended, options, look%failingEvery == 0)
		select {
		case <-ended:
			if ctx.Err() == nil {
				h.observe(ctx, nil, options, false)
			}
			return result, failure
		case <-ticker.C:
		}
	}
}

// observe takes one snapshot; a closed channel stopped ends the attempt early,
// so that a query nobody answers does not delay the result.
func (h *Handle) observe(ctx context.Context, stopped <-chan struct{}, options FollowOptions, failing bool) {
	ctx, cancel := context.WithTimeout(ctx, snapshotTimeout)
	defer cancel()
	if stopped != nil {
		go func() {
			select {
			case <-stopped:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	snapshot, err := h.snapshot(ctx, failing)
	switch {
	case err == nil:
		if options.Snapshot != nil {
			options.Snapshot(snapshot)
		}
	case ctx.Err() == context.Canceled:
	default:
		if options.Unanswered != nil {
			options.Unanswered(err)
		}
	}
}
