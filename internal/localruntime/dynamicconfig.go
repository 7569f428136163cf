package localruntime

import (
	"time"

	"go.temporal.io/server/common/dynamicconfig"
)

// dynamicConfig tunes a server that is made for clusters to one user on one
// machine: a hop of a workflow takes a few milliseconds instead of fifty.
func dynamicConfig() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		// The queues of the single shard are polled at most this often a second;
		// the default of 20 is what makes a hop cost 50 ms.
		dynamicconfig.TransferProcessorMaxPollRPS.Key():   2000,
		dynamicconfig.TimerProcessorMaxPollRPS.Key():      2000,
		dynamicconfig.VisibilityProcessorMaxPollRPS.Key(): 2000,
		dynamicconfig.OutboundProcessorMaxPollRPS.Key():   2000,
		// One partition: a task is never forwarded between partitions.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
		// Timers fire when they are due, not at the next full second.
		dynamicconfig.TimerProcessorMaxTimeShift.Key(): 10 * time.Millisecond,
		// Bounds a lost wake-up of a client that waits for a run to end.
		dynamicconfig.HistoryLongPollExpirationInterval.Key(): 5 * time.Second,
		// A cancel reaches a running activity at once, not at its next heartbeat.
		dynamicconfig.EnableCancelActivityWorkerCommand.Key(): true,
		dynamicconfig.WorkerCommandsEnabled.Key():             true,
	}
}
