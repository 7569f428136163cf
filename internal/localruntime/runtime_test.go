package localruntime_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/server/schema/sqlite"

	"github.com/prompt-runner/prompt-runner/internal/localruntime"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/internal/workerapp"
	"github.com/prompt-runner/prompt-runner/run"
)

// serveVariable makes TestServeProcess the runtime process of a state directory.
const serveVariable = "LOCALRUNTIME_TEST_SERVE"

// TestServeProcess is no test: it is what the other tests start as a process.
func TestServeProcess(t *testing.T) {
	root := os.Getenv(serveVariable)
	if root == "" {
		t.Skip("only when started by another test")
	}
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
	defer stop()
	state, err := statedir.At(root)
	require.NoError(t, err)
	require.NoError(t, localruntime.Serve(ctx, localruntime.Options{State: state, Environ: os.Environ()}))
}

func startOptions(t *testing.T, state statedir.Dir, environ ...string) localruntime.StartOptions {
	t.Helper()
	executable, err := os.Executable()
	require.NoError(t, err)
	return localruntime.StartOptions{
		Executable: executable,
		Args:       []string{"-test.run=^TestServeProcess$"},
		Environ:    append(append(os.Environ(), serveVariable+"="+state.Root()), environ...),
	}
}

func newState(t *testing.T) statedir.Dir {
	t.Helper()
	state, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	return state
}

func TestBackgroundRuntime(t *testing.T) {
	state := newState(t)
	opts := startOptions(t, state)
	t.Cleanup(func() { _ = localruntime.Stop(context.WithoutCancel(t.Context()), state) })

	// Three commands that need a runtime at the same time get the same one.
	var commands sync.WaitGroup
	infos := make([]localruntime.Info, 3)
	errs := make([]error, 3)
	for i := range infos {
		commands.Go(func() {
			var connection client.Client
			if connection, infos[i], errs[i] = localruntime.Ensure(t.Context(), state, opts); errs[i] == nil {
				connection.Close()
			}
		})
	}
	commands.Wait()
	for i := range infos {
		require.NoError(t, errs[i])
		require.Equal(t, infos[0], infos[i])
	}
	info := infos[0]
	require.NotEqual(t, os.Getpid(), info.PID)
	require.Equal(t, run.Protocol, info.Protocol)

	found, running, err := localruntime.Find(state)
	require.NoError(t, err)
	require.True(t, running)
	require.Equal(t, info, found)

	connection, _, err := localruntime.Connect(t.Context(), state)
	require.NoError(t, err)
	defer connection.Close()

	t.Run("namespace keeps closed runs for 30 days", func(t *testing.T) {
		described, err := connection.WorkflowService().DescribeNamespace(t.Context(), &workflowservice.DescribeNamespaceRequest{Namespace: info.Namespace})
		require.NoError(t, err)
		require.Equal(t, 30*24*time.Hour, described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration())
	})
	t.Run("search attributes exist", func(t *testing.T) { requireSearchAttributes(t, connection) })
	t.Run("the host's worker polls", func(t *testing.T) {
		host, err := state.Host(os.Getenv)
		require.NoError(t, err)
		for _, queue := range []string{run.SharedQueue, run.HostQueue(host), run.SessionQueue(host)} {
			require.EventuallyWithT(t, func(c *assert.CollectT) {
				described, err := connection.DescribeTaskQueue(t.Context(), queue, enums.TASK_QUEUE_TYPE_ACTIVITY)
				require.NoError(c, err)
				require.NotEmpty(c, described.GetPollers(), queue)
				require.Equal(c, run.WorkerIdentity(host, workerapp.Build()), described.GetPollers()[0].GetIdentity())
			}, 10*time.Second, 50*time.Millisecond)
		}
	})
	t.Run("without a certificate nobody gets in", func(t *testing.T) {
		anonymous, err := temporalconn.TLS(certificates(state))
		require.NoError(t, err)
		anonymous.Certificates = nil
		for name, config := range map[string]*tls.Config{"plain": nil, "TLS without certificate": anonymous} {
			stranger, err := temporalconn.Dial(t.Context(), client.Options{HostPort: info.Address, ConnectionOptions: client.ConnectionOptions{TLS: config}})
			if err == nil {
				stranger.Close()
			}
			require.Error(t, err, name)
		}
	})
	t.Run("Temporal Web can read and not write", func(t *testing.T) {
		url := info.UI + "/api/v1/namespaces/" + info.Namespace
		require.Equal(t, http.StatusOK, status(t, http.MethodGet, url))
		require.Equal(t, http.StatusMethodNotAllowed, status(t, http.MethodPost, url+"/workflows/w"))
	})
	t.Run("a second one is refused", func(t *testing.T) {
		_, err := localruntime.Embedded(t.Context(), localruntime.Options{State: state, Environ: os.Environ()})
		require.ErrorIs(t, err, localruntime.ErrRunning)
	})
	t.Run("a session may use it", func(t *testing.T) {
		connection, _, err := localruntime.Ensure(t.Context(), state, startOptions(t, state, run.SessionVariable+"=k"))
		require.NoError(t, err)
		connection.Close()
	})

	require.NoError(t, localruntime.Stop(t.Context(), state))
	require.ErrorIs(t, localruntime.Stop(t.Context(), state), localruntime.ErrNotRunning)
	_, _, err = localruntime.Connect(t.Context(), state)
	require.ErrorIs(t, err, localruntime.ErrNotRunning)
	require.NoFileExists(t, filepath.Join(state.Runtime(), "runtime.json"))
}

