package projection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// The version of state.json that this release reads and writes.
const (
	viewVersion  = 1
	stateVersion = "1"
)

// document is state.json. All of it stays maps, and numbers stay as they are
// written, because keys that another tool wrote are kept.
type document struct {
	fields  map[string]any
	prompts map[string]any
}

func (d Dir) read() (document, error) {
	fields := map[string]any{}
	data, err := os.ReadFile(d.StateFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fields["version"] = json.Number(stateVersion)
	case err != nil:
		return document{}, err
	default:
		if err := decode(data, &fields); err != nil {
			return document{}, d.invalid(err)
		}
	}
	if version, known := fields["version"].(json.Number); !known || version != stateVersion {
		return document{}, fmt.Errorf("%s has version %v, this release knows version %s; move it away, the run does not need it", d.StateFile(), fields["version"], stateVersion)
	}
	doc := document{fields: fields, prompts: map[string]any{}}
	if prompts, given := fields["prompts"]; given {
		known := false
		if doc.prompts, known = prompts.(map[string]any); !known {
			return document{}, d.invalid(errors.New(`"prompts" is not an object`))
		}
	}
	fields["prompts"] = doc.prompts
	return doc, nil
}

func (d Dir) invalid(err error) error {
	return fmt.Errorf("%s is not a valid state file: %w; move it away, the run does not need it", d.StateFile(), err)
}

// decode reads one JSON value that is all of data, and keeps numbers exact.
func decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// entry returns the entry of a prompt, a new one when there is none.
func (d Dir) entry(doc document, prompt string) (map[string]any, error) {
	value, given := doc.prompts[prompt]
	if !given {
		entry := map[string]any{}
		doc.prompts[prompt] = entry
		return entry, nil
	}
	entry, known := value.(map[string]any)
	if !known {
		return nil, d.invalid(fmt.Errorf("prompt %s is not an object", prompt))
	}
	if list, given := entry["attempts"]; given {
		if _, known := list.([]any); !known {
			return nil, d.invalid(fmt.Errorf("the attempts of prompt %s are not a list", prompt))
		}
	}
	return entry, nil
}

func (d Dir) save(doc document) error {
	doc.fields["state_path"] = d.StateFile()
	data, err := json.MarshalIndent(doc.fields, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(d.StateFile(), append(data, '\n'), 0o644)
}

// change applies fn to a prompt's entry unless the entry has been projected
// with the same or a later revision of the same run. superseded says that it
// was a later one.
func (d Dir) change(ref run.Ref, prompt string, revision run.Revision, at time.Time, fn func(entry map[string]any)) (superseded bool, err error) {
	err = d.locked(func() error {
		doc, err := d.read()
		if err != nil {
			return err
		}
		entry, err := d.entry(doc, prompt)
		if err != nil {
			return err
		}
		if present := revisionOf(entry); entry["run_id"] == ref.ID && !revision.Newer(present) {
			superseded = present.Newer(revision)
			return nil
		}
		fn(entry)
		entry["run_id"] = ref.ID
		entry["revision"] = revision
		entry["updated_at"] = at.UTC().Format(timeLayout)
		doc.fields["run_id"] = ref.ID
		doc.fields["updated_at"] = entry["updated_at"]
		return d.save(doc)
	})
	return superseded, err
}

func revisionOf(entry map[string]any) run.Revision {
	fields, _ := entry["revision"].(map[string]any)
	return run.Revision{Leg: whole(fields["leg"]), Sequence: whole(fields["sequence"])}
}

// whole is a whole number of state.json; 0 when it is none.
func whole(value any) int {
	number, _ := value.(json.Number)
	count, _ := number.Int64()
	return int(count)
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
		if attempt["run_id"] == runID && whole(attempt["seq"]) == seq {
			return attempt
		}
	}
	return nil
}
