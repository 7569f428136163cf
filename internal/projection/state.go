package projection

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// document is state.json. Prompts and attempts stay maps, because keys that
// another tool wrote are kept.
type document struct {
	Version   int                       `json:"version"`
	StatePath string                    `json:"state_path"`
	UpdatedAt string                    `json:"updated_at"`
	RunID     string                    `json:"run_id,omitempty"`
	Prompts   map[string]map[string]any `json:"prompts"`
}

func (d Dir) read() (document, error) {
	empty := document{Version: 1, StatePath: d.StateFile(), Prompts: map[string]map[string]any{}}
	data, err := os.ReadFile(d.StateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return document{}, err
	}
	doc := empty
	if err := json.Unmarshal(data, &doc); err != nil {
		return document{}, fmt.Errorf("%s is not a valid state file: %w; move it away, the run does not need it", d.StateFile(), err)
	}
	if doc.Version != 1 {
		return document{}, fmt.Errorf("%s has version %d, this release knows version 1; move it away, the run does not need it", d.StateFile(), doc.Version)
	}
	if doc.Prompts == nil {
		doc.Prompts = map[string]map[string]any{}
	}
	return doc, nil
}

func (d Dir) save(doc document) error {
	doc.StatePath = d.StateFile()
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(d.StateFile(), append(data, '\n'), 0o644)
}

// change applies fn to a prompt's entry unless the entry has been projected
// with the same or a later revision of the same run.
func (d Dir) change(ref run.Ref, prompt string, revision run.Revision, at time.Time, fn func(entry map[string]any) error) error {
	return d.locked(func() error {
		doc, err := d.read()
		if err != nil {
			return err
		}
		entry := doc.Prompts[prompt]
		if entry == nil {
			entry = map[string]any{}
			doc.Prompts[prompt] = entry
		}
		if entry["run_id"] == ref.ID && !revision.Newer(revisionOf(entry)) {
			return nil
		}
		if err := fn(entry); err != nil {
			return err
		}
		entry["run_id"] = ref.ID
		entry["revision"] = revision
		entry["updated_at"] = at.UTC().Format(timeLayout)
		doc.RunID = ref.ID
		doc.UpdatedAt = at.UTC().Format(timeLayout)
		return d.save(doc)
	})
}

func revisionOf(entry map[string]any) run.Revision {
	fields, _ := entry["revision"].(map[string]any)
	leg, _ := fields["leg"].(float64)
	sequence, _ := fields["sequence"].(float64)
	return run.Revision{Leg: int(leg), Sequence: int(sequence)}
}

// attempts returns the attempt list of an entry, entries of other tools included.
func attempts(entry map[string]any) []any {
	list, _ := entry["attempts"].([]any)
	return list
}

// attemptOf finds the attempt of a run by its sequence number.
func attemptOf(entry map[string]any, runID string, seq int) map[string]any {
	for _, item := range attempts(entry) {
		attempt, _ := item.(map[string]any)
		number, _ := attempt["seq"].(float64)
		if attempt["run_id"] == runID && int(number) == seq {
			return attempt
		}
	}
	return nil
}
