package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/packet"
)

// Baseline is the state of a work tree before a prompt's first session.
type Baseline struct {
	// Head is the commit, empty in a repository without any.
	Head string `json:"head"`
	// Branch is empty when HEAD is detached.
	Branch string `json:"branch"`
	// Dirty maps every path that differs from Head to the state of its content.
	Dirty map[string]string `json:"dirty"`
}

// Take records the present state of the work tree at repo.Dir.
func Take(ctx context.Context, repo gitcmd.Repo) (Baseline, error) {
	status, err := repo.Status(ctx)
	if err != nil {
		return Baseline{}, err
	}
	baseline := Baseline{Head: status.Head, Branch: status.Branch, Dirty: map[string]string{}}
	for _, path := range dirty(status.Changes) {
		baseline.Dirty[path], err = content(ctx, repo, path)
		if err != nil {
			return Baseline{}, err
		}
	}
	return baseline, nil
}

// Diff is how a work tree differs from a baseline.
type Diff struct {
	// Head and Branch are the present ones.
	Head   string
	Branch string
	// Changed are the uncommitted paths that the sessions changed, sorted.
	Changed []string
	// LeftOut are the paths that were dirty before and have not changed since.
	LeftOut []string
	// Restored are the paths that were dirty before and equal Head now, sorted:
	// there is nothing to commit, but they were changed.
	Restored []string
}

// Any reports whether anything changed: HEAD, or a path.
func (d Diff) Any(baseline Baseline) bool {
	return d.Head != baseline.Head || len(d.Changed) > 0 || len(d.Restored) > 0
}

// Compare tells what changed in the work tree since the baseline.
func Compare(ctx context.Context, repo gitcmd.Repo, baseline Baseline) (Diff, error) {
	status, err := repo.Status(ctx)
	if err != nil {
		return Diff{}, err
	}
	diff := Diff{Head: status.Head, Branch: status.Branch}
	present := dirty(status.Changes)
	for path := range baseline.Dirty {
		if _, still := slices.BinarySearch(present, path); !still {
			diff.Restored = append(diff.Restored, path)
		}
	}
	slices.Sort(diff.Restored)
	for _, path := range present {
		before, wasDirty := baseline.Dirty[path]
		if wasDirty {
			now, err := content(ctx, repo, path)
			if err != nil {
				return Diff{}, err
			}
			if now == before {
				diff.LeftOut = append(diff.LeftOut, path)
				continue
			}
		}
		diff.Changed = append(diff.Changed, path)
	}
	return diff, nil
}

// Paths lists every path that changed since the baseline, committed or not,
// sorted; diff is what Compare found.
func Paths(ctx context.Context, repo gitcmd.Repo, baseline Baseline, diff Diff) ([]string, error) {
	paths := slices.Concat(diff.Changed, diff.Restored)
	if diff.Head != baseline.Head {
		committed, err := repo.ChangedBetween(ctx, baseline.Head, diff.Head)
		if err != nil {
			return nil, err
		}
		paths = append(paths, slices.DeleteFunc(committed, projected)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// dirty lists the paths of changes, both sides of a rename, sorted.
func dirty(changes []gitcmd.Change) []string {
	var paths []string
	for _, change := range changes {
		for _, path := range change.Paths() {
			if !projected(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// projected reports whether a path is the runner's own: in a projection
// directory, or put aside by a verification.
func projected(path string) bool {
	return strings.HasSuffix(path, packet.BackupSuffix) || slices.Contains(strings.Split(path, "/"), packet.StateDir)
}

// content describes what is at a path of a repository, so that equal descriptions
// mean equal content and mode. What git would have to follow a symbolic link to,
// or look for below a file, is not there.
func content(ctx context.Context, repo gitcmd.Repo, name string) (string, error) {
	for i, letter := range name {
		if letter != '/' {
			continue
		}
		parent, err := os.Lstat(filepath.Join(repo.Dir, name[:i]))
		if err == nil && parent.Mode().Type() == fs.ModeSymlink {
			return "absent", nil
		}
	}
	path := filepath.Join(repo.Dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "absent", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return "link " + target, err
	case info.IsDir():
		return nested(ctx, gitcmd.Repo{Dir: path, Env: repo.Env})
	case !info.Mode().IsRegular():
		return info.Mode().Type().String(), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("file %t %s", info.Mode()&0o111 != 0, hex.EncodeToString(hash.Sum(nil))), nil
}

// nested describes a submodule or a repository inside of this one, which git
// reports as one path: by its commit and by what is uncommitted in it.
func nested(ctx context.Context, repo gitcmd.Repo) (string, error) {
	if _, err := os.Lstat(filepath.Join(repo.Dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		return "directory", nil
	}
	state, err := Take(ctx, repo)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(state)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return "repository " + hex.EncodeToString(sum[:]), nil
}
