package proc_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
)

func shell(script string) proc.Command {
	return proc.Command{Path: "sh", Args: []string{"-c", script}}
}

func TestRunReportsHowACommandEnded(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		command proc.Command
		code    int
		signal  syscall.Signal
		stdout  string
		stderr  string
	}{
		"success":          {command: shell("echo out"), stdout: "out\n"},
		"exit code":        {command: shell("echo out; echo err >&2; exit 3"), code: 3, stdout: "out\n", stderr: "err\n"},
		"signal":           {command: shell("kill -USR1 $$"), code: -1, signal: syscall.SIGUSR1},
		"literal argument": {command: proc.Command{Path: "printf", Args: []string{"%s", "; exit 9"}}, stdout: "; exit 9"},
		"stdin":            {command: proc.Command{Path: "cat", Stdin: strings.NewReader("given")}, stdout: "given"},
		"no stdin":         {command: proc.Command{Path: "cat"}},
		"unread stdin":     {command: proc.Command{Path: "true", Stdin: bytes.NewReader(make([]byte, 1<<20))}},
		"environment": {
			command: proc.Command{Path: "/bin/sh", Args: []string{"-c", `echo "$A$B"`}, Env: []string{"A=1", "A=2"}},
			stdout:  "2\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := proc.Run(t.Context(), tc.command)
			require.NoError(t, err)
			require.Equal(t, tc.code, result.ExitCode)
			require.Equal(t, tc.signal, result.Signal)
			require.Equal(t, tc.stdout, string(result.Stdout))
			require.Equal(t, tc.stderr, string(result.Stderr))
			require.Len(t, result.Combined, len(tc.stdout)+len(tc.stderr))
			require.False(t, result.TimedOut)
		})
	}
}

func TestRunUsesTheDirectory(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\necho \"$PWD\"\n"), 0o755))

	result, err := proc.Run(t.Context(), proc.Command{Path: "./tool", Dir: dir, Env: []string{"PWD=/elsewhere"}})
	require.NoError(t, err)
	require.Equal(t, dir+"\n", string(result.Stdout))
}

func TestRunKeepsBothEndsOfLongOutput(t *testing.T) {
	t.Parallel()
	command := shell("echo first; head -c 300000 /dev/zero | tr '\\0' x; echo last")
	command.StdoutLimit = 100
	result, err := proc.Run(t.Context(), command)
	require.NoError(t, err)
	require.True(t, result.Truncated)
	require.Less(t, len(result.Stdout), 200)
	require.True(t, strings.HasPrefix(string(result.Stdout), "first\n"))
	require.True(t, strings.HasSuffix(string(result.Stdout), "last\n"))
	require.Contains(t, string(result.Stdout), "[... 299911 bytes left out ...]")
}

func TestRunKeepsOutputOfExactlyTheLimit(t *testing.T) {
	t.Parallel()
	command := shell("printf 0123456789")
	command.StdoutLimit = 10
	result, err := proc.Run(t.Context(), command)
	require.NoError(t, err)
	require.False(t, result.Truncated)
	require.Equal(t, "0123456789", string(result.Stdout))
}

func TestRunTimeoutEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	line := newLifeline(t)
	command := shell(line.hold() + "sleep 1000 & wait")
	command.Timeout = 3 * time.Second
	finished := make(chan proc.Result, 1)
	go func() {
		result, err := proc.Run(context.WithoutCancel(t.Context()), command)
		if err == nil {
			finished <- result
		}
		close(finished)
	}()
	line.awaitUp(t)
	line.awaitGone(t)
	result, ok := <-finished
	require.True(t, ok, "a timeout is a result, not an error")
	require.True(t, result.TimedOut)
	require.Equal(t, syscall.SIGTERM, result.Signal)
}

