package gitcmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

func commit(t *testing.T, repo *gittest.Repo, paths ...string) string {
	t.Helper()
	require.NoError(t, repo.Stage(t.Context(), paths))
	sha, err := repo.CommitOnly(t.Context(), "work", nil, paths)
	require.NoError(t, err)
	require.Equal(t, repo.Git("rev-parse", "HEAD"), sha)
	return sha
}

// committed lists what the newest commit did, one "STATUS path" each.
func committed(repo *gittest.Repo) []string {
	out := repo.Git("show", "--no-renames", "--format=", "--name-status", "-z", "HEAD")
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var changes []string
	for i := 0; i+1 < len(fields); i += 2 {
		changes = append(changes, fields[i]+" "+fields[i+1])
	}
	return changes
}

func TestCommitOnlyKeepsWhatTheAuthorStaged(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	for _, name := range []string{"gone", "git rm", "mv from", "changed", "author changed", "author removed"} {
		repo.Write(name, name+" has a text of its own\n")
	}
	repo.Commit("first")

	repo.Write("author changed", "staged")
	repo.Write("author new", "staged")
	repo.Git("rm", "--quiet", "author removed")
	repo.Git("add", "author changed", "author new")
	repo.Write("author changed", "staged, then changed again")

	repo.Remove("gone")
	repo.Git("rm", "--quiet", "git rm")
	repo.Git("mv", "mv from", "mv to")
	repo.Write("changed", "y")
	repo.Write("*", "a name that could be a pattern")
	repo.Write("dir/näw\nfile", "x")
	commit(t, repo, "gone", "git rm", "mv from", "mv to", "changed", "*", "dir/näw\nfile")

	require.ElementsMatch(t, []string{
		"D gone", "D git rm", "D mv from", "A mv to", "M changed", "A *", "A dir/näw\nfile",
	}, committed(repo))
	status, err := repo.Status(t.Context())
	require.NoError(t, err)
	require.ElementsMatch(t, []gitcmd.Change{
		{Path: "author changed", Code: "MM"},
		{Path: "author new", Code: "A."},
		{Path: "author removed", Code: "D."},
	}, status.Changes)
	require.Equal(t, "staged", repo.Git("show", ":author changed"))
}

func TestCommitOnlyFirstCommit(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("author", "x")
	repo.Git("add", "author")
	repo.Write("work", "x")
	commit(t, repo, "work")
	require.Equal(t, "work", repo.Git("ls-tree", "-r", "--name-only", "HEAD"))
	require.Equal(t, "A  author", repo.Git("status", "--porcelain"))
}

func TestCommitOnlyBelowTheRoot(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("sub/old", "x")
	repo.Commit("first")
	repo.Remove("sub/old")
	repo.Write("sub/new", "x")
	repo.Write("new", "x")
	below := *repo
	below.Dir = filepath.Join(repo.Dir, "sub")
	commit(t, &below, "old", "new")
	require.Equal(t, []string{"A sub/new", "D sub/old"}, committed(repo))
}

func TestCommitOnlyDirectoriesAndFiles(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("a/x", "x")
	repo.Write("b", "x")
	repo.Commit("first")
	repo.Remove("a")
	repo.Write("a", "now a file")
	repo.Remove("b")
	repo.Write("b/x", "now a directory")
	commit(t, repo, "a", "a/x", "b", "b/x")
	require.ElementsMatch(t, []string{"A a", "D a/x", "D b", "A b/x"}, committed(repo))
	require.Empty(t, repo.Git("status", "--porcelain"))
}

func TestCommitOnlyDirectoryBecameASymbolicLink(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("dir/x", "x")
	repo.Write("other/x", "y")
	repo.Commit("first")
	repo.Remove("dir")
	require.NoError(t, os.Symlink("other", filepath.Join(repo.Dir, "dir")))
	commit(t, repo, "dir", "dir/x")
	require.ElementsMatch(t, []string{"A dir", "D dir/x"}, committed(repo))
	require.Empty(t, repo.Git("status", "--porcelain"))
}

func TestCommitOnlyFileIgnoredFromNowOn(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("build/out", "x")
	repo.Write("tracked although ignored", "x")
	repo.Commit("first")
	repo.Git("rm", "--quiet", "--cached", "build/out")
	repo.Write(".gitignore", "build\ntracked*\n")
	repo.Write("tracked although ignored", "y")
	commit(t, repo, "build/out", ".gitignore", "tracked although ignored")
	require.ElementsMatch(t, []string{"D build/out", "A .gitignore", "M tracked although ignored"}, committed(repo))
	require.FileExists(t, filepath.Join(repo.Dir, "build/out"))
}

func TestCommitOnlyNestedRepository(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	gittest.At(t, mkdir(t, repo.Dir, "nested")).Commit("first")
	commit(t, repo, "nested")
	require.Equal(t, []string{"A nested"}, committed(repo))
}

