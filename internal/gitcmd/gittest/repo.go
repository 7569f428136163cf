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
	t testing.TB
}

// New makes a repository in a temporary directory.
func New(t testing.TB) *Repo {
	t.Helper()
	// git reports paths with symbolic links resolved.
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return At(t, dir)
}

// At makes a repository in dir, which must exist.
func At(t testing.TB, dir string) *Repo {
	t.Helper()
	repo := &Repo{Repo: gitcmd.Repo{Dir: dir, Env: Env(t)}, t: t}
	repo.Git("init", "--quiet", "--initial-branch=main")
	return repo
}

// Env is the environment of this process with an identity, and without the
// configuration of the machine and the user.
func Env(t testing.TB) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "gitconfig")
	require.NoError(t, os.WriteFile(config, []byte("[user]\n\tname = Test\n\temail = test@example.com\n"), 0o600))
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+config, "GIT_CONFIG_NOSYSTEM=1")
}

// Git runs a git command that must succeed, and returns its output without the
// final line break.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	result := r.Try(args...)
	require.Zero(r.t, result.ExitCode, "git %v: %s", args, result.Combined)
	return strings.TrimSuffix(string(result.Stdout), "\n")
}

// Try runs a git command that may fail.
func (r *Repo) Try(args ...string) proc.Result {
	r.t.Helper()
	result, err := proc.Run(r.t.Context(), proc.Command{Path: "git", Args: args, Dir: r.Dir, Env: r.Env})
	require.NoError(r.t, err)
	return result
}

// Write writes a file of the work tree and the directories above it.
func (r *Repo) Write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.Dir, name)
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o644))
}

// Remove removes a file or directory of the work tree.
func (r *Repo) Remove(name string) {
	r.t.Helper()
	require.NoError(r.t, os.RemoveAll(filepath.Join(r.Dir, name)))
}

// Commit commits the whole work tree and returns the commit.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--allow-empty", "--message="+message)
	return r.Git("rev-parse", "HEAD")
}
