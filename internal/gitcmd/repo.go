package gitcmd

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/proc"
)

// maxOutput bounds what is read from one git process, in bytes. Beyond it the
// answer is an error, never half an answer.
const maxOutput = 64 << 20

// maxDuration bounds one git process, hooks included: one that hangs must not
// hold a run for ever.
const maxDuration = 30 * time.Minute

// Repo is a directory in a work tree: its root, or a directory below. Every path
// that goes in or comes out is relative to Dir, with forward slashes; what lies
// outside of Dir is not part of the Repo.
type Repo struct {
	Dir string
	// Env is the environment of git and its hooks; nil means the caller's.
	Env []string
}

// local are the variables that point git at another repository than Dir; git
// sets them for its hooks, and so for a runner started by one.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_DIR", "GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
	// Not repository-local, but they would change what paths mean.
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

func (r Repo) environment(extra ...string) []string {
	env := r.Env
	if env == nil {
		env = os.Environ()
	}
	env = slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(local, name)
	})
	return append(append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0"), extra...)
}

// read runs a git command that changes nothing, and returns its output.
func (r Repo) read(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, "", r.environment("GIT_OPTIONAL_LOCKS=0"), args)
}

// write runs a git command that may change the repository, on that input.
func (r Repo) write(ctx context.Context, stdin string, args ...string) (string, error) {
	return r.run(ctx, stdin, r.environment(), args)
}

func (r Repo) run(ctx context.Context, stdin string, env, args []string) (string, error) {
	command := proc.Command{
		Path: "git", Args: append([]string{"-C", r.Dir}, args...),
		Env: env, StdoutLimit: maxOutput, Timeout: maxDuration,
		// On SIGTERM git removes its lock files, on SIGKILL it cannot.
		Deathsig: syscall.SIGTERM,
	}
	if stdin != "" {
		command.Stdin = strings.NewReader(stdin)
	}
	result, err := proc.Run(ctx, command)
	if err != nil {
		return "", err
	}
	stdout := string(result.Stdout)
	if result.ExitCode != 0 || result.Truncated {
		failure := &Error{
			Args: args, Dir: r.Dir, ExitCode: result.ExitCode, Stderr: strings.TrimSpace(string(result.Stderr)),
		}
		switch {
		case result.TimedOut:
			failure.Stderr = fmt.Sprintf("it did not end within %s and was ended; does a hook hang? %s", maxDuration, failure.Stderr)
		case result.Truncated:
			failure.Stderr = "its output is longer than 64 MiB"
		case failure.Stderr == "":
			failure.Stderr = strings.TrimSpace(stdout)
		}
		return stdout, failure
	}
	return stdout, nil
}

// records splits NUL-terminated output.
func records(out string) []string {
	out = strings.TrimSuffix(out, "\x00")
	if out == "" {
		return nil
	}
	return strings.Split(out, "\x00")
}
