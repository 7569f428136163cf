package proc_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
)

func TestStartDetached(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _ = reader.Close() }()
	log := filepath.Join(t.TempDir(), "log")

	pid, err := proc.StartDetached(proc.Detached{
		Path:       "sh",
		Args:       []string{"-c", "echo out; echo err >&2; ps -o sid= -p $$ >&3; exit 0"},
		Log:        log,
		ExtraFiles: []*os.File{writer},
	})
	require.NoError(t, err)
	require.NoError(t, writer.Close())

	session, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(pid), strings.TrimSpace(string(session)), "it leads a session of its own")
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "out\nerr\n", string(text))
	info, err := os.Stat(log)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestStartDetachedNeedsALog(t *testing.T) {
	t.Parallel()
	_, err := proc.StartDetached(proc.Detached{Path: "true"})
	require.ErrorContains(t, err, "no log file")
}

func TestAlive(t *testing.T) {
	t.Parallel()
	line := newLifeline(t)
	pid, err := proc.StartDetached(proc.Detached{
		Path: "sh", Args: []string{"-c", line.hold() + "exec sleep 1000"}, Log: filepath.Join(t.TempDir(), "log"),
	})
	require.NoError(t, err)
	line.awaitUp(t)
	start, ok := proc.StartTime(pid)
	require.True(t, ok)
	require.True(t, proc.Alive(pid, start))
	require.False(t, proc.Alive(pid, start+"0"), "another process under the same id")

	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	line.awaitGone(t)
	require.Eventually(t, func() bool { return !proc.Alive(pid, start) }, waitLimit, pollEvery)
	_, ok = proc.StartTime(1 << 30)
	require.False(t, ok)
}
