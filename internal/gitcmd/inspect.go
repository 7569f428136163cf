package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Info says where a Repo is and what is checked out in it.
type Info struct {
	// Root is the root of the work tree.
	Root string
	// GitDir is the work tree's own git directory, CommonDir the one it shares
	// with the other work trees of the repository. They differ in linked work
	// trees only.
	GitDir, CommonDir string
	// Head is the commit checked out; empty before the first commit.
	Head string
	// Branch is the branch checked out; empty when HEAD is detached.
	Branch string
}

// Inspect looks at the repository. It fails when Dir is in no work tree.
func (r Repo) Inspect(ctx context.Context) (Info, error) {
	out, err := r.read(ctx, "rev-parse", "--path-format=absolute",
		"--show-toplevel", "--git-dir", "--git-common-dir", "HEAD", "--symbolic-full-name", "HEAD")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if err != nil {
		// Before the first commit HEAD names no commit. rev-parse then fails, but
		// has answered everything before: the paths, and "HEAD" as it was given.
		if _, ok := errors.AsType[*Error](err); ok && len(lines) >= 4 && lines[3] == "HEAD" {
			return r.inspectUnborn(ctx, lines)
		}
		return Info{}, err
	}
	if len(lines) != 5 {
		return Info{}, fmt.Errorf("git rev-parse in %s answered %d lines instead of 5; a path with a line break in it is not supported", r.Dir, len(lines))
	}
	info := Info{Root: lines[0], GitDir: lines[1], CommonDir: lines[2], Head: lines[3]}
	info.Branch, _ = strings.CutPrefix(lines[4], "refs/heads/")
	if lines[4] == "HEAD" {
		info.Branch = ""
	}
	return info, nil
}

func (r Repo) inspectUnborn(ctx context.Context, lines []string) (Info, error) {
	ref, err := r.read(ctx, "symbolic-ref", "HEAD")
	if err != nil {
		return Info{}, err
	}
	branch, _ := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	return Info{Root: lines[0], GitDir: lines[1], CommonDir: lines[2], Branch: branch}, nil
}

// InProgress names the operation that the work tree is in the middle of:
// "rebase", "merge", "cherry-pick", "revert" or "bisect"; empty when none.
func (i Info) InProgress() (string, error) {
	for _, mark := range []struct{ file, operation string }{
		// A rebase that stopped leaves CHERRY_PICK_HEAD, too.
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"BISECT_LOG", "bisect"},
	} {
		_, err := os.Lstat(filepath.Join(i.GitDir, mark.file))
		switch {
		case err == nil:
			return mark.operation, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("find out whether a %s is in progress: %w", mark.operation, err)
		}
	}
	return "", nil
}
