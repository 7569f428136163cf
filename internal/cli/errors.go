package cli

import (
	"errors"
	"fmt"
	"strings"
)

// usageError is a command line that cannot be carried out as it stands.
type usageError struct {
	message string
	// command is the command whose help is worth reading; empty for none.
	command string
}

func (e *usageError) Error() string {
	if e.command == "" {
		return e.message
	}
	return fmt.Sprintf("%s\nsee: %s --help", e.message, e.command)
}

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// runtimeError is a local runtime that did not come up, or went away.
type runtimeError struct{ err error }

func (e *runtimeError) Error() string { return e.err.Error() }
func (e *runtimeError) Unwrap() error { return e.err }

// errDetached ends a command that followed a run which goes on. What there is to
// say has been said when it is returned.
var errDetached = errors.New("detached")

// outcomeError is the exit code of a command whose output has said everything.
type outcomeError int

func (e outcomeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// silent reports errors that are exit codes only.
func silent(err error) bool {
	_, outcome := errors.AsType[outcomeError](err)
	return outcome || errors.Is(err, errDetached)
}

// errorDocument is what a command with --json prints when it has nothing else.
type errorDocument struct {
	Schema string `json:"schema,omitempty"`
	Pass   bool   `json:"pass?"`
	Error  string `json:"error"`
}

// refused reports an error that leaves a command without a result, if there is one:
// with --json the result is a document that says so.
func (a *app) refused(asJSON bool, schema string, err error) error {
	if asJSON && err != nil && !silent(err) {
		if printed := a.printJSON(errorDocument{Schema: schema, Error: err.Error()}); printed != nil {
			return printed
		}
	}
	return err
}

// nextError adds the commands to go on with to an error.
type nextError struct {
	err   error
	steps []step
}

// step is a command and what it is good for.
type step struct{ purpose, command string }

func (e *nextError) Error() string {
	var text strings.Builder
	text.WriteString(e.err.Error())
	for _, step := range e.steps {
		fmt.Fprintf(&text, "\nto %s: %s", step.purpose, step.command)
	}
	return text.String()
}

func (e *nextError) Unwrap() error { return e.err }

// withNext adds steps unless the message has commands of its own.
func withNext(err error, steps ...step) error {
	if err == nil || strings.Contains(err.Error(), "\nto ") {
		return err
	}
	return &nextError{err: err, steps: steps}
}
