package verifier_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// However much there is, a report keeps the first and counts all.
func TestItemsAreBounded(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	for i := range 150 {
		tree.app.Write(fmt.Sprintf("many/%03d.txt", i), "debug\n"+strings.Repeat("x", 1000)+" debug\n")
	}
	at := packet.PathEntry{Path: "many/*.txt"}
	none := 0
	item := tree.item(packet.Contract{Glob: []packet.GlobEntry{{PathEntry: at, MaxMatches: &none}}})
	require.False(t, item.Pass)
	require.Equal(t, 150, item.Matched)
	require.Len(t, item.Matches, 100)
	require.Equal(t, tree.app.Dir+"/many/000.txt", item.Matches[0])
	require.Contains(t, item.Details, "and 100 more")

	item = tree.item(packet.Contract{SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "many"}, Patterns: []string{"debug"}}}})
	require.False(t, item.Pass)
	require.Equal(t, 300, item.Found)
	require.Len(t, item.Findings, 200)
	require.Equal(t, 150, item.FilesChecked)
	for _, finding := range item.Findings {
		require.LessOrEqual(t, len(finding.Text), 210)
	}
	require.LessOrEqual(t, len(item.Details), 16<<10)
}

func TestSourceAbsentReadsEverything(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text    string
		pattern string
		line    int
	}{
		"very long line":          {strings.Repeat("x", 5<<20) + "debug", "debug$", 1},
		"bytes that are no text":  {"\x00\xff\xfe\n\xffdebug\x00\n", "debug", 2},
		"the same, with lookback": {"\x00\xff\xfe\n\xffdebug\x00\n", "(?<!x)debug", 2},
		"carriage returns":        {"a\r\ndebug\r\n", "debug$", 2},
		"a carriage return":       {"a\r\ndebug\r\n", `debug\r`, 2},
		"no final line feed":      {"a\ndebug", "^debug$", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := newTree(t)
			tree.app.Write("file", tc.text)
			item := tree.item(packet.Contract{SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "."}, Patterns: []string{tc.pattern}}}})
			require.False(t, item.Pass)
			require.Empty(t, item.Fault, item.Details)
			require.Len(t, item.Findings, 1)
			require.Equal(t, tc.line, item.Findings[0].Line)
		})
	}
}

func TestSourceAbsentCannotRead(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	huge, err := os.Create(filepath.Join(tree.app.Dir, "huge"))
	require.NoError(t, err)
	require.NoError(t, huge.Truncate(64<<20+1))
	require.NoError(t, huge.Close())
	item := tree.item(packet.Contract{SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "."}, Patterns: []string{"zebra"}}}})
	require.False(t, item.Pass)
	require.Equal(t, verifier.FaultVerifier, item.Fault)
	require.Contains(t, item.Details, "huge: it is larger than 64 MiB")
}

// Looking at a named pipe does not wait for who writes to it.
func TestGlobNamedPipe(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(tree.app.Dir, "pipe"), 0o600))
	for _, path := range []string{"pipe", "p*", "{pipe,none}"} {
		item := tree.item(packet.Contract{Glob: []packet.GlobEntry{{PathEntry: packet.PathEntry{Path: path}, MinMatches: 1}}})
		require.True(t, item.Pass, item.Details)
		item = tree.item(packet.Contract{Glob: []packet.GlobEntry{{PathEntry: packet.PathEntry{Path: path}, MinMatches: 1, NonEmpty: true}}})
		require.False(t, item.Pass, "a pipe is no file with content")
	}
}
