package gitcmd_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("a b", "one\n")
	r.Write("left", "one\n")
	first := r.Commit("first")
	r.Write("a b", "two\n")
	second := r.Commit("second")
	r.Write("a b", "three\n")
	r.Write("left", "three\n")
	diff := func(from, to string, paths []string, o gitcmd.DiffOptions) string {
		text, err := r.Diff(t.Context(), from, to, paths, o)
		require.NoError(t, err)
		return text
	}
	require.Contains(t, diff(first, second, nil, gitcmd.DiffOptions{}), "-one\n+two\n")
	require.Contains(t, diff(first, second, nil, gitcmd.DiffOptions{Stat: true}), "1 file changed")
	require.Contains(t, diff(first, second, nil, gitcmd.DiffOptions{Colour: true}), "\x1b[")
	worktree := diff(first, "", []string{"a b"}, gitcmd.DiffOptions{})
	require.Contains(t, worktree, "-one\n+three\n")
	require.NotContains(t, worktree, "left")
	require.Contains(t, diff("", first, nil, gitcmd.DiffOptions{}), "+one\n")
	require.Empty(t, diff(first, first, nil, gitcmd.DiffOptions{}))
	_, err := r.Diff(t.Context(), "nonsense", "", nil, gitcmd.DiffOptions{})
	require.Error(t, err)
}

func TestDiffNew(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("sub/näw \"x\"", "text\n")
	r.Write("binary", "\x00\x01\xff")
	r.Write("empty", "")
	text, err := r.DiffNew(t.Context(), "sub/näw \"x\"", gitcmd.DiffOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "+text\n")
	text, err = r.DiffNew(t.Context(), "binary", gitcmd.DiffOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "Binary files /dev/null and b/binary differ")
	text, err = r.DiffNew(t.Context(), "empty", gitcmd.DiffOptions{})
	require.NoError(t, err)
	require.Contains(t, text, "new file mode")
	_, err = r.DiffNew(t.Context(), "gone", gitcmd.DiffOptions{})
	require.Error(t, err)
}