func TestASessionStartsNoRuntime(t *testing.T) {
	state := newState(t)
	_, _, err := localruntime.Ensure(t.Context(), state, startOptions(t, state, run.SessionVariable+"=01-1-0-x"))
	require.ErrorIs(t, err, localruntime.ErrInSession)
	require.ErrorContains(t, err, "01-1-0-x")
	require.NoDirExists(t, state.Runtime())
}

func TestEnsureSaysWhyTheRuntimeDidNotStart(t *testing.T) {
	t.Run("it reports an error", func(t *testing.T) {
		state := newState(t)
		require.NoError(t, os.MkdirAll(state.Runtime(), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(state.Runtime(), "temporal.db"), []byte("?"), 0o600))
		_, _, err := localruntime.Ensure(t.Context(), state, startOptions(t, state))
		require.ErrorContains(t, err, "the version of database")
		require.ErrorContains(t, err, localruntime.LogFile(state))
	})
	t.Run("it ends silently", func(t *testing.T) {
		state := newState(t)
		opts := startOptions(t, state)
		opts.Args = []string{"-test.run=^$"}
		_, _, err := localruntime.Ensure(t.Context(), state, opts)
		require.ErrorContains(t, err, "it ended without a word; see "+localruntime.LogFile(state))
	})
	t.Run("it does not exist", func(t *testing.T) {
		state := newState(t)
		opts := startOptions(t, state)
		opts.Executable = filepath.Join(t.TempDir(), "missing")
		_, _, err := localruntime.Ensure(t.Context(), state, opts)
		require.ErrorContains(t, err, opts.Executable)
	})
}

// A database of a release that knew fewer search attributes gets the others.
func TestEmbeddedCompletesAnOlderDatabase(t *testing.T) {
	state := newState(t)
	bare, err := sqlite.NewNamespaceConfig("active", "default", false, nil)
	require.NoError(t, err)
	require.NoError(t, localruntime.CreateDatabase(state, bare))
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()

	runtime, err := localruntime.Embedded(t.Context(), localruntime.Options{
		State:    state,
		Environ:  os.Environ(),
		GRPCPort: taken.Addr().(*net.TCPAddr).Port,
	})
	require.NoError(t, err)
	defer runtime.Stop()

	requireSearchAttributes(t, runtime.Client())
	require.NotEqual(t, taken.Addr().String(), runtime.Info().Address)
	found, running, err := localruntime.Find(state)
	require.NoError(t, err)
	require.True(t, running)
	require.Equal(t, runtime.Info(), found)

	runtime.Stop()
	_, running, err = localruntime.Find(state)
	require.NoError(t, err)
	require.False(t, running)
}

func requireSearchAttributes(t *testing.T, connection client.Client) {
	t.Helper()
	listed, err := connection.OperatorService().ListSearchAttributes(t.Context(), &operatorservice.ListSearchAttributesRequest{Namespace: "default"})
	require.NoError(t, err)
	for _, name := range run.KeywordAttributes {
		require.Equal(t, enums.INDEXED_VALUE_TYPE_KEYWORD, listed.GetCustomAttributes()[name], name)
	}
	for _, name := range run.KeywordListAttributes {
		require.Equal(t, enums.INDEXED_VALUE_TYPE_KEYWORD_LIST, listed.GetCustomAttributes()[name], name)
	}
}

// certificates are those that the runtime and its clients use.
func certificates(state statedir.Dir) temporalconn.Files {
	dir := filepath.Join(state.Runtime(), "tls")
	return temporalconn.Files{CA: filepath.Join(dir, "ca.pem"), Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
}

func status(t *testing.T, method, url string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	require.NoError(t, err)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
