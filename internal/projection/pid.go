package projection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/internal/proc"
)

// PidFile is the path of run.pid, which exists while a run is open.
func (d Dir) PidFile() string { return filepath.Join(d.root, "run.pid") }

// WritePid records this process as the one that works on the run: its pid, and
// its start time where the system tells it.
func (d Dir) WritePid() error {
	content := fmt.Sprintf("%d\n", os.Getpid())
	if start, ok := proc.StartTime(os.Getpid()); ok {
		content = fmt.Sprintf("%d %s\n", os.Getpid(), start)
	}
	current, err := os.ReadFile(d.PidFile())
	if err == nil && string(current) == content {
		return nil
	}
	if err := d.Create(); err != nil {
		return err
	}
	return atomicfile.Replace(d.PidFile(), []byte(content), 0o644)
}

// Working reports whether a run of the packet is open, and whether the process
// that works on it lives.
func (d Dir) Working() (open, alive bool, err error) {
	content, err := os.ReadFile(d.PidFile())
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	var pid int
	var start string
	if n, _ := fmt.Sscan(string(content), &pid, &start); n < 2 {
		return true, n == 1, nil
	}
	return true, proc.Alive(pid, start), nil
}

// RemovePid removes run.pid at the end of a leg.
func (d Dir) RemovePid() error {
	if err := os.Remove(d.PidFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
