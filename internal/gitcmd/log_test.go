package gitcmd_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

func TestLogListsTheNewestCommits(t *testing.T) {
	repo := gittest.New(t)
	_, err := repo.Log(t.Context(), 5)
	require.Error(t, err, "an unborn branch has no commits")
	for _, subject := range []string{"first", "second", "third"} {
		repo.Git("commit", "--quiet", "--allow-empty", "--message", subject+"\n\nbody")
	}
	commits, err := repo.Log(t.Context(), 2)
	require.NoError(t, err)
	require.Len(t, commits, 2)
	require.Regexp(t, `^[0-9a-f]{4,40} third$`, commits[0])
	require.Regexp(t, `^[0-9a-f]{4,40} second$`, commits[1])
}
