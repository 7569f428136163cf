package acceptance_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/run"
)

// The plain worker serves a host of its own on any Temporal: here on the one of
// a local runtime, beside the runtime's worker. A request names the host; one
// that does not is refused with the hosts it could mean.
func TestWorkerOfAnotherHost(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.write("packet/prompt_runner_packet.md", "---\nname: other\nprofile: simulated-default\nrepos: {app: {path: ../app}}\n---\n")
	s.write("packet/prompts/01_one.prompt.md", "---\nid: 01\nverify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}\n---\n# One\n")
	s.must("git", "init", "-q", "-b", "main", "app")
	s.must("git", "-C", "app", "commit", "-q", "--allow-empty", "-m", "start")
	s.must("prompt-runner", "server", "start")
	record, err := readRuntime(s.dir)
	require.NoError(t, err)

	tls := tlsDir(s.dir)
	worker := exec.CommandContext(t.Context(), filepath.Join(binaries, "worker"))
	worker.Env = append(append(os.Environ(), environ(s.dir)...),
		"XDG_STATE_HOME="+s.path("other-state"),
		"PROMPT_RUNNER_HOST_ID=other",
		"TEMPORAL_ADDRESS="+record.Address,
		"TEMPORAL_TLS_CLIENT_CERT_PATH="+filepath.Join(tls, "cert.pem"),
		"TEMPORAL_TLS_CLIENT_KEY_PATH="+filepath.Join(tls, "key.pem"),
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH="+filepath.Join(tls, "ca.pem"))
	messages, err := worker.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, worker.Start())
	lines := bufio.NewScanner(messages)
	require.True(t, lines.Scan(), "the worker says nothing")
	require.Contains(t, lines.Text(), "other")

	temporal, err := dial(t.Context(), s.dir)
	require.NoError(t, err)
	defer temporal.Close()
	runner := promptrunner.New(temporal)

	handle, err := runner.Start(t.Context(), run.Request{Packet: s.path("packet"), Host: "other"}, promptrunner.StartOptions{WorkflowID: "by-api"})
	require.NoError(t, err)
	result, err := handle.Result(t.Context())
	require.NoError(t, err)
	require.Equal(t, run.RunCompleted, result.State)
	snapshot, err := handle.Snapshot(t.Context())
	require.NoError(t, err)
	require.Equal(t, "other", snapshot.Host)
	require.DirExists(t, s.path("other-state", "prompt-runner", "runs", result.Run))

	handle, err = runner.Start(t.Context(), run.Request{Packet: s.path("packet")}, promptrunner.StartOptions{WorkflowID: "by-nobody"})
	require.NoError(t, err)
	_, err = handle.Result(t.Context())
	require.ErrorContains(t, err, "several hosts")
	require.ErrorContains(t, err, "other")

	require.NoError(t, worker.Process.Signal(syscall.SIGTERM))
	for lines.Scan() {
		require.False(t, strings.HasPrefix(lines.Text(), "panic"))
	}
	require.NoError(t, worker.Wait())
}