func TestCommitOnlyRefuses(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("a", "x")
	repo.Commit("first")
	repo.Write("author", "x")
	repo.Git("add", "author")

	_, err := repo.CommitOnly(t.Context(), "work", nil, []string{"a"})
	require.ErrorIs(t, err, gitcmd.ErrNothingStaged)
	_, err = repo.CommitOnly(t.Context(), "work", nil, nil)
	require.ErrorIs(t, err, gitcmd.ErrNothingStaged)
	_, err = repo.CommitOnly(t.Context(), " \n", nil, []string{"author"})
	require.ErrorContains(t, err, "message is empty")
	for _, outside := range []string{"../x", "/x", ".", ""} {
		require.ErrorContains(t, repo.Stage(t.Context(), []string{outside}), "not a path below")
	}
	require.Equal(t, "A  author", repo.Git("status", "--porcelain"))
}

func TestCommitOnlyMessage(t *testing.T) {
	t.Parallel()
	trailers := []string{"Prompt-Runner-Run: r", "Prompt-Runner-Commit: r/01/1"}
	const ours = "Prompt-Runner-Run: r\nPrompt-Runner-Commit: r/01/1"
	for name, tc := range map[string]struct{ message, want string }{
		"one line":        {"fix: it\n", "fix: it\n\n" + ours},
		"comment lines":   {"fix: it\n\n# kept", "fix: it\n\n# kept\n\n" + ours},
		"own trailers":    {"fix it\n\nbody\n\nSigned-off-by: A <a@b>", "fix it\n\nbody\n\nSigned-off-by: A <a@b>\n" + ours},
		"divider":         {"fix it\n\n---\nnot a patch", "fix it\n\n---\nnot a patch\n\n" + ours},
		"prose with word": {"fix it\n\nNote: this\nis prose", "fix it\n\nNote: this\nis prose\n\n" + ours},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := gittest.New(t)
			repo.Write("a", "x")
			require.NoError(t, repo.Stage(t.Context(), []string{"a"}))
			sha, err := repo.CommitOnly(t.Context(), tc.message, trailers, []string{"a"})
			require.NoError(t, err)
			require.Equal(t, tc.want, strings.TrimSpace(repo.Git("log", "-1", "--format=%B")))
			found, err := repo.FindTrailers(t.Context(), "", "Prompt-Runner-Commit")
			require.NoError(t, err)
			require.Equal(t, map[string]string{"r/01/1": sha}, found)
		})
	}
}

func TestCommitOnlyRunsHooks(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	hook := filepath.Join(repo.Dir, ".git", "hooks", "pre-commit")
	require.NoError(t, os.MkdirAll(filepath.Dir(hook), 0o755))
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\necho the hook says no >&2\nexit 1\n"), 0o755))
	repo.Write("a", "x")
	require.NoError(t, repo.Stage(t.Context(), []string{"a"}))

	_, err := repo.CommitOnly(t.Context(), "work", nil, []string{"a"})
	var failure *gitcmd.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, 1, failure.ExitCode)
	require.Equal(t, "the hook says no", failure.Stderr)
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	require.NoError(t, repo.Identity(t.Context()))
	repo.Env = append(repo.Env, "GIT_CONFIG_GLOBAL=/dev/null", "EMAIL=")
	repo.Git("config", "user.useConfigOnly", "true")
	require.ErrorContains(t, repo.Identity(t.Context()), "set user.name and user.email")
}

func TestFindTrailers(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	found, err := repo.FindTrailers(t.Context(), "", "Key")
	require.NoError(t, err)
	require.Empty(t, found, "before the first commit")

	first := repo.Commit("first\n\nKey: 1")
	base := repo.Commit("prose only mentions Key: 9")
	second := repo.Commit("second\n\nKey: 2\nOther: 2\nKey: 3")
	again := repo.Commit("again\n\nKey: 2")
	repo.Commit("last mentions Key: too")
	// git itself sees no trailer below a scissors line.
	cut := repo.Commit("cut\n\n# ------------------------ >8 ------------------------\nmore\n\nKey: 4")

	all := map[string]string{"1": first, "2": again, "3": second, "4": cut}
	for name, tc := range map[string]struct {
		from string
		want map[string]string
	}{
		"all":             {"", all},
		"from a commit":   {base, map[string]string{"2": again, "3": second, "4": cut}},
		"from a lost one": {"0123456789012345678901234567890123456789", all},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := repo.FindTrailers(t.Context(), tc.from, "Key")
			require.NoError(t, err)
			require.Equal(t, tc.want, found)
		})
	}

	_, err = gitcmd.Repo{Dir: filepath.Join(repo.Dir, "none"), Env: repo.Env}.FindTrailers(t.Context(), "", "Key")
	require.Error(t, err)
}
