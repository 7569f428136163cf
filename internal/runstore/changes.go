package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
)

// Changes are what the sessions of an attempt changed, per repository, as it was
// before the contract's own commands ran.
type Changes map[string]RepoChanges

// RepoChanges are what changed in one repository since the prompt's baseline.
type RepoChanges struct {
	// Uncommitted are the paths that are left to commit, sorted.
	Uncommitted []string `json:"uncommitted"`
	// Paths are all paths that changed, committed by the session or not, sorted.
	Paths []string `json:"paths"`
	// Changed says that anything did, a commit without paths included.
	Changed bool `json:"changed"`
}

func (s *Store) changesPath(id, prompt string, seq int) string {
	return filepath.Join(s.RunDir(id), "changes", fmt.Sprintf("%s-%d.json", prompt, seq))
}

// SaveChanges records what an attempt changed. The first record stands: a second
// verification of the same attempt would count what the first one's commands did.
func (s *Store) SaveChanges(id, prompt string, seq int, changes Changes) error {
	if _, err := s.Changes(id, prompt, seq); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.WriteJSON(s.changesPath(id, prompt, seq), changes)
}

// Changes returns what an attempt changed; fs.ErrNotExist when it was never
// verified.
func (s *Store) Changes(id, prompt string, seq int) (Changes, error) {
	var changes Changes
	err := atomicfile.ReadJSON(s.changesPath(id, prompt, seq), &changes)
	return changes, err
}
