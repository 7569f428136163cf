package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	// termGrace is what a command has between SIGTERM and SIGKILL.
	termGrace = 2 * time.Second
	// leftoverGrace is what descendants that hold the pipes have after the
	// command itself has exited.
	leftoverGrace = 500 * time.Millisecond
	// drainGrace is for reading what is left in the pipes once the group is dead.
	drainGrace = 200 * time.Millisecond
	// busyTries and busyPause bound waiting for a program that some other fork
	// still holds open for writing (ETXTBSY).
	busyTries = 20
	busyPause = 10 * time.Millisecond
)

// Run runs a command to its end and returns how it ended; a non-zero exit is not
// an error. It returns a *StartError when nothing could be started, and ctx's
// error, with the output so far, when ctx ended first.
//
// When ctx or the timeout ends the command, its group gets SIGTERM and two
// seconds later SIGKILL. In every case the group is dead when Run returns; only
// descendants that left the group are out of its reach, and do not delay it.
func Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Path, err)
	}
	// The parent death signal follows the thread that forked, not the process:
	// the thread has to live until the child is reaped.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	began := time.Now()
	p, err := start(ctx, c)
	if err != nil {
		return Result{}, err
	}
	result := Result{}
	ended := p.wait(ctx, c.Timeout, &result)
	result.Duration = time.Since(began)
	if ended != nil {
		return result, fmt.Errorf("run %s: %w", c.Path, ended)
	}
	return result, nil
}

// child is a started command and our ends of its pipes.
type child struct {
	process *os.Process
	exited  chan struct{}
	state   *os.ProcessState
	capture *capture
	ours    []*os.File
	readers sync.WaitGroup
}

func start(ctx context.Context, c Command) (*child, error) {
	path, err := Look(c.Path, c.Dir, c.Env)
	if err != nil {
		return nil, err
	}
	if err := usableDir(c.Dir); err != nil {
		return nil, &StartError{Path: path, Dir: c.Dir, Reason: BadDirectory, Err: err}
	}
	p := &child{exited: make(chan struct{}), capture: newCapture(c)}
	var theirs []*os.File
	defer func() { closeAll(theirs) }()

	stdin, isFile := c.Stdin.(*os.File)
	var stdinWriter *os.File
	if c.Stdin != nil && !isFile {
		if stdin, stdinWriter, err = os.Pipe(); err != nil {
			return nil, &StartError{Path: path, Dir: c.Dir, Err: err}
		}
		theirs, p.ours = append(theirs, stdin), append(p.ours, stdinWriter)
	}
	var readers, writers [2]*os.File
	for i := range readers {
		if readers[i], writers[i], err = os.Pipe(); err != nil {
			closeAll(p.ours)
			return nil, &StartError{Path: path, Dir: c.Dir, Err: err}
		}
		theirs, p.ours = append(theirs, writers[i]), append(p.ours, readers[i])
	}

	attributes := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attributes, cmp.Or(c.Deathsig, syscall.SIGKILL))
	for try := 1; ; try++ {
		command := &exec.Cmd{
			Path: path, Args: slices.Concat([]string{c.Path}, c.Args),
			Dir: c.Dir, Env: environment(c.Env, c.Dir),
			Stdout: writers[0], Stderr: writers[1], SysProcAttr: attributes,
		}
		if stdin != nil {
			command.Stdin = stdin
		}
		err = command.Start()
		p.process = command.Process
		if !errors.Is(err, syscall.ETXTBSY) || try == busyTries {
			break
		}
		select {
		case <-ctx.Done():
			closeAll(p.ours)
			return nil, fmt.Errorf("run %s: %w", c.Path, ctx.Err())
		case <-time.After(busyPause):
		}
	}
	if err != nil {
		closeAll(p.ours)
		return nil, startError(path, c.Dir, err)
	}

	go func() {
		defer close(p.exited)
		p.state = awaitExit(p.process)
	}()
	p.read(readers[0], p.capture.stdout)
	p.read(readers[1], p.capture.stderr)
	if stdinWriter != nil {
		go func() {
			// A command that does not read its input is no failure of ours.
			_, _ = io.Copy(stdinWriter, c.Stdin)
			_ = stdinWriter.Close()
		}()
	}
	return p, nil
}

func (p *child) read(from *os.File, stream *output) {
	p.readers.Go(func() {
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			p.capture.add(stream, buffer[:n])
			if err != nil {
				return
			}
		}
	})
}

// wait sees the command to its end and returns ctx's error when that ended it.
func (p *child) wait(ctx context.Context, timeout time.Duration, result *Result) error {
	var deadline <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		deadline = timer.C
	}
	var ended error
	select {
	case <-p.exited:
	case <-ctx.Done():
		ended = ctx.Err()
		p.end()
	case <-deadline:
		result.TimedOut = true
		p.end()
	}

	// Until it is reaped the command pins its process group id, so that the
	// signals below cannot reach a stranger.
	read := make(chan struct{})
	go func() {
		p.readers.Wait()
		close(read)
	}()
	within(read, leftoverGrace)
	p.signal(syscall.SIGKILL)
	within(read, drainGrace)
	closeAll(p.ours)
	<-read

	state := p.state
	if state == nil {
		var err error
		if state, err = p.process.Wait(); err != nil {
			return fmt.Errorf("wait for process %d: %w", p.process.Pid, err)
		}
	}
	result.ExitCode = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		result.Signal = status.Signal()
	}
	p.capture.fill(result)
	return ended
}

// end asks the group to end, then makes it.
func (p *child) end() {
	p.signal(syscall.SIGTERM)
	if !within(p.exited, termGrace) {
		p.signal(syscall.SIGKILL)
		<-p.exited
	}
}

// signal reaches the whole group. It fails only when nobody is left in it.
func (p *child) signal(signal syscall.Signal) {
	_ = syscall.Kill(-p.process.Pid, signal)
}

// within reports whether done was closed before the time was over.
func within(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

func closeAll(files []*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

func usableDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &os.PathError{Op: "chdir", Path: dir, Err: syscall.ENOTDIR}
	}
	return nil
}

// environment is env, or the caller's, with PWD telling the truth about dir.
func environment(env []string, dir string) []string {
	if env == nil {
		env = os.Environ()
	}
	if dir == "" {
		return env
	}
	return append(slices.Clone(env), "PWD="+dir)
}
