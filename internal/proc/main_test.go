package proc_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
)

// parentVariable makes the test binary a parent that runs one shell script
// through proc.Run, so that a test can kill it.
const parentVariable = "PROC_TEST_PARENT_SCRIPT"

// endVariable makes the test binary, which carries it, end what carries it, and
// then announce itself on the lifeline that is its value.
const endVariable = "PROC_TEST_END"

// waitLimit and pollEvery are for conditions that nothing announces.
const (
	waitLimit = 10 * time.Second
	pollEvery = time.Millisecond
)

func TestMain(m *testing.M) {
	if line := os.Getenv(endVariable); line != "" {
		if err := proc.EndMarked(endVariable, line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := os.WriteFile(line, []byte("up\n"), 0o600); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if script := os.Getenv(parentVariable); script != "" {
		if _, err := proc.Run(context.Background(), proc.Command{Path: "sh", Args: []string{"-c", script}}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// lifeline is a named pipe that a process and its descendants hold open: its end
// proves that all of them are gone.
type lifeline struct {
	path   string
	reader *bufio.Reader
}

func newLifeline(t *testing.T) *lifeline {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lifeline")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	return &lifeline{path: path}
}

// hold is shell code that opens the lifeline and announces itself on it.
func (l *lifeline) hold() string { return "exec 3>'" + l.path + "'; echo up >&3; " }

// awaitUp waits until a process has announced itself.
func (l *lifeline) awaitUp(t *testing.T) {
	t.Helper()
	file, err := os.Open(l.path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	l.reader = bufio.NewReader(file)
	line, err := l.reader.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "up", strings.TrimSpace(line))
}

// awaitGone waits until nobody holds the lifeline.
func (l *lifeline) awaitGone(t *testing.T) {
	t.Helper()
	_, err := l.reader.ReadString('\n')
	require.ErrorContains(t, err, "EOF")
}
