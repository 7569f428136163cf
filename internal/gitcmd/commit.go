package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ErrNothingStaged says that the paths are in the index as in the commit checked
// out: there is nothing to commit.
var ErrNothingStaged = errors.New("nothing is staged at the paths to commit")

// CommitOnly commits what is staged at exactly these paths and returns the new
// commit. Hooks run. What else is staged stays staged and uncommitted. Trailers,
// "Key: value" each, follow the message, which is otherwise kept, lines that
// begin with "#" too. The error is ErrNothingStaged when there is nothing to do.
//
// It does not use "git commit --only": that commits the paths as they are in the
// work tree, and so takes back a "git rm --cached", follows a symbolic link that
// replaced a directory, and fails on a file that became a directory.
func (r Repo) CommitOnly(ctx context.Context, message string, trailers, paths []string) (string, error) {
	if strings.TrimSpace(message) == "" {
		return "", fmt.Errorf("commit in %s: the message is empty", r.Dir)
	}
	ours, others, err := r.staged(ctx, paths)
	if err != nil {
		return "", err
	}
	if len(ours) == 0 {
		return "", fmt.Errorf("commit in %s: %w", r.Dir, ErrNothingStaged)
	}
	scratch, err := os.MkdirTemp("", "prompt-runner-commit-*")
	if err != nil {
		return "", fmt.Errorf("commit in %s: %w", r.Dir, err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	file := filepath.Join(scratch, "message")
	if err := os.WriteFile(file, []byte(appendTrailers(message, trailers)), 0o600); err != nil {
		return "", fmt.Errorf("commit in %s: %w", r.Dir, err)
	}
	env := r.environment()
	if len(others) > 0 {
		index, err := r.indexWithout(ctx, others, scratch)
		if err != nil {
			return "", err
		}
		env = append(env, "GIT_INDEX_FILE="+index)
	}
	// Whitespace cleanup, unlike the default, has no comment lines. Unabbreviated
	// names let the summary name the commit without another process. Maintenance
	// is left to the git commands of people: it would run after every commit.
	out, err := r.run(ctx, "", env, []string{
		"-c", "core.abbrev=no", "-c", "maintenance.auto=false", "-c", "gc.auto=0",
		"commit", "--cleanup=whitespace", "--file=" + file,
	})
	if err != nil {
		return "", err
	}
	if sha := summaryCommit.FindStringSubmatch(out); sha != nil {
		return sha[1], nil
	}
	out, err = r.read(ctx, "rev-parse", "--verify", "HEAD")
	return strings.TrimSpace(out), err
}

// summaryCommit finds the commit in "[main 1a2b...] subject".
var summaryCommit = regexp.MustCompile(`(?m)^\[[^\]]* ([0-9a-f]{40}|[0-9a-f]{64})\] `)