func TestRunKillsWhatIgnoresTheRequestToEnd(t *testing.T) {
	t.Parallel()
	line := newLifeline(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	var result proc.Result
	go func() {
		var err error
		result, err = proc.Run(ctx, shell("trap '' TERM; "+line.hold()+"echo before; while :; do sleep 1000; done"))
		ended <- err
	}()
	line.awaitUp(t)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	line.awaitGone(t)
	require.Equal(t, syscall.SIGKILL, result.Signal)
	require.Equal(t, "before\n", string(result.Stdout), "output so far is kept")
}

func TestRunDoesNotStartUnderAnEndedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	made := filepath.Join(t.TempDir(), "made")
	_, err := proc.Run(ctx, proc.Command{Path: "touch", Args: []string{made}})
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, made)
}

func TestRunEndsWhatTheCommandLeavesBehind(t *testing.T) {
	t.Parallel()
	for name, redirect := range map[string]string{
		"holding the pipes":     "",
		"not holding the pipes": " >/dev/null 2>&1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := newLifeline(t)
			ended := make(chan error, 1)
			go func() {
				_, err := proc.Run(t.Context(), shell(line.hold()+"sleep 1000"+redirect+" & echo done"))
				ended <- err
			}()
			line.awaitUp(t)
			require.NoError(t, <-ended)
			line.awaitGone(t)
		})
	}
}

func TestRunDoesNotWaitForWhoLeftTheGroup(t *testing.T) {
	t.Parallel()
	line := newLifeline(t)
	mark := "ESCAPED=" + line.path
	command := shell("setsid sh -c \"" + line.hold() + "sleep 1000\" & exec 3<'" + line.path + "'; read up <&3; echo \"$up\"")
	command.Env = append(os.Environ(), mark)
	result, err := proc.Run(t.Context(), command)
	t.Cleanup(func() { require.NoError(t, proc.EndMarked("ESCAPED", line.path)) })
	require.NoError(t, err)
	require.Equal(t, "up\n", string(result.Stdout))
}

func TestRunDiesWithItsParent(t *testing.T) {
	t.Parallel()
	line := newLifeline(t)
	pid, err := proc.StartDetached(proc.Detached{
		Path: os.Args[0],
		Env:  append(os.Environ(), parentVariable+"="+line.hold()+"exec sleep 1000"),
		Log:  filepath.Join(t.TempDir(), "log"),
	})
	require.NoError(t, err)
	line.awaitUp(t)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	line.awaitGone(t)
}

func TestRunCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	plain := write("plain", "#!/bin/sh\n", 0o644)
	orphan := write("orphan", "#!/no/such/interpreter\n", 0o755)
	binary := write("binary", "\x00\x01\x02", 0o755)
	for name, tc := range map[string]struct {
		command proc.Command
		reason  proc.Reason
		message string
	}{
		"empty":               {proc.Command{}, proc.NotFound, "no such program"},
		"bare name":           {proc.Command{Path: "no-such-program-here"}, proc.NotFound, "in PATH"},
		"bare name, own PATH": {proc.Command{Path: "sh", Env: []string{"PATH=" + dir}}, proc.NotFound, dir},
		"relative":            {proc.Command{Path: "bin/none", Dir: dir}, proc.NotFound, dir + "/bin/none"},
		"no permission":       {proc.Command{Path: plain}, proc.NotExecutable, "not executable"},
		"a directory":         {proc.Command{Path: dir}, proc.NotExecutable, "is a directory"},
		"interpreter":         {proc.Command{Path: orphan}, proc.NotExecutable, "interpreter"},
		"format":              {proc.Command{Path: binary}, proc.NotExecutable, "exec format error"},
		"directory":           {proc.Command{Path: "true", Dir: dir + "/none"}, proc.BadDirectory, dir + "/none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := proc.Run(t.Context(), tc.command)
			failure, ok := errors.AsType[*proc.StartError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tc.reason, failure.Reason)
			require.ErrorContains(t, err, tc.message)
		})
	}
}
