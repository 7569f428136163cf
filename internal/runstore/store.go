package runstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

// Store reads and writes the run state of one host. It is safe for concurrent
// use by several goroutines and processes.
type Store struct {
	state statedir.Dir
	// plans caches snapshots by digest; they never change.
	plans sync.Map
}

// New returns the store in a state directory.
func New(state statedir.Dir) *Store { return &Store{state: state} }

// RunDir is the directory of a run.
func (s *Store) RunDir(id string) string { return s.state.Run(id) }

// withLock runs fn while holding an exclusive lock on the file at path.
func withLock(path string, fn func() error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return fn()
}
