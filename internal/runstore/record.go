package runstore

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// Record is what is known about a run as a whole.
type Record struct {
	Protocol int    `json:"protocol"`
	ID       string `json:"run_id"`
	Packet   string `json:"packet"`
	Name     string `json:"name"`
	// Fingerprint identifies the work; a run is continued only with the same.
	Fingerprint string       `json:"packet_fingerprint"`
	State       run.RunState `json:"state"`
	// Prompts is the selection of the run, in the order to run them.
	Prompts []string `json:"prompts"`
	// Previous is the run of the packet before this one.
	Previous  string    `json:"previous,omitempty"`
	Legs      []Leg     `json:"legs"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Leg is one workflow that worked on the run. Legs are numbered from 1.
type Leg struct {
	Execution run.Execution `json:"execution"`
	// Plan is the digest of the leg's plan snapshot.
	Plan string `json:"plan"`
	// Prompts is what the leg set out to run.
	Prompts   []run.PlannedPrompt `json:"prompts"`
	Done      int                 `json:"done"`
	Continued bool                `json:"continued"`
}

// NewID mints a run id: 18 random bytes, 24 characters, safe in file names and
// workflow ids, never starting with a hyphen.
func NewID() string {
	random := make([]byte, 18)
	for {
		_, _ = rand.Read(random) // never fails
		if id := base64.RawURLEncoding.EncodeToString(random); id[0] != '-' {
			return id
		}
	}
}

func (s *Store) recordPath(id string) string { return filepath.Join(s.RunDir(id), "run.json") }

// Record reads the record of a run; fs.ErrNotExist when there is none.
func (s *Store) Record(id string) (Record, error) {
	var record Record
	if err := atomicfile.ReadJSON(s.recordPath(id), &record); err != nil {
		return Record{}, fmt.Errorf("run record: %w", err)
	}
	if record.Protocol != run.Protocol {
		return Record{}, fmt.Errorf("run record: %s has protocol %d, this release speaks %d; finish the run with the release that began it", s.recordPath(id), record.Protocol, run.Protocol)
	}
	return record, nil
}

// SaveRecord replaces the record of a run.
func (s *Store) SaveRecord(record Record) error {
	record.Protocol = run.Protocol
	return atomicfile.WriteJSON(s.recordPath(record.ID), record)
}

// SetState records the state that a run has reached.
func (s *Store) SetState(id string, state run.RunState, at time.Time) error {
	record, err := s.Record(id)
	if err != nil {
		return err
	}
	record.State, record.UpdatedAt = state, at
	return s.SaveRecord(record)
}

type pointer struct {
	RunID string `json:"run_id"`
}

func (s *Store) currentPath(root string) string {
	return filepath.Join(s.state.Packet(root), "current.json")
}

// Current returns the newest run of the packet at root; ok is false when there
// has been none.
func (s *Store) Current(root string) (record Record, ok bool, err error) {
	var current pointer
	err = atomicfile.ReadJSON(s.currentPath(root), &current)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, false, nil
	}
	if err != nil {
		return Record{}, false, fmt.Errorf("current run: %w", err)
	}
	record, err = s.Record(current.RunID)
	if errors.Is(err, fs.ErrNotExist) {
		// Taken for "no run", it would play completed prompts again.
		err = &atomicfile.DamagedError{Path: s.currentPath(root), Err: fmt.Errorf("it names run %s, whose record is gone", current.RunID)}
	}
	return record, err == nil, err
}

// SetCurrent makes a run the newest of its packet.
func (s *Store) SetCurrent(root, id string) error {
	return atomicfile.WriteJSON(s.currentPath(root), pointer{RunID: id})
}
