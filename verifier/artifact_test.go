package verifier_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

func TestArtifacts(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	built := filepath.Join(tree.dir, "built")
	require.NoError(t, os.Mkdir(built, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(built, "tool"), []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(built, "secret"), []byte("x"), 0o644))
	require.NoError(t, os.Symlink("built/tool", filepath.Join(tree.dir, "link")))
	tree.scope.Artifacts = map[string]string{"tool": filepath.Join(built, "tool"), "link": filepath.Join(tree.dir, "link")}

	for name, tc := range map[string]struct {
		entry   packet.PathEntry
		pass    bool
		fault   verifier.Fault
		details string
	}{
		"itself":          {packet.PathEntry{Repo: "@artifact:tool"}, true, "", ""},
		"itself, spelled": {packet.PathEntry{Repo: "@artifact:tool", Path: "."}, true, "", ""},
		"behind a link":   {packet.PathEntry{Repo: "@artifact:link", Path: "."}, true, "", ""},
		"beside it":       {packet.PathEntry{Repo: "@artifact:tool", Path: "../secret"}, false, "", "not in the artifact"},
		"absolute":        {packet.PathEntry{Repo: "@artifact:tool", Path: "/etc/passwd"}, false, "", "not in the artifact"},
		"far away":        {packet.PathEntry{Repo: "@artifact:tool", Path: "../../../../../../etc/passwd"}, false, "", "not in the artifact"},
		"not built":       {packet.PathEntry{Repo: "@artifact:none"}, false, verifier.FaultVerifier, "built by a workspace"},
	} {
		t.Run(name, func(t *testing.T) {
			report := tree.evaluate(packet.Contract{
				FilesExist:   []packet.PathEntry{tc.entry},
				Contains:     []packet.TextEntry{{PathEntry: tc.entry, Text: "#!"}},
				Glob:         []packet.GlobEntry{{PathEntry: tc.entry, MinMatches: 1, NonEmpty: true}},
				SourceAbsent: []packet.SourceEntry{{PathEntry: tc.entry, Patterns: []string{"zebra"}}},
			})
			require.Len(t, report.Items, 4)
			for _, item := range report.Items {
				require.Equal(t, tc.pass, item.Pass, item.Details)
				require.Equal(t, tc.fault, item.Fault)
				require.Contains(t, item.Details, tc.details)
			}
			if !tc.pass {
				absent := tree.item(packet.Contract{FilesAbsent: []packet.PathEntry{tc.entry}})
				require.False(t, absent.Pass, "what may not be looked at is not absent")
			}
		})
	}

	below := packet.PathEntry{Repo: "@artifact:tool", Path: "inside"}
	require.False(t, tree.item(packet.Contract{FilesExist: []packet.PathEntry{below}}).Pass)
	require.True(t, tree.item(packet.Contract{FilesAbsent: []packet.PathEntry{below}}).Pass)

	require.True(t, tree.command(packet.Command{Exec: "@artifact:tool"}).Pass)
	item := tree.command(packet.Command{Exec: "@artifact:none"})
	require.Equal(t, verifier.FaultVerifier, item.Fault)
	require.Contains(t, item.Details, "built by a workspace")
	item = tree.command(packet.Command{Exec: "true", Repo: "@artifact:tool"})
	require.False(t, item.Pass)
	require.Contains(t, item.Details, "@artifact:tool is a file, and this entry needs a repository")
}
