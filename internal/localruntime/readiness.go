package localruntime

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// readyVariable tells a runtime process that readyDescriptor is a pipe to the
// process that started it and waits.
const (
	readyVariable   = "PROMPT_RUNNER_RUNTIME_READY_FD"
	readyDescriptor = 3
)

// readiness is the one line that a starting runtime sends.
type readiness struct {
	Ready bool   `json:"ready,omitempty"`
	Error string `json:"error,omitempty"`
}

// starter is the process that waits for this runtime; the zero value is nobody.
type starter struct {
	once *sync.Once
	pipe *os.File
}

// starterOf finds the pipe that the environment speaks of.
func starterOf(getenv func(string) string) (starter, error) {
	if getenv(readyVariable) == "" {
		return starter{once: new(sync.Once)}, nil
	}
	syscall.CloseOnExec(readyDescriptor) // no child may keep the waiting process waiting
	pipe := os.NewFile(readyDescriptor, "readiness pipe")
	info, err := pipe.Stat()
	if err == nil && info.Mode()&os.ModeNamedPipe == 0 {
		err = errors.New("not a pipe")
	}
	if err != nil {
		return starter{}, fmt.Errorf("local runtime: %s is set but descriptor %d cannot be used: %w; unset it", readyVariable, readyDescriptor, err)
	}
	return starter{once: new(sync.Once), pipe: pipe}, nil
}

func (s starter) ready()               { s.send(readiness{Ready: true}) }
func (s starter) failed(reason string) { s.send(readiness{Error: reason}) }

// send sends the first line; whether somebody still reads it does not matter.
func (s starter) send(line readiness) {
	s.once.Do(func() {
		if s.pipe == nil {
			return
		}
		_ = json.NewEncoder(s.pipe).Encode(line)
		_ = s.pipe.Close()
	})
}

// awaitReadiness reads the line of a starting runtime until ctx ends.
func awaitReadiness(ctx context.Context, pipe *os.File) error {
	stop := context.AfterFunc(ctx, func() { _ = pipe.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	line, err := bufio.NewReader(pipe).ReadBytes('\n')
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return errors.New("it ended without a word")
	case err != nil:
		return err
	}
	var answer readiness
	if err := json.Unmarshal(line, &answer); err != nil {
		return fmt.Errorf("unexpected answer %q: %w", line, err)
	}
	if !answer.Ready {
		return errors.New(answer.Error)
	}
	return nil
}
