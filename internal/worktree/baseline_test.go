package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/internal/worktree"
)

// tree is a repository with work of its author, committed and not.
type tree struct {
	*gittest.Repo
	t *testing.T
}

func (r tree) link(target, name string) {
	r.t.Helper()
	require.NoError(r.t, os.Symlink(target, filepath.Join(r.Dir, name)))
}

func (r tree) mode(name string, mode os.FileMode) {
	r.t.Helper()
	require.NoError(r.t, os.Chmod(filepath.Join(r.Dir, name), mode))
}

// dirt is what the author did before the session: every kind of change.
func dirt(r tree) {
	r.Write("modified", "by the author")
	r.Write("staged", "by the author")
	r.Git("add", "staged")
	r.Write("untracked", "by the author")
	r.Remove("deleted")
	r.Git("mv", "renamed", "moved")
	r.Remove("link")
	r.link("modified", "link")
	r.mode("mode", 0o755)
}

// authored are the paths that dirt makes differ from HEAD.
var authored = []string{"deleted", "link", "mode", "modified", "moved", "renamed", "staged", "untracked"}

func without(paths []string, name string) []string {
	var rest []string
	for _, path := range paths {
		if path != name {
			rest = append(rest, path)
		}
	}
	return rest
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		session  func(r tree)
		changed  []string
		leftOut  []string
		restored []string
	}{
		"nothing":                     {func(tree) {}, nil, authored, nil},
		"new file":                    {func(r tree) { r.Write("new", "x") }, []string{"new"}, authored, nil},
		"modified again":              {func(r tree) { r.Write("modified", "by both") }, []string{"modified"}, without(authored, "modified"), nil},
		"staged, then changed again":  {func(r tree) { r.Write("staged", "by both") }, []string{"staged"}, without(authored, "staged"), nil},
		"untracked one changed":       {func(r tree) { r.Write("untracked", "by both") }, []string{"untracked"}, without(authored, "untracked"), nil},
		"deleted one is back":         {func(r tree) { r.Write("deleted", "by the session") }, []string{"deleted"}, without(authored, "deleted"), nil},
		"source of the rename is new": {func(r tree) { r.Write("renamed", "by the session") }, []string{"renamed"}, without(authored, "renamed"), nil},
		"target of the rename":        {func(r tree) { r.Write("moved", "by both") }, []string{"moved"}, without(authored, "moved"), nil},
		"link points elsewhere":       {func(r tree) { r.Remove("link"); r.link("staged", "link") }, []string{"link"}, without(authored, "link"), nil},
		"link became a file":          {func(r tree) { r.Remove("link"); r.Write("link", "modified") }, []string{"link"}, without(authored, "link"), nil},
		"target of the link changed":  {func(r tree) { r.Write("modified", "by both") }, []string{"modified"}, without(authored, "modified"), nil},
		"mode changed":                {func(r tree) { r.mode("modified", 0o755) }, []string{"modified"}, without(authored, "modified"), nil},
		"author's file is gone":       {func(r tree) { r.Remove("modified") }, []string{"modified"}, without(authored, "modified"), nil},
		"written again the same":      {func(r tree) { r.Write("modified", "by the author") }, nil, authored, nil},
		"staged only":                 {func(r tree) { r.Git("add", "--all") }, nil, authored, nil},
		"author's change taken back":  {func(r tree) { r.Git("checkout", "--quiet", "HEAD", "--", "modified") }, nil, without(authored, "modified"), []string{"modified"}},
		"author's new file is gone":   {func(r tree) { r.Remove("untracked") }, nil, without(authored, "untracked"), []string{"untracked"}},
		"a clean file became a directory": {
			func(r tree) { r.Remove("clean"); r.Write("clean/file", "x") },
			[]string{"clean", "clean/file"},
			authored, nil,
		},
		"the projection": {func(r tree) { r.Write(".prompt_runner/state.json", "{}"); r.Write("sub/.prompt_runner/x", "x") }, nil, authored, nil},
		"ignored":        {func(r tree) { r.Write("build/out", "x") }, nil, authored, nil},
		"strange names":  {func(r tree) { r.Write("näw\n\t\" file", "x") }, []string{"näw\n\t\" file"}, authored, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tree{gittest.New(t), t}
			for _, path := range []string{"modified", "staged", "deleted", "renamed", "mode", "clean"} {
				r.Write(path, path+" has a text of its own\n")
			}
			r.Write(".gitignore", "build\n")
			r.link("clean", "link")
			head := r.Commit("first")
			dirt(r)
			baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
			require.NoError(t, err)
			require.Equal(t, head, baseline.Head)
			require.Equal(t, "main", baseline.Branch)

			tc.session(r)
			diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
			require.NoError(t, err)
			require.Equal(t, worktree.Diff{
				Head: head, Branch: "main", Changed: tc.changed, LeftOut: tc.leftOut, Restored: tc.restored,
			}, diff)
			require.Equal(t, tc.changed != nil || tc.restored != nil, diff.Any(baseline))
			paths, err := worktree.Paths(t.Context(), r.Repo.Repo, baseline, diff)
			require.NoError(t, err)
			require.ElementsMatch(t, append(tc.changed, tc.restored...), paths)
		})
	}
}

