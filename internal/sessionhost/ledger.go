package sessionhost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// Spec is what a session was started for. It holds no secrets.
type Spec struct {
	Protocol int    `json:"protocol"`
	Key      string `json:"key"`
	// NamespaceID is the UUID of the Temporal namespace the run lives in: only
	// its server may be asked whether the run is still open.
	NamespaceID string        `json:"namespace_id"`
	Execution   run.Execution `json:"execution"`
	Run         string        `json:"run_id"`
	Prompt      string        `json:"prompt"`
	Iteration   int           `json:"iteration"`
	Number      int           `json:"number"`
	Seq         int           `json:"seq"`
	Resume      int           `json:"resume"`
	Mode        run.Mode      `json:"mode"`
	Provider    string        `json:"provider"`
	Model       string        `json:"model"`
	StartedAt   time.Time     `json:"started_at"`
	// Log is the transcript the session writes to, and LogOffset its length when
	// the session was started: a session that plays again writes from there.
	Log       string `json:"log"`
	LogOffset int64  `json:"log_offset"`
	// EventsOffset is the same for the compact event file beside the transcript.
	EventsOffset int64 `json:"events_offset"`
}

// Exit is how a session ended.
type Exit struct {
	Protocol        int          `json:"protocol"`
	ProviderSession string       `json:"provider_session,omitempty"`
	Failure         *run.Failure `json:"failure,omitempty"`
	EndedAt         time.Time    `json:"ended_at"`
}

// Session is one entry of the ledger.
type Session struct {
	// Dir is the session's directory.
	Dir  string
	Spec Spec
}

const (
	specFile   = "spec.json"
	promptFile = "prompt.md"
	exitFile   = "exit.json"
	// EventsFile holds the session's events, one JSON object a line.
	EventsFile = "events.jsonl"
)

// Open returns the session of that key in the sessions directory, and creates
// it from what prepare returns (the spec and the text sent to the provider)
// when there is none. Two callers that race get the same session.
func Open(sessions, key string, prepare func() (Spec, string, error)) (*Session, error) {
	dir := filepath.Join(sessions, key)
	session, err := load(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return session, err
	}
	spec, prompt, err := prepare()
	if err != nil {
		return nil, err
	}
	if err := create(sessions, dir, spec, prompt); err != nil {
		return nil, fmt.Errorf("session %s: %w", key, err)
	}
	return load(dir)
}

// create writes a complete directory beside its place and renames it there.
func create(sessions, dir string, spec Spec, prompt string) error {
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(sessions, ".new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	spec.Protocol = run.Protocol
	if err := atomicfile.WriteJSON(filepath.Join(temp, specFile), spec); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(temp, promptFile), []byte(prompt), 0o600); err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, loadErr := load(dir); loadErr != nil {
			return err
		}
	}
	return nil
}

func load(dir string) (*Session, error) {
	session := &Session{Dir: dir}
	if err := atomicfile.ReadJSON(filepath.Join(dir, specFile), &session.Spec); err != nil {
		return nil, err
	}
	if session.Spec.Protocol != run.Protocol {
		return nil, fmt.Errorf("session %s has protocol %d, this release speaks %d", dir, session.Spec.Protocol, run.Protocol)
	}
	return session, nil
}

// Prompt returns the text that was sent to the provider.
func (s *Session) Prompt() (string, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, promptFile))
	return string(data), err
}

// Exit returns how the session ended; ok is false while it has not.
func (s *Session) Exit() (exit Exit, ok bool, err error) {
	err = atomicfile.ReadJSON(filepath.Join(s.Dir, exitFile), &exit)
	if errors.Is(err, fs.ErrNotExist) {
		return Exit{}, false, nil
	}
	if err == nil && exit.Protocol != run.Protocol {
		err = fmt.Errorf("the exit record of session %s has protocol %d, this release speaks %d", s.Dir, exit.Protocol, run.Protocol)
	}
	if err != nil {
		return Exit{}, false, err
	}
	return exit, true, nil
}

// Finish writes the exit record and returns the one that stands: the first,
// whoever wrote it.
func (s *Session) Finish(exit Exit) (Exit, error) {
	exit.Protocol = run.Protocol
	err := atomicfile.CreateJSON(filepath.Join(s.Dir, exitFile), exit)
	if errors.Is(err, fs.ErrExist) {
		exit, _, err = s.Exit()
	}
	return exit, err
}
