package verifier_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// withRemote gives app a remote of that name, and pushes branch to it.
func (f *tree) withRemote(remote, branch string) string {
	f.t.Helper()
	f.app.Write("a", "x")
	f.app.Commit("start")
	bare := filepath.Join(f.dir, "bare.git")
	f.app.Git("init", "--quiet", "--bare", bare)
	f.app.Git("remote", "add", remote, bare)
	f.app.Git("checkout", "--quiet", "-B", branch)
	f.app.Git("push", "--quiet", "--set-upstream", remote, branch)
	return bare
}

func (f *tree) clean(entry packet.CleanEntry) verifier.Item {
	f.t.Helper()
	return f.item(packet.Contract{ReposClean: []packet.CleanEntry{entry}})
}

func TestPushed(t *testing.T) {
	t.Parallel()
	for _, names := range [][2]string{{"origin", "main"}, {"team/fork", "feature/x"}} {
		t.Run(names[0], func(t *testing.T) {
			t.Parallel()
			tree := newTree(t)
			bare := tree.withRemote(names[0], names[1])
			local, network := packet.CleanEntry{Pushed: true}, packet.CleanEntry{Pushed: true, Network: true, TimeoutMS: 60_000}

			item := tree.clean(local)
			require.True(t, item.Pass, item.Details)
			require.Contains(t, item.Details, "as last fetched")
			require.Equal(t, names[1], item.Branch)
			require.Equal(t, names[0]+"/"+names[1], item.Upstream)
			require.True(t, *item.Pushed)
			item = tree.clean(network)
			require.True(t, item.Pass, item.Details)
			require.Contains(t, item.Details, "as the remote says")

			// The remote goes ahead: only who asks it can know.
			tree.app.Git("clone", "--quiet", "--branch", names[1], bare, filepath.Join(tree.dir, "other"))
			tree.app.Git("-C", filepath.Join(tree.dir, "other"), "commit", "--quiet", "--allow-empty", "--message=ahead")
			tree.app.Git("-C", filepath.Join(tree.dir, "other"), "push", "--quiet")
			ahead := tree.app.Git("-C", filepath.Join(tree.dir, "other"), "rev-parse", "HEAD")
			seen := tree.app.Git("rev-parse", "@{upstream}")
			require.True(t, tree.clean(local).Pass)
			item = tree.clean(network)
			require.False(t, item.Pass)
			require.Empty(t, item.Fault)
			require.Contains(t, item.Details, ahead[:12])
			require.Equal(t, seen, tree.app.Git("rev-parse", "@{upstream}"), "nothing is fetched")

			tree.app.Git("commit", "--quiet", "--allow-empty", "--message=unpushed")
			item = tree.clean(local)
			require.False(t, item.Pass)
			require.Contains(t, item.Details, "not pushed")
			require.False(t, *item.Pushed)
		})
	}
}

func TestUnreachableRemote(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.withRemote("origin", "main")
	tree.app.Git("remote", "set-url", "origin", filepath.Join(tree.dir, "gone.git"))
	item := tree.clean(packet.CleanEntry{Pushed: true, Network: true, TimeoutMS: 60_000})
	require.True(t, item.Pass, item.Details)
	require.Contains(t, item.Details, "as last fetched, because asking failed")

	// A remote that never answers costs its time, not more.
	tree.script("hang", "exec sleep 600")
	tree.app.Git("config", "protocol.ext.allow", "always")
	tree.app.Git("remote", "set-url", "origin", "ext::"+filepath.Join(tree.app.Dir, "hang"))
	tree.app.Commit("hang")
	item = tree.clean(packet.CleanEntry{Pushed: true, Network: true, TimeoutMS: 200})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "did not answer within 200ms")
}

func TestRemoteBranchIsGone(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	bare := tree.withRemote("origin", "work")
	tree.app.Git("-C", bare, "update-ref", "-d", "refs/heads/work")
	item := tree.clean(packet.CleanEntry{Pushed: true, Network: true, TimeoutMS: 60_000})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "origin/work does not exist (as the remote says)")
}

func TestLocalUpstream(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("a", "x")
	tree.app.Commit("start")
	tree.app.Git("checkout", "--quiet", "-b", "topic", "--track", "main")
	for _, network := range []bool{false, true} {
		item := tree.clean(packet.CleanEntry{Pushed: true, Network: network})
		require.True(t, item.Pass, item.Details)
		require.Equal(t, "main", item.Upstream)
	}
}

func TestReposCleanWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	item := tree.clean(packet.CleanEntry{Repo: "packet"})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "git cannot tell")
	require.Empty(t, item.Fault)
	item = tree.clean(packet.CleanEntry{Repo: "nowhere"})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "missing_repo")

	tree.app.Write("a", "x")
	tree.app.Commit("start")
	index := filepath.Join(tree.app.Dir, ".git", "index")
	kept, err := os.ReadFile(index)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(index, []byte("broken"), 0o644))
	item = tree.clean(packet.CleanEntry{})
	require.False(t, item.Pass)
	require.Equal(t, verifier.FaultVerifier, item.Fault, "git itself failed: %s", item.Details)
	require.NoError(t, os.WriteFile(index, kept, 0o644))

	tree.app.Git("checkout", "--quiet", "--detach")
	require.True(t, tree.clean(packet.CleanEntry{}).Pass)
	item = tree.clean(packet.CleanEntry{Pushed: true})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "HEAD is detached")
}
