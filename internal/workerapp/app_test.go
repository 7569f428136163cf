package workerapp_test

import (
	"net"
	"os"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/workerapp"
	"github.com/prompt-runner/prompt-runner/run"
)

// options are those of a worker whose server does not answer.
func options(t *testing.T) workerapp.Options {
	t.Helper()
	closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := closed.Addr().String()
	require.NoError(t, closed.Close())
	connection, err := client.NewLazyClient(client.Options{HostPort: address})
	require.NoError(t, err)
	t.Cleanup(connection.Close)
	state, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	return workerapp.Options{Client: connection, Namespace: "default", Address: address, State: state, Host: "h1", Environ: os.Environ()}
}

func TestASecondWorkerOfTheHostIsRefused(t *testing.T) {
	opts := options(t)
	first := flock.New(opts.State.WorkerLock())
	locked, err := first.TryLock()
	require.NoError(t, err)
	require.True(t, locked)
	t.Cleanup(func() { _ = first.Unlock() })

	_, err = workerapp.Start(opts)

	require.ErrorIs(t, err, workerapp.ErrWorkerRunning)
	require.ErrorContains(t, err, opts.State.WorkerLock())
}

func TestAFailedStartReleasesTheLock(t *testing.T) {
	opts := options(t)
	_, err := workerapp.Start(opts)
	require.ErrorContains(t, err, run.SharedQueue)
	require.ErrorContains(t, err, opts.Address)

	locked, err := flock.New(opts.State.WorkerLock()).TryLock()
	require.NoError(t, err)
	require.True(t, locked)
}

func TestStartNeedsItsOptions(t *testing.T) {
	for name, spoil := range map[string]func(*workerapp.Options){
		"client":   func(o *workerapp.Options) { o.Client = nil },
		"host":     func(o *workerapp.Options) { o.Host = "" },
		"state":    func(o *workerapp.Options) { o.State = statedir.Dir{} },
		"sessions": func(o *workerapp.Options) { o.Sessions = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			opts := options(t)
			spoil(&opts)
			_, err := workerapp.Start(opts)
			require.ErrorContains(t, err, "required")
		})
	}
}

func TestBuildIsUsableInAnIdentity(t *testing.T) {
	build := workerapp.Build()
	require.NotEmpty(t, build)
	require.Equal(t, "h1", run.HostOfIdentity(run.WorkerIdentity("h1", build)))
}
