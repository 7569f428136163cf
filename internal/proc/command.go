package proc

import (
	"io"
	"syscall"
	"time"
)

// Command says what to run.
type Command struct {
	// Path is the program: a bare name is looked up in the PATH of Env, a
	// relative path with a slash is relative to Dir.
	Path string
	// Args are the arguments without the program's name.
	Args []string
	// Dir is the working directory; empty means the caller's.
	Dir string
	// Env is the whole environment as NAME=value, the last value of a name
	// counting; nil means the caller's. PWD is set to Dir.
	Env []string
	// Stdin is what the command reads; nil means nothing.
	Stdin io.Reader
	// Timeout ends the command; 0 means none.
	Timeout time.Duration
	// StdoutLimit and StderrLimit bound what is kept of each stream, in bytes;
	// 0 means DefaultLimit. Of longer output the first and the last half is
	// kept, with a mark between them.
	StdoutLimit, StderrLimit int
	// Deathsig is what the command gets when the calling process dies (Linux
	// only); 0 means SIGKILL.
	Deathsig syscall.Signal
}

// Result is how a command ended.
type Result struct {
	// ExitCode is -1 when a signal ended the command.
	ExitCode int
	// Signal is what ended the command; 0 when it exited by itself.
	Signal syscall.Signal
	// Stdout and Stderr are the streams apart, Combined is both in the order in
	// which they arrived.
	Stdout, Stderr, Combined []byte
	// Truncated says that Stdout lacks its middle.
	Truncated bool
	// TimedOut says that the command was ended because of its Timeout; exit code
	// and signal then say nothing about its work.
	TimedOut bool
	// Duration is how long the command ran.
	Duration time.Duration
}
