package projection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Dir is the projection directory of one packet.
type Dir struct{ root string }

// In returns the projection directory of the packet at root.
func In(root string) Dir { return Dir{root: filepath.Join(root, packet.StateDir)} }

// Path is the directory itself.
func (d Dir) Path() string { return d.root }

// StateFile is the path of state.json.
func (d Dir) StateFile() string { return filepath.Join(d.root, "state.json") }

// ProgressFile is the path of progress.log.
func (d Dir) ProgressFile() string { return filepath.Join(d.root, "progress.log") }

// LogDir is the directory of transcripts and event files.
func (d Dir) LogDir() string { return filepath.Join(d.root, "logs") }

// Create makes the directory, with a .gitignore that keeps it out of commits.
func (d Dir) Create() error {
	if err := os.MkdirAll(d.LogDir(), 0o755); err != nil {
		return err
	}
	ignore := filepath.Join(d.root, ".gitignore")
	if _, err := os.Lstat(ignore); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(ignore, []byte("*\n"), 0o644)
}

// locked runs fn while no other process changes the directory.
func (d Dir) locked(fn func() error) (err error) {
	if err := d.Create(); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(d.root, "state.lock"))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return fn()
}
