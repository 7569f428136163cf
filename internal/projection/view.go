package projection

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// View is what commands read of a packet's state.json. Other tools write
// that file too, so keys that are not listed here are nobody's mistake.
type View struct {
	Version int                   `json:"version"`
	RunID   string                `json:"run_id"`
	Prompts map[string]PromptView `json:"prompts"`
}

// PromptView is the entry of one prompt.
type PromptView struct {
	RunID        string        `json:"run_id"`
	Status       run.Status    `json:"status"`
	Reason       Text          `json:"reason"`
	FailureClass run.Class     `json:"failure_class"`
	UpdatedAt    time.Time     `json:"updated_at"`
	Unverified   bool          `json:"unverified"`
	LateError    bool          `json:"late_error"`
	Attempts     []AttemptView `json:"attempts"`
}

// AttemptView is one attempt of a prompt.
type AttemptView struct {
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

// Number is what people select an attempt by.
func (a AttemptView) Number() int { return cmp.Or(a.Seq, a.Attempt) }

// Text is a text for people; the Elixir tool also writes structured terms
// in its place, which are shown as they are.
type Text string

// UnmarshalJSON accepts any value.
func (t *Text) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case string(data) == "null":
	case json.Unmarshal(data, &text) == nil:
		*t = Text(text)
	default:
		*t = Text(data)
	}
	return nil
}

// Read reads the packet's state; an empty view when no prompt has been run. A
// file that cannot be understood is an error.
func (d Dir) Read() (View, error) {
	data, err := os.ReadFile(d.StateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return View{}, nil
	}
	if err != nil {
		return View{}, fmt.Errorf("state of the packet: %w", err)
	}
	var view View
	if err := json.Unmarshal(data, &view); err != nil {
		return View{}, d.invalid(err)
	}
	if view.Version != viewVersion {
		return View{}, fmt.Errorf("%s has version %d, this release knows version %d; move it away, the run does not need it", d.StateFile(), view.Version, viewVersion)
	}
	return view, nil
}

// Transcript is the path of an attempt's transcript. It lies in the directory
// whatever state.json says.
func (d Dir) Transcript(attempt AttemptView) (string, error) {
	if !filepath.IsLocal(attempt.LogFile) {
		return "", fmt.Errorf("%s names the transcript %q, which lies outside of %s", d.StateFile(), attempt.LogFile, d.root)
	}
	return filepath.Join(d.root, attempt.LogFile), nil
}
