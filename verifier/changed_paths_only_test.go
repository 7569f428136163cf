package verifier_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

func TestChangedPathsOnlyAllows(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		allowed string
		changed string
		pass    bool
	}{
		"exact":                    {"a b/ä.txt", "a b/ä.txt", true},
		"dotted":                   {"./a", "a", true},
		"directory":                {"src", "src/deep/x", true},
		"directory with slash":     {"src/", "src/deep/x", true},
		"everything":               {".", "x/y", true},
		"prefix of a name":         {"src", "src2/x", false},
		"another file":             {"a", "b", false},
		"star":                     {"*.go", "a.go", true},
		"star stays in its place":  {"*.go", "a/b.go", false},
		"question mark and class":  {"a?[0-9]", "ab1", true},
		"two stars":                {"src/**/x.go", "src/a/b/x.go", true},
		"two stars for nothing":    {"src/**/x.go", "src/x.go", true},
		"two stars at the end":     {"src/**", "src/a/b", true},
		"two stars, other name":    {"src/**/x.go", "src/a/y.go", false},
		"brackets spelled out":     {"a[b", "a[b", true},
		"malformed allows nothing": {"a[b*", "a[bc", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := newTree(t)
			tree.scope.Changed = func(_ context.Context, repo packet.Repo) ([]string, error) {
				require.Equal(t, "app", repo.Name)
				return []string{tc.changed}, nil
			}
			item := tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: tc.allowed}}})
			require.Equal(t, tc.pass, item.Pass, item.Details)
			require.Empty(t, item.Fault)
			require.Equal(t, []string{tc.allowed}, item.AllowedPaths)
			require.Equal(t, []string{tc.changed}, item.ChangedPaths)
		})
	}
}

func TestChangedPathsOnlyAsksGit(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("old", "long enough to be recognised after a rename\n")
	tree.app.Commit("first")
	tree.app.Git("mv", "old", "new")
	tree.app.Write("dir/x y", "x")
	tree.app.Write(".prompt_runner/state.json", "{}")
	tree.app.Write("packet/.prompt_runner/state.json", "{}")
	tree.scope.Root = filepath.Join(tree.app.Dir, "packet")
	tree.lib.Write("x", "x")

	report := tree.evaluate(packet.Contract{ChangedPathsOnly: []packet.PathEntry{
		{Path: "new"}, {Repo: "lib", Path: "y"}, {Repo: "app", Path: "dir"},
	}})
	require.Len(t, report.Items, 2, "one item for each repository")
	app, lib := report.Items[0], report.Items[1]
	require.Equal(t, "app", app.Repo)
	require.Equal(t, []string{"new", "dir"}, app.AllowedPaths)
	require.ElementsMatch(t, []string{"new", "old", "dir/x y"}, app.ChangedPaths)
	require.False(t, app.Pass)
	require.Contains(t, app.Details, "disallowed: old (in "+tree.app.Dir+"); allowed are: new, dir")
	require.Equal(t, "lib", lib.Repo)
	require.Contains(t, lib.Details, "disallowed: x ")

	require.True(t, tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{
		{Path: "new"}, {Path: "old"}, {Path: "dir/"},
	}}).Pass)
}

func TestChangedPathsOnlyInADirectoryOfTheRepository(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("sub/x", "x")
	tree.app.Write("y", "x")
	tree.scope.WorkDir = filepath.Join(tree.app.Dir, "sub")
	item := tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: "x"}}})
	require.Contains(t, item.Details, "disallowed: y ")
	require.True(t, tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: "x"}, {Path: "../y"}}}).Pass)
}

func TestChangedPathsOnlyCannotJudge(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	require.Empty(t, tree.evaluate(packet.Contract{ChangedPathsOnly: []packet.PathEntry{}}).Items)

	item := tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Repo: "none", Path: "x"}}})
	require.Contains(t, item.Details, "unknown repository none")
	item = tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: "../x"}}})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "outside of the repository")

	tree.scope.Env = append(tree.scope.Env, "GIT_CEILING_DIRECTORIES="+tree.dir)
	require.NoError(t, os.RemoveAll(filepath.Join(tree.app.Dir, ".git")))
	item = tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: "x"}}})
	require.False(t, item.Pass)
	require.Equal(t, verifier.FaultVerifier, item.Fault)
	require.Contains(t, item.Details, "not a git repository")

	tree.scope.Changed = func(context.Context, packet.Repo) ([]string, error) { return nil, errors.New("no baseline") }
	item = tree.item(packet.Contract{ChangedPathsOnly: []packet.PathEntry{{Path: "x"}}})
	require.Equal(t, verifier.FaultVerifier, item.Fault)
	require.Contains(t, item.Details, "no baseline")
}
