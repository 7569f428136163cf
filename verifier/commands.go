package verifier

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/pattern"
	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

const (
	// defaultTimeout and defaultShellTimeout bound commands that bring no
	// timeout of their own.
	defaultTimeout      = 30 * time.Second
	defaultShellTimeout = 30 * time.Minute
	// maxStdout is how much output the stdout checks can judge, in bytes.
	maxStdout = 16 << 20
)

// Exit codes by which a shell says that it could not run a command, and by which
// timeout(1) says that it ended one.
const (
	shellTimeout       = 124
	shellNotExecutable = 126
	shellNotFound      = 127
)

// command passes when the command exits with 0, its output is as demanded, and it
// wrote the files that it regenerates.
func (s Scope) command(ctx context.Context, c packet.Command) (item Item) {
	check := &CommandCheck{Mode: ModeStructured, TimeoutMS: c.TimeoutMS}
	item = Item{Kind: CommandRuns, Repo: s.label(c.Repo), CommandCheck: check}
	if check.TimeoutMS <= 0 {
		check.TimeoutMS = defaultTimeout.Milliseconds()
		if c.Shell != "" {
			check.TimeoutMS = defaultShellTimeout.Milliseconds()
		}
	}
	start := proc.Command{
		Env:         s.environment(c.Env),
		Timeout:     time.Duration(check.TimeoutMS) * time.Millisecond,
		StdoutLimit: maxStdout,
	}
	// ours says that a missing program may be work that is still to be done.
	ours, ok := s.words(&item, c, &start)
	if !ok {
		return item
	}
	base, known := s.base(c.Repo)
	if !known {
		item.Details = s.unknown(c.Repo)
		return item
	}
	start.Dir = c.Cwd
	if !filepath.IsAbs(start.Dir) {
		start.Dir = filepath.Join(base, start.Dir)
	}
	check.Cwd = readable(start.Dir)
	if info, err := os.Stat(start.Dir); err != nil || !info.IsDir() {
		item.Details = fmt.Sprintf("the working directory %s of the command does not exist", start.Dir)
		if err != nil && !isMissing(err) {
			item.Fault = FaultVerifier
			item.Details = fmt.Sprintf("could not look at the working directory %s of the command: %v", start.Dir, err)
		}
		return item
	}
	var expected *pattern.Pattern
	if c.StdoutMatches != "" {
		var err error
		if expected, err = pattern.CompileFold(c.StdoutMatches); err != nil {
			item.Fault, item.Details = FaultVerifier, fmt.Sprintf("stdout_matches: %v", err)
			return item
		}
	}
	regenerates, ok := s.stage(&item, c, base)
	if !ok {
		return item
	}
	// Also when this panics or ctx ends.
	defer func() { regenerates.finish(&item) }()
	result, err := proc.Run(ctx, start)
	if err != nil {
		failure, ok := errors.AsType[*proc.StartError](err)
		if !ok || !ours || failure.Reason != proc.NotFound {
			item.Fault = FaultVerifier
		}
		item.Details = err.Error()
		return item
	}
	judge(&item, c, expected, result)
	return item
}

// words fills in what is run. When that is not known, the item says why and ok is
// false; ours says that the program is a file of the packet or its repositories.
func (s Scope) words(item *Item, c packet.Command, start *proc.Command) (ours, ok bool) {
	switch {
	case c.Shell != "":
		item.Mode, item.Command = ModeShell, readable(c.Shell)
		start.Path, start.Args = "bash", []string{"-c", c.Shell}
		return false, true
	case strings.HasPrefix(c.Exec, packet.ArtifactPrefix):
		file, known := s.artifact(c.Exec)
		if !known {
			item.Fault, item.Details = FaultVerifier, file
			return false, false
		}
		start.Path = file
	case c.Exec != "":
		path, referenced, err := s.reference(c.Exec)
		if err != nil {
			item.Details = err.Error()
			return false, false
		}
		start.Path = path
		ours = referenced || strings.Contains(c.Exec, "/") && !filepath.IsAbs(c.Exec)
	default:
		item.Fault, item.Details = FaultVerifier, "the entry names neither a program nor a shell command"
		return false, false
	}
	item.Argv = []string{readable(start.Path)}
	for _, argument := range c.Args {
		word, _, err := s.reference(argument)
		if err != nil {
			item.Details = err.Error()
			return false, false
		}
		start.Args = append(start.Args, word)
		item.Argv = append(item.Argv, readable(word))
	}
	item.Command = quote(item.Argv)
	return ours, true
}

