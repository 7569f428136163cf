package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/run"
)

// stateFile is what commands read of a packet's state.json. Other tools write
// that file too, so keys that are not listed here are nobody's mistake.
type stateFile struct {
	Version int                    `json:"version"`
	RunID   string                 `json:"run_id"`
	Prompts map[string]statePrompt `json:"prompts"`
}

type statePrompt struct {
	RunID        string         `json:"run_id"`
	Status       run.Status     `json:"status"`
	Reason       stateText      `json:"reason"`
	FailureClass run.Class      `json:"failure_class"`
	UpdatedAt    time.Time      `json:"updated_at"`
	Unverified   bool           `json:"unverified"`
	LateError    bool           `json:"late_error"`
	Attempts     []stateAttempt `json:"attempts"`
}

type stateAttempt struct {
	RunID string `json:"run_id"`
	// Seq is 0 in entries of the Elixir tool, which counts with Attempt alone.
	Seq       int        `json:"seq"`
	Attempt   int        `json:"attempt"`
	Mode      run.Mode   `json:"mode"`
	Status    run.Status `json:"status"`
	StartedAt time.Time  `json:"started_at"`
	// LogFile is relative to the directory of state.json.
	LogFile string `json:"log_file"`
}

// number is what --attempt selects by.
func (s stateAttempt) number() int { return cmp.Or(s.Seq, s.Attempt) }

// stateText is a text for people; the Elixir tool also writes structured terms
// in its place, which are shown as they are.
type stateText string

// UnmarshalJSON accepts any value.
func (t *stateText) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, &text) == nil:
		*t = stateText(text)
	default:
		*t = stateText(data)
	}
	return nil
}

// readState reads the state of the packet at dir; an empty one when no prompt
// has been run. A file that cannot be understood is an error.
func readState(dir string) (stateFile, error) {
	path := projection.In(dir).StateFile()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stateFile{}, nil
	}
	if err != nil {
		return stateFile{}, fmt.Errorf("state of the packet: %w", err)
	}
	var state stateFile
	if err := json.Unmarshal(data, &state); err != nil {
		return stateFile{}, fmt.Errorf("%s is not a valid state file: %w; move it away, the run does not need it", path, err)
	}
	if state.Version != 1 {
		return stateFile{}, fmt.Errorf("%s has version %d, this release knows version 1; move it away, the run does not need it", path, state.Version)
	}
	return state, nil
}

// transcript is an attempt that has a transcript.
type transcript struct {
	prompt  string
	attempt stateAttempt
}

// newestTranscript chooses an attempt: of one prompt or of all, the newest or
// the newest with that number.
func (s stateFile) newestTranscript(prompt string, number int) (transcript, bool) {
	var found []transcript
	for id, entry := range s.Prompts {
		if prompt != "" && id != prompt {
			continue
		}
		for _, attempt := range entry.Attempts {
			if attempt.LogFile != "" && (number == 0 || attempt.number() == number) {
				found = append(found, transcript{id, attempt})
			}
		}
	}
	if len(found) == 0 {
		return transcript{}, false
	}
	return slices.MaxFunc(found, func(a, b transcript) int {
		return cmp.Or(a.attempt.StartedAt.Compare(b.attempt.StartedAt), cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.attempt.number(), b.attempt.number()))
	}), true
}

// logPath is the transcript's file. It lies in the state directory whatever
// state.json says.
func logPath(dir, logFile string) (string, error) {
	state := projection.In(dir)
	if !filepath.IsLocal(logFile) {
		return "", fmt.Errorf("%s names the transcript %q, which lies outside of %s", state.StateFile(), logFile, state.Path())
	}
	return filepath.Join(state.Path(), logFile), nil
}
