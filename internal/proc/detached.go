package proc

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

// Detached says what to start for good.
type Detached struct {
	// Path, Args, Dir and Env are as in [Command].
	Path string
	Args []string
	Dir  string
	Env  []string
	// Log is the file that stdout and stderr are appended to, created with mode
	// 0600.
	Log string
	// ExtraFiles become the descriptors 3, 4, ... of the process; the caller
	// closes its own copies.
	ExtraFiles []*os.File
}

// StartDetached starts a process in a session of its own that outlives the
// caller and its terminal, and returns its process id. The error is a
// *StartError. While the caller lives, the process is reaped when it exits.
func StartDetached(d Detached) (int, error) {
	path, err := Look(d.Path, d.Dir, d.Env)
	if err != nil {
		return 0, err
	}
	if err := usableDir(d.Dir); err != nil {
		return 0, &StartError{Path: path, Dir: d.Dir, Reason: BadDirectory, Err: err}
	}
	if d.Log == "" {
		return 0, &StartError{Path: path, Dir: d.Dir, Err: errors.New("no log file was named for its output")}
	}
	log, err := os.OpenFile(d.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, &StartError{Path: path, Dir: d.Dir, Err: err}
	}
	defer func() { _ = log.Close() }()
	command := &exec.Cmd{
		Path: path, Args: slices.Concat([]string{d.Path}, d.Args),
		Dir: d.Dir, Env: environment(d.Env, d.Dir),
		Stdout: log, Stderr: log, ExtraFiles: d.ExtraFiles,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := command.Start(); err != nil {
		return 0, startError(path, d.Dir, err)
	}
	pid := command.Process.Pid
	go func() { _, _ = command.Process.Wait() }()
	return pid, nil
}
