package cli

import (
	"context"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"

	"github.com/prompt-runner/prompt-runner/run"
)

// Bounds of looking for a worker: an idle one that lives was last seen at most a
// minute ago.
const (
	workerSeen    = 70 * time.Second
	workerTimeout = 2 * time.Second
)

// requireWorker refuses to start a run that nobody would pick up. The local
// runtime brings its worker along.
func (a *app) requireWorker(ctx context.Context, conn *connection) error {
	if conn.local {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, workerTimeout)
	defer cancel()
	described, err := conn.client.DescribeTaskQueue(bounded, run.SharedQueue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return fmt.Errorf("look for workers on Temporal at %s: describe task queue %s: %w", conn, run.SharedQueue, err)
	}
	for _, poller := range described.GetPollers() {
		if a.env.Now().Sub(poller.GetLastAccessTime().AsTime()) < workerSeen {
			return nil
		}
	}
	return fmt.Errorf("no worker has polled task queue %q on Temporal at %s within %s: nothing was started; start a worker there, or unset TEMPORAL_ADDRESS to use the local runtime", run.SharedQueue, conn, workerSeen)
}
