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

// RemovePid removes run.pid at the end of a leg.
func (d Dir) RemovePid() error {
	if err := os.Remove(d.PidFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
