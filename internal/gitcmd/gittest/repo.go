package gittest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/proc"
)

// Repo is a repository on the branch main, without a commit at first.
type Repo struct {
	gitcmd.Repo
	tb testing.TB
}

// New makes a repository in a temporary directory.
func New(tb testing.TB) *Repo {
	tb.Helper()
	// git reports paths with symbolic links resolved.
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	require.NoError(tb, err)
	return At(tb, dir)
}

// At makes a repository in dir, which must exist.
func At(tb testing.TB, dir string) *Repo {
	tb.Helper()
	repo := &Repo{Repo: gitcmd.Repo{Dir: dir, Env: Env(tb)}, tb: tb}
	repo.Git("init", "--quiet", "--initial-branch=main")
	return repo
}

// Env is the environment of this process with an identity, and without the
// configuration of the machine and the user.
func Env(tb testing.TB) []string {
	tb.Helper()
	config := filepath.Join(tb.TempDir(), "gitconfig")
	require.NoError(tb, os.WriteFile(config, []byte("[user]\n\tname = Test\n\temail = test@example.com\n"), 0o600))
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+config, "GIT_CONFIG_NOSYSTEM=1")
}

// Git runs a git command that must succeed, and returns its output without the
// final line break.
func (r *Repo) Git(args ...string) string {
	r.tb.Helper()
	result := r.Try(args...)
	require.Zero(r.tb, result.ExitCode, "git %v: %s", args, result.Combined)
	return strings.TrimSuffix(string(result.Stdout), "\n")
}

// Try runs a git command that may fail.
func (r *Repo) Try(args ...string) proc.Result {
	r.tb.Helper()
	result, err := proc.Run(r.tb.Context(), proc.Command{Path: "git", Args: args, Dir: r.Dir, Env: r.Env})
	require.NoError(r.tb, err)
	return result
}

// Write writes a file of the work tree and the directories above it.
func (r *Repo) Write(name, text string) {
	r.tb.Helper()
	path := filepath.Join(r.Dir, name)
	require.NoError(r.tb, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.tb, os.WriteFile(path, []byte(text), 0o644))
}

// Remove removes a file or directory of the work tree.
func (r *Repo) Remove(name string) {
	r.tb.Helper()
	require.NoError(r.tb, os.RemoveAll(filepath.Join(r.Dir, name)))
}

// Commit commits the whole work tree and returns the commit.
func (r *Repo) Commit(message string) string {
	r.tb.Helper()
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--allow-empty", "--message="+message)
	return r.Git("rev-parse", "HEAD")
}
