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

// write creates a file and the directories above it. One that exists is only
// replaced with force.
func write(path, text string, force bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if !force {
		_, err := os.Lstat(path)
		if err == nil {
			return &ExistsError{Path: path}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return atomicfile.Replace(path, []byte(text), 0o644)
}
