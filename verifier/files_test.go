package verifier_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

func TestFilesExistAndAbsent(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("file", "x")
	tree.app.Write("dir/in", "x")
	tree.lib.Write("other", "x")
	require.NoError(t, os.WriteFile(filepath.Join(tree.scope.Root, "note"), nil, 0o644))
	link := func(target, name string) {
		require.NoError(t, os.Symlink(target, filepath.Join(tree.app.Dir, name)))
	}
	link("nowhere", "dangling")
	link("../lib/other", "into lib")
	link("/etc", "out")
	link("../../../../../../../../etc/hostname-to-be", "dangling out")
	link("loop", "loop")

	type verdict int
	const (
		there verdict = iota
		nothing
		refused
	)
	for name, tc := range map[string]struct {
		entry packet.PathEntry
		want  verdict
		repo  string
	}{
		"file":                     {packet.PathEntry{Path: "file"}, there, "app"},
		"directory":                {packet.PathEntry{Path: "dir"}, there, "app"},
		"root":                     {packet.PathEntry{Path: "."}, there, "app"},
		"nothing":                  {packet.PathEntry{Path: "none/at/all"}, nothing, "app"},
		"below a file":             {packet.PathEntry{Path: "file/x"}, nothing, "app"},
		"dangling link":            {packet.PathEntry{Path: "dangling"}, nothing, "app"},
		"named repository":         {packet.PathEntry{Repo: "lib", Path: "other"}, there, "lib"},
		"packet":                   {packet.PathEntry{Repo: "packet", Path: "note"}, there, "packet"},
		"up and into a repository": {packet.PathEntry{Path: "../lib/other"}, there, "app"},
		"absolute in a repository": {packet.PathEntry{Path: tree.lib.Dir + "/other"}, there, "app"},
		"link into a repository":   {packet.PathEntry{Path: "into lib"}, there, "app"},
		"up and out":               {packet.PathEntry{Path: "../secret"}, refused, "app"},
		"absolute":                 {packet.PathEntry{Path: "/etc/passwd"}, refused, "app"},
		"link out":                 {packet.PathEntry{Path: "out/passwd"}, refused, "app"},
		"dangling link out":        {packet.PathEntry{Path: "dangling out"}, refused, "app"},
		"sibling of like name":     {packet.PathEntry{Path: "../app2/x"}, refused, "app"},
		"link loop":                {packet.PathEntry{Path: "loop"}, refused, "app"},
		"unknown repository":       {packet.PathEntry{Repo: "none", Path: "file"}, refused, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			exists := tree.item(packet.Contract{FilesExist: []packet.PathEntry{tc.entry}})
			require.Equal(t, tc.want == there, exists.Pass, exists.Details)
			require.Equal(t, verifier.FileExists, exists.Kind)
			require.Equal(t, tc.repo, exists.Repo)
			require.Equal(t, tc.entry.Path, exists.Path)
			require.Empty(t, exists.Fault)

			absent := tree.item(packet.Contract{FilesAbsent: []packet.PathEntry{tc.entry}})
			require.Equal(t, tc.want == nothing, absent.Pass, absent.Details)
			require.Equal(t, verifier.FileAbsent, absent.Kind)
			require.Empty(t, absent.Fault)
		})
	}
}

func TestRefusedPathNamesTheRoots(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	item := tree.item(packet.Contract{FilesExist: []packet.PathEntry{{Path: "../secret"}}})
	for _, want := range []string{"../secret", filepath.Join(tree.dir, "secret"), tree.app.Dir, tree.lib.Dir, tree.scope.Root} {
		require.Contains(t, item.Details, want)
	}
	item = tree.item(packet.Contract{FilesExist: []packet.PathEntry{{Repo: "none", Path: "x"}}})
	require.Equal(t, "unknown repository none; the packet has app, lib, packet", item.Details)
}

func TestContainsAndMatches(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("file", "first line\nsecond (line)\n")
	tree.app.Write("long", strings.Repeat("a", 64)+"b")
	require.NoError(t, syscall.Mkfifo(filepath.Join(tree.app.Dir, "pipe"), 0o600))
	sparse, err := os.Create(filepath.Join(tree.app.Dir, "huge"))
	require.NoError(t, err)
	require.NoError(t, sparse.Truncate(64<<20+1))
	require.NoError(t, sparse.Close())

	for name, tc := range map[string]struct {
		kind        verifier.Kind
		path, value string
		pass        bool
		fault       verifier.Fault
		details     string
	}{
		"text":             {verifier.Contains, "file", "second (line)", true, "", "ok"},
		"empty text":       {verifier.Contains, "file", "", true, "", "ok"},
		"other text":       {verifier.Contains, "file", "Second", false, "", `to contain the text "Second"; the file holds "first line\n`},
		"text, no file":    {verifier.Contains, "none", "", false, "", "missing file"},
		"text, directory":  {verifier.Contains, ".git", "", false, "", "not a regular file"},
		"text, named pipe": {verifier.Contains, "pipe", "", false, "", "not a regular file"},
		"text, huge file":  {verifier.Contains, "huge", "", false, verifier.FaultVerifier, "larger than 64 MiB"},
		"text, outside":    {verifier.Contains, "../../x", "", false, "", "outside of the packet"},
		"pattern":          {verifier.Matches, "file", `(?m)^second \(\w+\)$`, true, "", "ok"},
		"no flags":         {verifier.Matches, "file", `^second`, false, "", `to match the regular expression "^second"`},
		"pattern, no file": {verifier.Matches, "none", `x`, false, "", "missing file"},
		"bad pattern":      {verifier.Matches, "file", `(`, false, verifier.FaultVerifier, "does not compile"},
		"look-ahead":       {verifier.Matches, "file", `(?=first)`, true, "", "ok"},
		"endless":          {verifier.Matches, "long", `^(a+)+(?!x)$`, false, verifier.FaultVerifier, "could not tell"},
	} {
		t.Run(name, func(t *testing.T) {
			contract := packet.Contract{}
			entry := packet.PathEntry{Path: tc.path}
			if tc.kind == verifier.Contains {
				contract.Contains = []packet.TextEntry{{PathEntry: entry, Text: tc.value}}
			} else {
				contract.Matches = []packet.PatternEntry{{PathEntry: entry, Pattern: tc.value}}
			}
			item := tree.item(contract)
			require.Equal(t, tc.kind, item.Kind)
			require.Equal(t, tc.pass, item.Pass)
			require.Equal(t, tc.fault, item.Fault)
			require.Contains(t, item.Details, tc.details)
		})
	}
}

func TestUnreadableIsAFault(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	tree := newTree(t)
	tree.app.Write("closed/file", "x")
	closed := filepath.Join(tree.app.Dir, "closed")
	require.NoError(t, os.Chmod(closed, 0))
	t.Cleanup(func() { require.NoError(t, os.Chmod(closed, 0o755)) })
	entry := packet.PathEntry{Path: "closed/file"}
	report := tree.evaluate(packet.Contract{
		FilesExist: []packet.PathEntry{entry}, FilesAbsent: []packet.PathEntry{entry},
		Contains: []packet.TextEntry{{PathEntry: entry}},
	})
	require.Len(t, report.Faults, 3)
}
