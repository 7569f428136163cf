package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Stage puts the paths into the index as they are in the work tree now: new,
// changed or gone. An ignored path that is not in the index stays out of it, so
// that "git rm --cached" of a file that is ignored from now on is kept.
func (r Repo) Stage(ctx context.Context, paths []string) error {
	present, gone, err := r.split(paths)
	if err != nil {
		return err
	}
	// First what is gone: a file may have become a directory. git add would
	// refuse a path that neither index nor work tree has.
	if len(gone) > 0 {
		if _, err := r.write(ctx, list(gone), "update-index", "--force-remove", "-z", "--stdin"); err != nil {
			return err
		}
	}
	err = r.add(ctx, present)
	if _, failed := errors.AsType[*Error](err); !failed {
		return err
	}
	ignored, ignoredErr := r.ignored(ctx, present)
	if ignoredErr != nil || len(ignored) == 0 {
		return err
	}
	return r.add(ctx, slices.DeleteFunc(present, func(name string) bool { return slices.Contains(ignored, name) }))
}

func (r Repo) add(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := r.write(ctx, list(paths), "--literal-pathspecs", "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul")
	return err
}

// ignored returns which of the paths are ignored and not in the index.
func (r Repo) ignored(ctx context.Context, paths []string) ([]string, error) {
	// check-ignore has no literal pathspecs; a path that begins with ./ is one.
	dotted := make([]string, len(paths))
	for i, name := range paths {
		dotted[i] = "./" + name
	}
	out, err := r.write(ctx, list(dotted), "check-ignore", "-z", "--stdin")
	if none(err) {
		return nil, nil
	}
	found := records(out)
	for i, name := range found {
		found[i] = strings.TrimPrefix(name, "./")
	}
	return found, err
}

// split tells the paths that exist from those that are gone.
func (r Repo) split(paths []string) (present, gone []string, err error) {
	for _, name := range paths {
		if !filepath.IsLocal(name) || name == "." {
			return nil, nil, fmt.Errorf("stage in %s: %q is not a path below it", r.Dir, name)
		}
		exists, err := r.exists(name)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("stage in %s: %w", r.Dir, err)
		case exists:
			present = append(present, name)
		default:
			gone = append(gone, name)
		}
	}
	return present, gone, nil
}

// exists reports whether git can have an entry of that name: a directory is one
// only when it is a repository, and what lies behind a symbolic link has another
// name.
func (r Repo) exists(name string) (bool, error) {
	for parent := path.Dir(name); parent != "."; parent = path.Dir(parent) {
		info, err := os.Lstat(filepath.Join(r.Dir, parent))
		if err == nil && info.Mode().Type() == fs.ModeSymlink {
			return false, nil
		}
	}
	full := filepath.Join(r.Dir, name)
	info, err := os.Lstat(full)
	if err == nil && info.IsDir() {
		_, err = os.Lstat(filepath.Join(full, ".git"))
	}
	// ENOTDIR: a directory became a file.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	return err == nil, err
}

// list writes paths the way git reads them from its input.
func list(paths []string) string { return strings.Join(paths, "\x00") + "\x00" }