// judge decides on a command that ran.
func judge(item *Item, c packet.Command, expected *pattern.Pattern, result proc.Result) {
	output := strings.TrimSpace(readable(string(result.Combined)))
	say := func(format string, args ...any) {
		item.Details = fmt.Sprintf(format, args...)
		if output != "" {
			item.Details += "\n" + output
		}
	}
	code := result.ExitCode
	if !result.TimedOut && result.Signal == 0 {
		item.ExitCode = &code
	}
	fault := func(kind Fault, reason string) {
		item.Fault = kind
		say("%s: %s (exit code %d, in %s)", kind, reason, code, item.Cwd)
	}
	switch {
	case result.TimedOut:
		item.Fault = FaultTimeout
		say("%s: the command did not end within %d ms and was ended (in %s)", FaultTimeout, item.TimeoutMS, item.Cwd)
		return
	case result.Signal != 0:
		say("expected exit code 0, but the command was ended by the signal %v (in %s)", result.Signal, item.Cwd)
		return
	case slices.Contains(c.FaultExitCodes, code):
		fault(FaultVerifier, "the exit code is one of the command's fault_exit_codes")
		return
	case item.Mode == ModeShell && code == shellTimeout:
		fault(FaultTimeout, "the command did not end in time")
		return
	case item.Mode == ModeShell && code == shellNotExecutable:
		fault(FaultVerifier, "a program is not executable")
		return
	case item.Mode == ModeShell && code == shellNotFound:
		fault(FaultVerifier, "a program was not found")
		return
	case code != 0:
		say("expected exit code 0, got %d (in %s)", code, item.Cwd)
		return
	case result.Truncated && (c.StdoutContains != "" || expected != nil):
		fault(FaultVerifier, fmt.Sprintf("stdout is longer than %d MiB and cannot be judged", maxStdout>>20))
		return
	}
	var unmet []string
	if !strings.Contains(string(result.Stdout), c.StdoutContains) {
		unmet = append(unmet, fmt.Sprintf("stdout does not contain %q", c.StdoutContains))
	}
	if expected != nil {
		matched, err := expected.Match(result.Stdout)
		if err != nil {
			fault(FaultVerifier, fmt.Sprintf("could not tell whether stdout matches %q: %v", c.StdoutMatches, err))
			return
		}
		if !matched {
			unmet = append(unmet, fmt.Sprintf("stdout does not match %q", c.StdoutMatches))
		}
	}
	if len(unmet) > 0 {
		say("%s (exit code 0, in %s)", strings.Join(unmet, "; "), item.Cwd)
		return
	}
	item.Pass, item.Details = true, output
}

// environment is the commands' environment with what the entry adds.
func (s Scope) environment(added map[string]string) []string {
	env := s.Env
	if env == nil {
		env = os.Environ()
	}
	env = slices.Clone(env)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		env = append(env, name+"="+added[name])
	}
	if s.Task != "" {
		env = append(env, run.TaskVariable+"="+s.Task)
	}
	return env
}

// reference replaces @repo:NAME at the beginning of a word by that repository's
// path. Unknown names stay as they are; a path that leads out of the repository is
// an error.
func (s Scope) reference(word string) (path string, referenced bool, err error) {
	rest, ok := strings.CutPrefix(word, "@repo:")
	if !ok {
		return word, false, nil
	}
	name, inside, _ := strings.Cut(rest, "/")
	repo, ok := s.repo(name)
	if !ok {
		return word, false, nil
	}
	path = filepath.Join(repo.Path, inside)
	if _, ok := below(repo.Path, path); !ok {
		return "", true, fmt.Errorf("%s leads to %s, outside of the repository %s (%s)", word, path, name, repo.Path)
	}
	return path, true, nil
}

// plain matches words that a shell reads as they are.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quote writes words as a command line for people.
func quote(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if plain.MatchString(word) {
			quoted[i] = word
			continue
		}
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
