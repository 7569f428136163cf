package gitcmd_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	status, err := repo.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, gitcmd.Status{Branch: "main"}, status)

	const long = "long enough to be recognised after a rename\n"
	repo.Write(".gitignore", "ignored\n")
	repo.Write("gone", "x")
	repo.Write("changed here", "x")
	repo.Write("old\nname", long)
	head := repo.Commit("first")

	repo.Remove("gone")
	repo.Write("changed here", "y")
	repo.Git("mv", "old\nname", "new -> \"näme\"")
	repo.Write("dir/a", "x")
	repo.Write("dir/b c", "x")
	repo.Write("staged", "x")
	repo.Git("add", "staged")
	repo.Write("ignored", "x")
	gittest.At(t, mkdir(t, repo.Dir, "nested"))

	status, err = repo.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, head, status.Head)
	require.Equal(t, "main", status.Branch)
	require.ElementsMatch(t, []gitcmd.Change{
		{Path: "gone", Code: ".D"},
		{Path: "changed here", Code: ".M"},
		{Path: "new -> \"näme\"", Orig: "old\nname", Code: "R."},
		{Path: "dir/a", Code: "??", Untracked: true},
		{Path: "dir/b c", Code: "??", Untracked: true},
		{Path: "staged", Code: "A."},
		{Path: "nested", Code: "??", Untracked: true, Submodule: true},
	}, status.Changes)
}

func TestStatusUnmergedAndDetached(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("both ways", "base")
	repo.Commit("base")
	repo.Git("switch", "--quiet", "--create", "other")
	repo.Write("both ways", "other")
	repo.Commit("other")
	repo.Git("switch", "--quiet", "--detach", "main")
	repo.Write("both ways", "main")
	head := repo.Commit("main")
	repo.Try("merge", "other")

	status, err := repo.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, gitcmd.Status{
		Head: head, Changes: []gitcmd.Change{{Path: "both ways", Code: "UU", Unmerged: true}},
	}, status)
}

func TestStatusSubmodule(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	nested := gittest.At(t, mkdir(t, repo.Dir, "module"))
	nested.Commit("first")
	repo.Commit("with a module")
	nested.Write("new", "x")

	status, err := repo.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, []gitcmd.Change{{Path: "module", Code: ".M", Submodule: true}}, status.Changes)
}

func TestStatusBelowTheRoot(t *testing.T) {
	t.Parallel()
	const long = "long enough to be recognised after a rename\n"
	repo := gittest.New(t)
	repo.Write("outside", long)
	repo.Write("sub/inside", "x")
	repo.Write("sub/.git/keep", "an empty directory of that name is no repository")
	head := repo.Commit("first")
	repo.Git("mv", "outside", "sub/moved in")
	repo.Write("sub/inside", "y")
	repo.Write("other", "x")

	below := gitcmd.Repo{Dir: filepath.Join(repo.Dir, "sub"), Env: repo.Env}
	status, err := below.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, head, status.Head)
	require.Len(t, status.Changes, 2)
	paths := []string{status.Changes[0].Path, status.Changes[1].Path}
	require.ElementsMatch(t, []string{"inside", "moved in"}, paths)
	for _, change := range status.Changes {
		require.Empty(t, change.Orig, "it lies outside")
	}
}

func TestStatusWithoutRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := gitcmd.Repo{Dir: dir, Env: append(gittest.Env(t), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))}.Status(t.Context())
	require.ErrorContains(t, err, "not a git repository")
}

func TestChangePaths(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"a"}, gitcmd.Change{Path: "a"}.Paths())
	require.Equal(t, []string{"a", "b"}, gitcmd.Change{Path: "a", Orig: "b", Code: "R."}.Paths())
	require.Equal(t, []string{"a"}, gitcmd.Change{Path: "a", Orig: "b", Code: "C."}.Paths())
}

func TestChangedBetween(t *testing.T) {
	t.Parallel()
	repo := gittest.New(t)
	repo.Write("old", "long enough to be recognised after a rename\n")
	repo.Write("sub/näme", "x")
	first := repo.Commit("first")
	repo.Git("mv", "old", "new name")
	repo.Write("sub/näme", "y")
	second := repo.Commit("second")

	for name, tc := range map[string]struct {
		dir, from, to string
		want          []string
	}{
		"both sides of a rename": {"", first, second, []string{"new name", "old", "sub/näme"}},
		"below the root":         {"sub", first, second, []string{"näme"}},
		"from nothing":           {"", "", second, []string{"new name", "sub/näme"}},
		"from nothing, below":    {"sub", "", second, []string{"näme"}},
		"to nothing":             {"", first, "", []string{"old", "sub/näme"}},
		"nothing":                {"", "", "", nil},
		"same":                   {"", second, second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paths, err := gitcmd.Repo{Dir: filepath.Join(repo.Dir, tc.dir), Env: repo.Env}.ChangedBetween(t.Context(), tc.from, tc.to)
			require.NoError(t, err)
			require.ElementsMatch(t, tc.want, paths)
		})
	}
	_, err := repo.ChangedBetween(t.Context(), "0123456789012345678901234567890123456789", second)
	require.ErrorContains(t, err, "git diff-tree")
}

func mkdir(t *testing.T, elements ...string) string {
	t.Helper()
	dir := filepath.Join(elements...)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}