func TestCommitsOfTheSessionCount(t *testing.T) {
	t.Parallel()
	r := tree{gittest.New(t), t}
	r.Write("old", "has a text of its own\n")
	r.Write("author", "x")
	r.Commit("first")
	r.Write("author", "y")
	baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
	require.NoError(t, err)

	r.Git("mv", "old", "new")
	r.Write(".prompt_runner/x", "x")
	r.Git("add", "--force", ".prompt_runner")
	r.Git("commit", "--quiet", "--message=by the session", "--", "old", "new", ".prompt_runner")
	r.Write("uncommitted", "x")
	diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
	require.NoError(t, err)
	require.Equal(t, []string{"uncommitted"}, diff.Changed)
	require.Equal(t, []string{"author"}, diff.LeftOut)
	require.True(t, diff.Any(baseline))
	paths, err := worktree.Paths(t.Context(), r.Repo.Repo, baseline, diff)
	require.NoError(t, err)
	require.Equal(t, []string{"new", "old", "uncommitted"}, paths)

	// The session committed the author's change, too.
	r.Git("commit", "--quiet", "--all", "--message=all")
	diff, err = worktree.Compare(t.Context(), r.Repo.Repo, baseline)
	require.NoError(t, err)
	require.Empty(t, diff.LeftOut)
	paths, err = worktree.Paths(t.Context(), r.Repo.Repo, baseline, diff)
	require.NoError(t, err)
	require.Equal(t, []string{"author", "new", "old", "uncommitted"}, paths)
}

func TestUnbornBranch(t *testing.T) {
	t.Parallel()
	r := tree{gittest.New(t), t}
	r.Write("author", "x")
	baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
	require.NoError(t, err)
	require.Equal(t, "main", baseline.Branch)
	require.Empty(t, baseline.Head)

	diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
	require.NoError(t, err)
	require.False(t, diff.Any(baseline))

	r.Write("new", "x")
	r.Git("add", "new")
	r.Git("commit", "--quiet", "--message=first")
	diff, err = worktree.Compare(t.Context(), r.Repo.Repo, baseline)
	require.NoError(t, err)
	require.True(t, diff.Any(baseline))
	require.Equal(t, []string{"author"}, diff.LeftOut)
	paths, err := worktree.Paths(t.Context(), r.Repo.Repo, baseline, diff)
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, paths)
}

func TestBranchAndDetachedHead(t *testing.T) {
	t.Parallel()
	r := tree{gittest.New(t), t}
	r.Commit("first")
	baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
	require.NoError(t, err)
	for _, tc := range []struct{ command, branch string }{{"--create=topic/a", "topic/a"}, {"--detach", ""}} {
		r.Git("switch", "--quiet", tc.command)
		diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
		require.NoError(t, err)
		require.Equal(t, tc.branch, diff.Branch)
		require.False(t, diff.Any(baseline), "a branch is no change of content")
	}
}

