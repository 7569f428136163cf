package gitcmd_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	git := filepath.Join(repo.Dir, ".git")

	info, err := repo.Inspect(t.Context())
	require.NoError(t, err)
	require.Equal(t, gitcmd.Info{Root: repo.Dir, GitDir: git, CommonDir: git, Branch: "main"}, info, "before the first commit")

	repo.Write("sub/file", "x")
	repo.Write("HEAD", "a file of that name must not confuse git")
	head := repo.Commit("first")
	repo.Git("switch", "--quiet", "--create", "topic/a")
	below := gitcmd.Repo{Dir: filepath.Join(repo.Dir, "sub"), Env: append(repo.Env, "GIT_DIR=/nowhere")}
	info, err = below.Inspect(t.Context())
	require.NoError(t, err)
	require.Equal(t, gitcmd.Info{Root: repo.Dir, GitDir: git, CommonDir: git, Head: head, Branch: "topic/a"}, info)

	repo.Git("checkout", "--quiet", "--detach")
	info, err = repo.Inspect(t.Context())
	require.NoError(t, err)
	require.Equal(t, gitcmd.Info{Root: repo.Dir, GitDir: git, CommonDir: git, Head: head}, info)
}

func TestInspectUnbornWithAFileNamedHEAD(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("HEAD", "x")
	info, err := repo.Inspect(t.Context())
	require.NoError(t, err)
	require.Empty(t, info.Head)
	require.Equal(t, "main", info.Branch)
}

func TestInspectLinkedWorkTree(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Commit("first")
	outside, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	linked := filepath.Join(outside, "linked")
	repo.Git("worktree", "add", "--quiet", "-b", "other", linked)

	info, err := gitcmd.Repo{Dir: linked, Env: repo.Env}.Inspect(t.Context())
	require.NoError(t, err)
	require.Equal(t, linked, info.Root)
	require.Equal(t, "other", info.Branch)
	require.Equal(t, filepath.Join(repo.Dir, ".git"), info.CommonDir)
	require.Equal(t, filepath.Join(repo.Dir, ".git", "worktrees", "linked"), info.GitDir)
}

func TestInspectOutsideOfAnyWorkTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := gitcmd.Repo{Dir: dir, Env: append(gittest.Env(t), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))}.Inspect(t.Context())
	var failure *gitcmd.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, 128, failure.ExitCode)
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, err, "not a git repository")
}

func TestInProgress(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("f", "base")
	repo.Commit("base")
	repo.Git("switch", "--quiet", "--create", "other")
	repo.Write("f", "other")
	repo.Commit("other")
	repo.Git("switch", "--quiet", "main")
	repo.Write("f", "main")
	repo.Commit("main")
	info, err := repo.Inspect(t.Context())
	require.NoError(t, err)

	for _, tc := range []struct {
		operation string
		start     []string
		abort     []string
	}{
		{"merge", []string{"merge", "other"}, []string{"merge", "--abort"}},
		{"rebase", []string{"rebase", "other"}, []string{"rebase", "--abort"}},
		{"cherry-pick", []string{"cherry-pick", "other"}, []string{"cherry-pick", "--abort"}},
		{"revert", []string{"revert", "--no-edit", "HEAD~1"}, []string{"revert", "--abort"}},
		{"bisect", []string{"bisect", "start"}, []string{"bisect", "reset"}},
	} {
		operation, err := info.InProgress()
		require.NoError(t, err)
		require.Empty(t, operation, "before %s", tc.operation)
		repo.Try(tc.start...)
		operation, err = info.InProgress()
		require.NoError(t, err)
		require.Equal(t, tc.operation, operation)
		repo.Git(tc.abort...)
	}

	_, err = gitcmd.Info{GitDir: filepath.Join(repo.Dir, "f")}.InProgress()
	require.ErrorContains(t, err, "find out whether")
}
