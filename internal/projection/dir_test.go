package projection_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestCreateKeepsTheDirectoryOutOfCommits(t *testing.T) {
	dir := projection.In(t.TempDir())
	ignore := filepath.Join(dir.Path(), ".gitignore")
	require.NoError(t, dir.Create())
	require.DirExists(t, dir.LogDir())
	require.Equal(t, "*\n", read(t, ignore))

	write(t, ignore, "logs\n")
	require.NoError(t, dir.Create())
	require.Equal(t, "logs\n", read(t, ignore), "what a person wrote stays")
}

func TestPidFile(t *testing.T) {
	dir := projection.In(t.TempDir())
	require.NoError(t, dir.RemovePid(), "there is none")
	require.NoError(t, dir.WritePid())
	want := strconv.Itoa(os.Getpid())
	if began, known := proc.StartTime(os.Getpid()); known {
		want += " " + began
	}
	require.Equal(t, want+"\n", read(t, dir.PidFile()))
	require.FileExists(t, filepath.Join(dir.Path(), ".gitignore"))

	write(t, dir.PidFile(), "1 2\n")
	require.NoError(t, dir.WritePid())
	require.Equal(t, want+"\n", read(t, dir.PidFile()), "a worker that took over")
	require.NoError(t, dir.RemovePid())
	require.NoFileExists(t, dir.PidFile())
}

// Nothing but the named files is left behind, and no temporary one.
func TestProjectionLeavesNoTemporaryFiles(t *testing.T) {
	dir := projection.In(t.TempDir())
	start(t, dir, "r", 1, 1, 1)
	apply(t, dir, transition(1, 2, run.StatusCompleted))
	require.NoError(t, dir.WritePid())
	entries, err := os.ReadDir(dir.Path())
	require.NoError(t, err)
	var names []string
	for _, one := range entries {
		names = append(names, one.Name())
	}
	require.Equal(t, ".gitignore logs progress.log run.pid state.json state.lock", strings.Join(names, " "))
}

func TestDirectoryThatCannotBeMade(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".prompt_runner"), "a file")
	dir := projection.In(root)
	require.Error(t, dir.Create())
	require.Error(t, dir.WritePid())
	require.Error(t, dir.Apply(transition(1, 1, run.StatusCompleted), nil))
}
