package verifier_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// Contracts may look into further directories when the manifest names them.
func TestVerifyRoots(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	shared := filepath.Join(tree.dir, "shared")
	require.NoError(t, os.Mkdir(shared, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(shared, "a.go"), []byte("debug()\n"), 0o644))
	require.NoError(t, os.Symlink(shared, filepath.Join(tree.app.Dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(shared, "a.go"), filepath.Join(tree.app.Dir, "a.go")))
	contract := packet.Contract{
		FilesExist:   []packet.PathEntry{{Path: "../shared/a.go"}, {Path: "link/a.go"}},
		Glob:         []packet.GlobEntry{{PathEntry: packet.PathEntry{Path: "../shared/*.go"}, MinMatches: 1}},
		SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "."}, Patterns: []string{"zebra"}}},
	}
	report := tree.evaluate(contract)
	require.Len(t, report.Failures, 4)
	for _, item := range report.Failures {
		require.Contains(t, item.Details, "verify_roots")
		require.Empty(t, item.Fault)
	}
	tree.scope.Roots = []string{shared}
	require.True(t, tree.evaluate(contract).Pass)
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tool := filepath.Join(tree.dir, "tool")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho built\n"), 0o755))
	contract := packet.Contract{
		FilesExist: []packet.PathEntry{{Repo: "@artifact:tool"}, {Repo: "@artifact:tool", Path: "."}},
		Contains:   []packet.TextEntry{{PathEntry: packet.PathEntry{Repo: "@artifact:tool"}, Text: "built"}},
		Commands:   []packet.Command{{Exec: "@artifact:tool", TimeoutMS: 10_000, StdoutContains: "built"}},
	}
	report := tree.evaluate(contract)
	require.Len(t, report.Faults, 4)
	for _, item := range report.Faults {
		require.Contains(t, item.Details, "the artifact tool is not built")
	}
	tree.scope.Artifacts = map[string]string{"tool": tool}
	report = tree.evaluate(contract)
	require.True(t, report.Pass, report.Failures)
	item := tree.item(packet.Contract{FilesExist: []packet.PathEntry{{Repo: "@artifact:tool", Path: "inside"}}})
	require.False(t, item.Pass)
	require.Equal(t, verifier.FileExists, item.Kind)
}
