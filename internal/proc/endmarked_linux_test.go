package proc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
)

func startMarked(t *testing.T, mark, script string) (int, *lifeline) {
	t.Helper()
	line := newLifeline(t)
	pid, err := proc.StartDetached(proc.Detached{
		Path: "sh", Args: []string{"-c", line.hold() + script},
		Env: append(os.Environ(), mark), Log: filepath.Join(t.TempDir(), "log"),
	})
	require.NoError(t, err)
	line.awaitUp(t)
	return pid, line
}

func TestEndMarked(t *testing.T) {
	value := t.TempDir()
	_, plain := startMarked(t, "PROC_TEST_MARK="+value, "exec sleep 1000")
	_, tree := startMarked(t, "PROC_TEST_MARK="+value, "setsid sleep 1000 & wait")
	_, stubborn := startMarked(t, "PROC_TEST_MARK="+value, "trap '' TERM; while :; do sleep 1000; done")
	other, otherLine := startMarked(t, "PROC_TEST_MARK="+value+"/2", "exec sleep 1000")
	otherStart, ok := proc.StartTime(other)
	require.True(t, ok)

	require.NoError(t, proc.EndMarked("PROC_TEST_MARK", value))
	plain.awaitGone(t)
	tree.awaitGone(t)
	stubborn.awaitGone(t)
	require.True(t, proc.Alive(other, otherStart), "another value is another task")

	require.NoError(t, proc.EndMarked("PROC_TEST_MARK", value+"/2"))
	otherLine.awaitGone(t)
}

func TestEndMarkedSparesTheCaller(t *testing.T) {
	line := newLifeline(t)
	_, err := proc.StartDetached(proc.Detached{
		Path: os.Args[0],
		Env:  append(os.Environ(), endVariable+"="+line.path),
		Log:  filepath.Join(t.TempDir(), "log"),
	})
	require.NoError(t, err)
	line.awaitUp(t) // it announces itself after EndMarked has returned
	line.awaitGone(t)
}

func TestEndMarkedRefusesAnEmptyMark(t *testing.T) {
	require.ErrorContains(t, proc.EndMarked("PROC_TEST_MARK", ""), "must not be empty")
	require.ErrorContains(t, proc.EndMarked("", "x"), "must not be empty")
}
