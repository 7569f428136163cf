package verifier_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Contracts may look into further directories when the manifest names them.
func TestVerifyRoots(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	common := filepath.Join(tree.dir, "common")
	require.NoError(t, os.Mkdir(common, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(common, "a.go"), []byte("debug()\n"), 0o644))
	require.NoError(t, os.Symlink(common, filepath.Join(tree.app.Dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(common, "a.go"), filepath.Join(tree.app.Dir, "a.go")))
	contract := packet.Contract{
		FilesExist:   []packet.PathEntry{{Path: "../common/a.go"}, {Path: "link/a.go"}},
		Glob:         []packet.GlobEntry{{PathEntry: packet.PathEntry{Path: "../common/*.go"}, MinMatches: 1}},
		SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "."}, Patterns: []string{"zebra"}}},
	}
	report := tree.evaluate(contract)
	require.Len(t, report.Failures, 4)
	for _, item := range report.Failures {
		require.Contains(t, item.Details, "verify_roots")
		require.Empty(t, item.Fault)
	}
	tree.scope.Roots = []string{common}
	require.True(t, tree.evaluate(contract).Pass)
}
