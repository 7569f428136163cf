package runstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// Lock names the execution that owns the packet while its run is open.
type Lock struct {
	// Address and Namespace are for people; NamespaceID decides whether a server
	// may be asked about the owner.
	Address     string        `json:"address"`
	Namespace   string        `json:"namespace"`
	NamespaceID string        `json:"namespace_id"`
	Execution   run.Execution `json:"execution"`
	RunID       string        `json:"run_id"`
}

// LockPath is the run lock of the packet at root.
func (s *Store) LockPath(root string) string {
	return filepath.Join(s.state.Packet(root), "run.lock")
}

// Guard serialises whoever looks at a packet's run lock in order to change it.
func (s *Store) Guard(root string, fn func() error) error {
	return withLock(filepath.Join(s.state.Packet(root), "guard"), fn)
}

// Lock reads the run lock; ok is false when nobody holds it.
func (s *Store) Lock(root string) (lock Lock, ok bool, err error) {
	err = atomicfile.ReadJSON(s.LockPath(root), &lock)
	if errors.Is(err, fs.ErrNotExist) {
		return Lock{}, false, nil
	}
	return lock, err == nil, err
}

// TakeLock makes lock the run lock. Call it within Guard.
func (s *Store) TakeLock(root string, lock Lock) error {
	return atomicfile.WriteJSON(s.LockPath(root), lock)
}

// ReleaseLock removes the run lock if the execution still owns it, after last
// has done what only the owner may do. Without ownership it does nothing: the
// lock was released already, and the packet may be another's by now.
func (s *Store) ReleaseLock(root string, owner run.Execution, last func() error) error {
	return s.Guard(root, func() error {
		lock, ok, err := s.Lock(root)
		if err != nil || !ok || lock.Execution != owner {
			return err
		}
		if err := last(); err != nil {
			return err
		}
		return os.Remove(s.LockPath(root))
	})
}
