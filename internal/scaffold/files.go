package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
)

// ExistsError says that a file is there already and was left alone.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return e.Path + " exists already; it was left as it is (--force replaces it)"
}

// InputError is something that was asked for and cannot be written.
type InputError struct{ message string }

func (e *InputError) Error() string { return e.message }

func inputf(format string, args ...any) error {
	return &InputError{message: fmt.Sprintf(format, args...)}
}

// rewrite replaces a file that is there: the one that a link leads to, with the
// permissions that it has.
func rewrite(path, text string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	return atomicfile.Replace(real, []byte(text), info.Mode().Perm())
}

// write creates a file and the directories above it. One that exists is only
// replaced with force.
func write(path, text string, force bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if !force {
		if err := checkMissing(path); err != nil {
			return err
		}
	}
	return atomicfile.Replace(path, []byte(text), 0o644)
}

// checkMissing refuses a path where something is.
func checkMissing(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return &ExistsError{Path: path}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}
