package simulated

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// TestReplayTakesOverUnfinishedWrites leaves behind what a worker does that is
// killed between writing a file's new content and putting it in place.
func TestReplayTakesOverUnfinishedWrites(t *testing.T) {
	repo, journal := t.TempDir(), t.TempDir()
	turn := providers.Turn{WorkDir: repo, Repos: []providers.Repo{{Name: "app", Path: repo}}, Journal: journal}
	require.NoError(t, os.WriteFile(filepath.Join(repo, leftover(journal, 1)), []byte("half"), 0o600))

	refused, err := applyWrites(turn, []simulation.Write{{Path: "a", Text: "a"}, {Path: "b", Text: "b"}})
	require.NoError(t, err)
	require.NoError(t, refused)
	names, err := os.ReadDir(repo)
	require.NoError(t, err)
	require.Len(t, names, 2)
	content, err := os.ReadFile(filepath.Join(repo, "b"))
	require.NoError(t, err)
	require.Equal(t, "b", string(content))
}

func TestReplaceLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer func() { _ = root.Close() }()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o755))
	require.Error(t, replace(root, "taken", "temporary", []byte("x"), entry{}))
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 1)
}

func TestJudge(t *testing.T) {
	write := simulation.Write{Path: "a"}
	var refused *refusal
	for _, errno := range []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOTDIR, syscall.EISDIR, syscall.ENOENT, syscall.ENAMETOOLONG} {
		require.ErrorAs(t, judge(write, &os.PathError{Op: "open", Path: "a", Err: errno}), &refused, errno.Error())
	}
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EMFILE, syscall.EDQUOT} {
		err := judge(write, &os.PathError{Op: "write", Path: "a", Err: errno})
		require.NotErrorAs(t, err, &refused, errno.Error())
		require.ErrorIs(t, err, errno)
	}
}
