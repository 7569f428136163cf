package runstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// Plan is the snapshot that a leg works from: edits of the packet during the
// leg change nothing.
type Plan struct {
	Packet packet.Packet  `json:"packet"`
	Commit run.CommitMode `json:"commit"`
	// GitDirs says where the repositories of the leg's prompts keep git's files.
	GitDirs map[string]GitDirs `json:"git_dirs"`
}

// GitDirs are the git directories of a work tree: its own, and the one it shares
// with the other work trees of the repository.
type GitDirs struct {
	Own    string `json:"own"`
	Common string `json:"common"`
}

func (s *Store) planPath(id, digest string) string {
	return filepath.Join(s.RunDir(id), "plans", digest+".json")
}

// SavePlan stores a snapshot under its SHA-256 and returns it in hex.
func (s *Store) SavePlan(id string, plan Plan) (string, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	path := s.planPath(id, digest)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return digest, atomicfile.Write(path, data, 0o600)
}

// Plan returns the snapshot a leg works from. The caller must not change it.
func (s *Store) Plan(ref run.Ref) (*Plan, error) {
	if cached, ok := s.plans.Load(ref.Plan); ok {
		return cached.(*Plan), nil
	}
	path := s.planPath(ref.ID, ref.Plan)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("plan snapshot of run %s: %w", ref.ID, err)
	}
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != ref.Plan {
		return nil, fmt.Errorf("plan snapshot of run %s: %s was changed; its content no longer matches its name", ref.ID, path)
	}
	plan := new(Plan)
	if err := atomicfile.DecodeJSON(data, plan); err != nil {
		return nil, fmt.Errorf("plan snapshot of run %s: %s: %w", ref.ID, path, err)
	}
	s.plans.Store(ref.Plan, plan)
	return plan, nil
}
