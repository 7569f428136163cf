package gitcmd

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// prefix is Dir relative to the root of its work tree, with a trailing slash;
// empty at the root. Only below the root does it cost a process.
func (r Repo) prefix(ctx context.Context) (string, error) {
	if r.isRoot() {
		return "", nil
	}
	out, err := r.read(ctx, "rev-parse", "--show-prefix")
	return strings.TrimSuffix(out, "\n"), err
}

// isRoot applies git's own test for a repository: a file .git, or a directory
// .git that holds HEAD, objects and refs. An empty directory .git is none.
func (r Repo) isRoot() bool {
	dir := filepath.Join(r.Dir, ".git")
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return true
	}
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
