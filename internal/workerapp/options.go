package workerapp

import (
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

// DefaultSessions is how many provider sessions run at once on a host.
const DefaultSessions = 4

const (
	// stopTimeout is how long Stop lets activities hand over or finish.
	stopTimeout = 5 * time.Second
	// stickyWorkflows bounds the workflows kept in memory, two per open run;
	// beyond it the oldest are replayed when they wake up.
	stickyWorkflows = 2048
	// concurrentTasks bounds workflow tasks, and activities other than
	// sessions, that run at once per queue.
	concurrentTasks = 100
	// pollers is the number of long polls per queue and kind of task. The tasks
	// are short, so a few polls keep up.
	pollers = 4
)

// Options are what a worker needs. Client, State and Host are required.
type Options struct {
	// Client is connected to the namespace; the caller closes it after Stop.
	Client client.Client
	// Namespace is the namespace of Client.
	Namespace string
	// Address names the server, for the run lock and for people.
	Address string
	// State is the state directory of this host; its worker lock is taken.
	State statedir.Dir
	// Host is the id of this host.
	Host string
	// Build identifies this program; empty means [Build].
	Build string
	// Sessions limits provider sessions at a time; 0 means [DefaultSessions].
	Sessions int
	// Environ is the environment of sessions, verifier commands and git.
	Environ []string
	// Logger gets the worker's own messages; nil means [slog.Default].
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Build == "" {
		o.Build = Build()
	}
	if o.Sessions == 0 {
		o.Sessions = DefaultSessions
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

// queue is one task queue with what its worker may do.
type queue struct {
	name    string
	options worker.Options
}

// queues lists the task queues of a host. Eager activities stay on: an activity
// on the queue of its workflow then saves a hop.
func queues(opts Options, fatal func(error)) []queue {
	common := worker.Options{
		Identity:                                run.WorkerIdentity(opts.Host, opts.Build),
		WorkerStopTimeout:                       stopTimeout,
		OnFatalError:                            fatal,
		DisableRegistrationAliasing:             true,
		MaxConcurrentWorkflowTaskExecutionSize:  concurrentTasks,
		MaxConcurrentLocalActivityExecutionSize: concurrentTasks,
		MaxConcurrentActivityExecutionSize:      concurrentTasks,
		MaxConcurrentWorkflowTaskPollers:        pollers,
		MaxConcurrentActivityTaskPollers:        pollers,
	}
	sessions := common
	sessions.DisableWorkflowWorker = true
	sessions.MaxConcurrentActivityExecutionSize = opts.Sessions
	sessions.MaxConcurrentActivityTaskPollers = min(pollers, opts.Sessions)
	return []queue{
		{run.SharedQueue, common},
		{run.HostQueue(opts.Host), common},
		{run.SessionQueue(opts.Host), sessions},
	}
}
