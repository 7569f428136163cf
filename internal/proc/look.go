package proc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Look finds the program that name means in dir under env, as [Run] does: a name
// with a slash is a path, relative to dir; a bare name is looked up in the PATH
// of env. The error is a *StartError.
func Look(name, dir string, env []string) (string, error) {
	if name == "" {
		return "", &StartError{Path: `""`, Dir: dir, Reason: NotFound, Err: fs.ErrNotExist}
	}
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return "", startError(name, dir, err)
		}
		if err := executable(path); err != nil {
			return "", startError(path, dir, err)
		}
		return path, nil
	}
	if env == nil {
		env = os.Environ()
	}
	list := variable(env, "PATH")
	var denied error
	for _, entry := range filepath.SplitList(list) {
		// A relative entry would make the program depend on the tree it judges.
		if !filepath.IsAbs(entry) {
			continue
		}
		path := filepath.Join(entry, name)
		err := executable(path)
		if err == nil {
			return path, nil
		}
		if os.IsPermission(err) && denied == nil {
			denied = startError(path, dir, err)
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", &StartError{Path: name, Dir: dir, Reason: NotFound, Err: fmt.Errorf("%w in PATH %q", fs.ErrNotExist, list)}
}

// executable reports why path is not a program, or nil.
func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "exec", Path: path, Err: syscall.EISDIR}
	case info.Mode()&0o111 == 0:
		return &fs.PathError{Op: "exec", Path: path, Err: fs.ErrPermission}
	}
	return nil
}

// variable returns the last value of name in env.
func variable(env []string, name string) string {
	value := ""
	for _, entry := range env {
		if rest, ok := strings.CutPrefix(entry, name+"="); ok {
			value = rest
		}
	}
	return value
}