// A repository of a packet may be a directory below the root of a work tree:
// what lies outside of it is not its own.
func TestDirectoryBelowTheRoot(t *testing.T) {
	t.Parallel()
	r := tree{gittest.New(t), t}
	r.Write("app/old", "has a text of its own\n")
	r.Write("app/author", "x")
	r.Write("lib/x", "x")
	r.Commit("first")
	r.Write("app/author", "y")
	r.Write("outside", "x")
	app := gitcmd.Repo{Dir: filepath.Join(r.Dir, "app"), Env: r.Env}
	baseline, err := worktree.Take(t.Context(), app)
	require.NoError(t, err)
	require.Len(t, baseline.Dirty, 1)

	r.Git("mv", "app/old", "lib/old")
	r.Git("mv", "lib/x", "app/x")
	r.Write("app/new", "x")
	r.Write("outside too", "x")
	diff, err := worktree.Compare(t.Context(), app, baseline)
	require.NoError(t, err)
	require.Equal(t, []string{"new", "old", "x"}, diff.Changed)
	require.Equal(t, []string{"author"}, diff.LeftOut)

	r.Git("add", "app/new")
	r.Git("commit", "--quiet", "--message=by the session")
	diff, err = worktree.Compare(t.Context(), app, baseline)
	require.NoError(t, err)
	require.Empty(t, diff.Changed)
	paths, err := worktree.Paths(t.Context(), app, baseline, diff)
	require.NoError(t, err)
	require.Equal(t, []string{"new", "old", "x"}, paths)
}

// The author put a file, or a link, in the place of a directory: what git had
// below it is gone, whatever the link leads to.
func TestAuthorReplacedADirectory(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(r tree){
		"by a file": func(r tree) { r.Write("dir", "now a file") },
		"by a link": func(r tree) { r.link("other", "dir") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tree{gittest.New(t), t}
			r.Write("dir/deep/x", "x")
			r.Write("other/deep/x", "x")
			r.Commit("first")
			r.Remove("dir")
			replace(r)
			baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
			require.NoError(t, err)
			require.Equal(t, "absent", baseline.Dirty["dir/deep/x"])

			r.Write("other/deep/x", "by the session")
			diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
			require.NoError(t, err)
			require.Equal(t, []string{"other/deep/x"}, diff.Changed)
			require.Equal(t, []string{"dir", "dir/deep/x"}, diff.LeftOut)
		})
	}
}

// git reports a repository inside of this one as one path, whatever changes in
// it.
func TestRepositoryInsideOfThisOne(t *testing.T) {
	t.Parallel()
	for name, session := range map[string]func(inner *gittest.Repo){
		"commit":      func(inner *gittest.Repo) { inner.Git("commit", "--quiet", "--allow-empty", "--message=by the session") },
		"uncommitted": func(inner *gittest.Repo) { inner.Write("author", "by the session") },
		"new file":    func(inner *gittest.Repo) { inner.Write("new", "x") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tree{gittest.New(t), t}
			r.Commit("first")
			require.NoError(t, os.Mkdir(filepath.Join(r.Dir, "inner"), 0o755))
			inner := gittest.At(t, filepath.Join(r.Dir, "inner"))
			inner.Commit("first")
			inner.Write("author", "x")
			baseline, err := worktree.Take(t.Context(), r.Repo.Repo)
			require.NoError(t, err)
			diff, err := worktree.Compare(t.Context(), r.Repo.Repo, baseline)
			require.NoError(t, err)
			require.Equal(t, []string{"inner"}, diff.LeftOut)

			session(inner)
			diff, err = worktree.Compare(t.Context(), r.Repo.Repo, baseline)
			require.NoError(t, err)
			require.Equal(t, []string{"inner"}, diff.Changed)
		})
	}
}

func TestWhatGitRefusesIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outside := gitcmd.Repo{Dir: dir, Env: append(gittest.Env(t), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))}
	_, err := worktree.Take(t.Context(), outside)
	require.ErrorContains(t, err, dir)
	_, err = worktree.Compare(t.Context(), outside, worktree.Baseline{})
	require.ErrorContains(t, err, dir)

	r := tree{gittest.New(t), t}
	head := r.Commit("first")
	lost := worktree.Baseline{Head: "0123456789012345678901234567890123456789", Branch: "main"}
	diff, err := worktree.Compare(t.Context(), r.Repo.Repo, lost)
	require.NoError(t, err)
	require.Equal(t, head, diff.Head)
	_, err = worktree.Paths(t.Context(), r.Repo.Repo, lost, diff)
	require.Error(t, err, "what changed since a commit that is gone cannot be told")
}
