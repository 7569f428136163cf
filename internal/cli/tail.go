package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/projection"
)

// tailPoll is how often a followed transcript is looked at again.
const tailPoll = 200 * time.Millisecond

// tail prints transcripts as they grow.
type tail struct {
	dir projection.Dir
	// prompt restricts it to one prompt; empty means all.
	prompt string
	out    io.Writer
	// offsets is how far each transcript has been printed, in bytes.
	offsets map[string]int64
	current string
}

func newTail(dir, prompt string, out io.Writer) *tail {
	return &tail{dir: projection.In(dir), prompt: prompt, out: out, offsets: map[string]int64{}}
}

// skip leaves out the transcripts that began before the given one, or, without
// one, all that there are.
func (t *tail) skip(view projection.View, first transcript, found bool) {
	for _, one := range transcripts(view, t.prompt) {
		if found && !one.attempt.StartedAt.Before(first.attempt.StartedAt) && one.attempt.Number() >= first.attempt.Number() {
			continue
		}
		if path, err := t.dir.Transcript(one.attempt); err == nil {
			t.offsets[path] = -1
		}
	}
}

// step prints what has been added since the last step.
func (t *tail) step() error {
	view, err := t.dir.Read()
	if err != nil {
		return err
	}
	for _, one := range transcripts(view, t.prompt) {
		path, err := t.dir.Transcript(one.attempt)
		if err != nil {
			return err
		}
		if err := t.print(path, one); err != nil {
			return err
		}
	}
	return nil
}

func (t *tail) print(path string, one transcript) (err error) {
	offset := t.offsets[path]
	if offset < 0 {
		return nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it begins with the session
	}
	if err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil || info.Size() <= offset {
		return err
	}
	if t.current != path {
		t.current = path
		if _, err := fmt.Fprintf(t.out, "==> prompt %s, attempt %d (%s)\n", one.prompt, one.attempt.Number(), one.attempt.Mode); err != nil {
			return err
		}
	}
	// A transcript that is written again, after a worker died, is printed on.
	copied, err := io.Copy(t.out, io.NewSectionReader(file, offset, info.Size()-offset))
	t.offsets[path] = offset + copied
	return err
}

// follow prints until no run is open any more, nobody works on it, or ctx ends.
func (t *tail) follow(ctx context.Context) error {
	return t.until(ctx, func() (bool, error) {
		open, alive, err := t.dir.Working()
		return !open || !alive, err
	})
}

// until prints until ended says so, or ctx ends.
func (t *tail) until(ctx context.Context, ended func() (bool, error)) error {
	ticker := time.NewTicker(tailPoll)
	defer ticker.Stop()
	for {
		last, err := ended()
		if err != nil {
			return err
		}
		// After the look at the run, so that the last lines are not missed.
		if err := t.step(); err != nil {
			return err
		}
		if last {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
