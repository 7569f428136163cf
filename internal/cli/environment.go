package cli

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// Environment is everything that commands take from the process they run in.
type Environment struct {
	Stdout, Stderr io.Writer
	// Environ is the environment as KEY=VALUE; of equal keys the last counts.
	Environ []string
	// WorkDir is the directory that relative paths start from.
	WorkDir string
	// Executable is the path of this program, for the local runtime to run.
	Executable string
	Now        func() time.Time
	// StdoutTerminal says that Stdout is a terminal; Size gives its columns and
	// lines, 0 when unknown.
	StdoutTerminal bool
	Size           func() (columns, lines int)
	// Interrupts delivers SIGINT and SIGTERM until stop is called. Commands that
	// never call it die by them.
	Interrupts func() (signals <-chan interrupt, stop func())
}

// interrupt is a signal that asks a command to end.
type interrupt = os.Signal

// System is the environment of this process.
func System() Environment {
	workDir, _ := os.Getwd() // empty when it was deleted: relative paths then fail by name
	executable, _ := os.Executable()
	stdout := int(os.Stdout.Fd())
	return Environment{
		Stdout:         os.Stdout,
		Stderr:         os.Stderr,
		Environ:        os.Environ(),
		WorkDir:        workDir,
		Executable:     executable,
		Now:            time.Now,
		StdoutTerminal: term.IsTerminal(stdout),
		Size: func() (int, int) {
			columns, lines, err := term.GetSize(stdout)
			if err != nil {
				return 0, 0
			}
			return columns, lines
		},
		Interrupts: func() (<-chan interrupt, func()) {
			signals := make(chan interrupt, 4)
			signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
			return signals, func() { signal.Stop(signals) }
		},
	}
}

// Getenv reads a variable like os.Getenv.
func (e Environment) Getenv(name string) string {
	return temporalconn.Environment(e.Environ).Getenv(name)
}

// redrawable reports whether progress may be redrawn in place.
func (e Environment) redrawable() bool {
	return e.StdoutTerminal && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"
}

// truthy reads a switch such as CI, which is on unless it is empty, 0 or false.
func truthy(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no":
		return false
	}
	return true
}
