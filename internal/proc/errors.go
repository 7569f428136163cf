package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Reason says why a program could not be started.
type Reason int

// The reasons of a StartError.
const (
	// Other is none of the following.
	Other Reason = iota
	// NotFound means that there is no such program.
	NotFound
	// NotExecutable means that the program exists but the system will not
	// execute it: no permission, a directory, no known format, or a script
	// whose interpreter does not exist.
	NotExecutable
	// BadDirectory means that the working directory cannot be used.
	BadDirectory
)

// StartError reports a program that could not be started. Nothing ran.
type StartError struct {
	Path   string
	Dir    string
	Reason Reason
	Err    error
}

// Error names the program, the directory and the reason.
func (e *StartError) Error() string {
	switch e.Reason {
	case NotFound:
		return fmt.Sprintf("cannot start %s: no such program: %v", e.Path, e.Err)
	case NotExecutable:
		return fmt.Sprintf("cannot start %s: it is not executable: %v", e.Path, e.Err)
	case BadDirectory:
		return fmt.Sprintf("cannot start %s in directory %s: %v", e.Path, e.Dir, e.Err)
	}
	return fmt.Sprintf("cannot start %s: %v", e.Path, e.Err)
}

// Unwrap returns the system's error.
func (e *StartError) Unwrap() error { return e.Err }

// startError classifies what the system said about starting path in dir.
func startError(path, dir string, err error) *StartError {
	failure := &StartError{Path: path, Dir: dir, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		failure.Reason = NotFound
		if _, statErr := os.Stat(path); statErr == nil {
			failure.Reason = NotExecutable
			failure.Err = fmt.Errorf("the interpreter that its first line names does not exist: %w", err)
		}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC), errors.Is(err, syscall.EISDIR):
		failure.Reason = NotExecutable
	}
	return failure
}
