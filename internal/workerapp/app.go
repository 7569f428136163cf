package workerapp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gofrs/flock"
	"go.temporal.io/sdk/worker"

	"github.com/prompt-runner/prompt-runner/activities"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/workflows"
)

// App is a running worker of one host.
type App struct {
	workers []worker.Worker
	lock    *flock.Flock
	stop    sync.Once
	fail    sync.Once
	done    chan struct{}
	err     error
}

// ErrWorkerRunning says that another worker of this host holds the worker lock.
var ErrWorkerRunning = errors.New("another worker of this host is running")

// limitCache sets what the SDK keeps per process, before its first worker.
var limitCache = sync.OnceFunc(func() { worker.SetStickyWorkflowCacheSize(stickyWorkflows) })

// Start takes the host's worker lock and polls the host's three task queues. The
// error is [ErrWorkerRunning] when the lock is held.
func Start(opts Options) (*App, error) {
	if opts.Client == nil || opts.Host == "" || opts.State.Root() == "" || opts.Sessions < 0 {
		return nil, fmt.Errorf("worker: client, host id and state directory are required and sessions must not be negative (host %q, state %q, sessions %d)",
			opts.Host, opts.State.Root(), opts.Sessions)
	}
	opts = opts.withDefaults()
	lock, err := lockHost(opts)
	if err != nil {
		return nil, err
	}
	limitCache()
	app := &App{lock: lock, done: make(chan struct{})}
	deps := activities.Dependencies{
		Client:    opts.Client,
		Cluster:   activities.NewCluster(opts.Client, opts.Namespace),
		Namespace: opts.Namespace,
		Address:   opts.Address,
		State:     opts.State,
		Host:      opts.Host,
		Providers: providers.NewRegistry(simulated.New()),
		Environ:   opts.Environ,
		Packets:   packet.EnvironmentOptions(temporalconn.Environment(opts.Environ).Getenv),
	}
	for _, queue := range queues(opts, app.fatal) {
		w := worker.New(opts.Client, queue.name, queue.options)
		if !queue.options.DisableWorkflowWorker {
			workflows.Register(w)
		}
		activities.Register(w, deps)
		if err := w.Start(); err != nil {
			app.Stop()
			return nil, fmt.Errorf("worker: poll task queue %s at %s, namespace %s: %w", queue.name, opts.Address, opts.Namespace, err)
		}
		app.workers = append(app.workers, w)
	}
	opts.Logger.Info("worker started", "host", opts.Host, "build", opts.Build, "sessions", opts.Sessions, "address", opts.Address, "namespace", opts.Namespace)
	return app, nil
}

// lockHost excludes a second worker of the host: two would adopt each other's
// sessions.
func lockHost(opts Options) (*flock.Flock, error) {
	path := opts.State.WorkerLock()
	lock := flock.New(path, flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("worker: lock %s: %w; make the state directory writable or set XDG_STATE_HOME", path, err)
	case !locked:
		return nil, fmt.Errorf("worker: %s is locked: %w; stop it first, or use another state directory (XDG_STATE_HOME)", path, ErrWorkerRunning)
	}
	return lock, nil
}

// fatal records the first error that ended a worker by itself.
func (a *App) fatal(err error) {
	a.fail.Do(func() {
		a.err = err
		close(a.done)
	})
}

// Done is closed when the worker failed for good, for instance because its
// namespace was deleted. Stop is still due then.
func (a *App) Done() <-chan struct{} { return a.done }

// Err says why Done is closed; nil before.
func (a *App) Err() error {
	select {
	case <-a.done:
		return fmt.Errorf("worker: stopped polling: %w", a.err)
	default:
		return nil
	}
}

// Stop stops polling, lets running activities hand over for at most five
// seconds, and releases the worker lock. Close the client afterwards: what the
// activities return would be lost without it.
func (a *App) Stop() {
	a.stop.Do(func() {
		var stopping sync.WaitGroup
		for _, w := range a.workers {
			stopping.Go(w.Stop)
		}
		stopping.Wait()
		_ = a.lock.Unlock()
	})
}
