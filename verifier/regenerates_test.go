package verifier_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// generator is a command that regenerates out and gen/deep.
func generator(script string) packet.Command {
	return packet.Command{Exec: "sh", Args: []string{"-c", script}, TimeoutMS: 10_000, Regenerates: []string{"out", "gen/deep"}}
}

func TestRegenerates(t *testing.T) {
	t.Parallel()
	const both = "mkdir -p gen && echo new > out && echo new > gen/deep"
	for name, tc := range map[string]struct {
		before  map[string]string
		resumed bool
		command packet.Command
		pass    bool
		fault   verifier.Fault
		details string
		after   map[string]string
	}{
		"written anew":               {map[string]string{"out": "old"}, false, generator(both), true, "", "", map[string]string{"out": "new\n", "gen/deep": "new\n"}},
		"written for the first time": {nil, false, generator(both), true, "", "", map[string]string{"out": "new\n", "gen/deep": "new\n"}},
		"does not see the old":       {map[string]string{"out": "old", "gen/deep": "old"}, false, generator("test ! -e out && " + both), true, "", "", map[string]string{"out": "new\n", "gen/deep": "new\n"}},
		"one is missing":             {map[string]string{"out": "old"}, false, generator("echo new > out"), false, "", "gen/deep was not written", map[string]string{"out": "old"}},
		"one is empty":               {map[string]string{"out": "old", "gen/deep": "old"}, false, generator("echo new > out; : > gen/deep"), false, "", "gen/deep is empty", map[string]string{"out": "old", "gen/deep": "old"}},
		"one is a directory":         {map[string]string{"out": "old", "gen/deep": "old"}, false, generator("echo new > out; mkdir -p gen/deep/er; echo x > gen/deep/er/f"), false, "", "gen/deep is no regular file", map[string]string{"out": "old", "gen/deep": "old"}},
		"fails":                      {map[string]string{"out": "old"}, false, generator(both + "; exit 1"), false, "", "got 1", map[string]string{"out": "old"}},
		"never starts":               {map[string]string{"out": "old"}, false, packet.Command{Exec: "no-such-program", Regenerates: []string{"out"}}, false, verifier.FaultVerifier, "no-such-program", map[string]string{"out": "old"}},
		"left aside, nothing new":    {map[string]string{"out" + packet.BackupSuffix: "old"}, false, generator("exit 1"), false, "", "got 1", map[string]string{"out": "old"}},
		"left aside, half new":       {map[string]string{"out": "half", "out" + packet.BackupSuffix: "old"}, true, generator("exit 1"), false, "", "got 1", map[string]string{"out": "old"}},
		"left aside, unclear": {
			map[string]string{"out": "newer", "out" + packet.BackupSuffix: "old"},
			false, generator(both), false, verifier.FaultVerifier, "cut short",
			map[string]string{"out": "newer", "out" + packet.BackupSuffix: "old"},
		},
		"named twice, fails": {map[string]string{"out": "old"}, false, packet.Command{Exec: "false", Regenerates: []string{"out", "./out"}}, false, "", "got 1", map[string]string{"out": "old"}},
		"outside":            {nil, false, packet.Command{Exec: "true", Regenerates: []string{"../x"}}, false, "", "verify_roots", nil},
		"second is unclear": {
			map[string]string{"out": "old", "gen/deep": "newer", "gen/deep" + packet.BackupSuffix: "old"},
			false, generator(both), false, verifier.FaultVerifier, "cut short",
			map[string]string{"out": "old", "gen/deep": "newer", "gen/deep" + packet.BackupSuffix: "old"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := newTree(t)
			tree.scope.Resumed = tc.resumed
			for path, text := range tc.before {
				tree.app.Write(path, text)
			}
			item := tree.command(tc.command)
			require.Equal(t, tc.pass, item.Pass, item.Details)
			require.Equal(t, tc.fault, item.Fault)
			require.Contains(t, item.Details, tc.details)
			if tc.pass {
				require.Equal(t, tc.command.Regenerates, item.Regenerated)
			}
			require.Equal(t, tc.after, written(t, tree.app.Dir))
		})
	}
}

// An evaluation that is stopped puts back what it had put aside.
func TestRegeneratesStopped(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("out", "old")
	ctx, cancel := context.WithCancel(t.Context())
	started := filepath.Join(tree.dir, "started")
	go func() {
		defer cancel()
		for {
			if _, err := os.Stat(started); err == nil || t.Context().Err() != nil {
				return
			}
		}
	}()
	contract := packet.Contract{Commands: []packet.Command{{
		Exec: "sh", Args: []string{"-c", "echo half > out; touch " + started + "; exec sleep 600"}, TimeoutMS: 600_000, Regenerates: []string{"out"},
	}}}
	_, err := verifier.Evaluate(ctx, contract, tree.scope)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, map[string]string{"out": "old"}, written(t, tree.app.Dir))
}

// What was put aside is neither judged nor shown as a change.
func TestBackupsAreNoChanges(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Commit("start")
	tree.app.Write("out"+packet.BackupSuffix, "old")
	report := tree.evaluate(packet.Contract{
		ChangedPathsOnly: []packet.PathEntry{{Path: "nothing"}},
		ReposClean:       []packet.CleanEntry{{Repo: "app"}},
	})
	require.True(t, report.Pass, report.Failures)
}

// written are the files of a repository.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	var files map[string]string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		require.NoError(t, err)
		if entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if entry.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if files == nil {
			files = map[string]string{}
		}
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		files[name] = string(text)
		return nil
	}))
	return files
}
