package gitcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error reports a git command that failed.
type Error struct {
	// Args is the command without "git -C Dir".
	Args []string
	Dir  string
	// ExitCode is -1 when a signal ended git.
	ExitCode int
	// Stderr is what git said; its output when it said nothing there.
	Stderr string
}

// NoWorkTree reports whether git failed because the directory does not exist or
// is in no work tree.
func (e *Error) NoWorkTree() bool {
	return slices.ContainsFunc([]string{
		"not a git repository", "must be run in a work tree", "cannot change to",
	}, func(said string) bool { return strings.Contains(e.Stderr, said) })
}

// none reports whether git failed only to say that it found nothing: exit code 1
// of a command that looks something up.
func none(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	return ok && failure.ExitCode == 1
}

// Error names the command, the directory, the exit code and git's words.
func (e *Error) Error() string {
	text := e.Stderr
	if text == "" {
		text = "it said nothing"
	}
	return fmt.Sprintf("git %s in %s failed (exit code %d): %s", strings.Join(e.Args, " "), e.Dir, e.ExitCode, text)
}
