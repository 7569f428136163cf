package activities

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/sessionhost"
	"github.com/prompt-runner/prompt-runner/providers"
)

// eventsFile is the compact event file beside a transcript.
func eventsFile(log string) string { return strings.TrimSuffix(log, ".log") + ".events.jsonl" }

// size is the length of a file, 0 when there is none.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// recording writes a session's events: all of them in full beside the session,
// in compact form and as a transcript into the log directory.
type recording struct {
	full, compact, text *os.File
	transcript          *providers.Transcript
}

// record opens the files of a session and drops what an earlier, interrupted
// playing of it wrote.
func record(session *sessionhost.Session) (*recording, error) {
	r := new(recording)
	if err := os.MkdirAll(filepath.Dir(session.Spec.Log), 0o755); err != nil {
		return nil, err
	}
	for _, open := range []struct {
		file   **os.File
		path   string
		offset int64
	}{
		{&r.full, filepath.Join(session.Dir, sessionhost.EventsFile), 0},
		{&r.compact, eventsFile(session.Spec.Log), session.Spec.EventsOffset},
		{&r.text, session.Spec.Log, session.Spec.LogOffset},
	} {
		file, err := openAt(open.path, open.offset)
		if err != nil {
			return nil, errors.Join(err, r.closeFiles())
		}
		*open.file = file
	}
	r.transcript = providers.NewTranscript(r.text)
	spec := session.Spec
	var header string
	if spec.Resume == 0 {
		header = fmt.Sprintf("Prompt: %s\nAttempt: %d (%s)\nSession: provider=%s model=%s key=%s\n\n", spec.Prompt, spec.Seq, spec.Mode, spec.Provider, spec.Model, spec.Key)
	} else {
		header = fmt.Sprintf("SESSION_RECOVERY action=resume_started provider=%s resume=%d\n", spec.Provider, spec.Resume)
	}
	if _, err := r.text.WriteString(header); err != nil {
		return nil, errors.Join(err, r.closeFiles())
	}
	return r, nil
}

// openAt opens a file for writing at offset and cuts off what lies behind it.
func openAt(path string, offset int64) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(offset); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := file.Seek(offset, 0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (r *recording) emit(event providers.Event) error {
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	if _, err := r.full.Write(append(line, '\n')); err != nil {
		return err
	}
	if _, err := r.compact.Write(append(providers.CompactLine(event), '\n')); err != nil {
		return err
	}
	return r.transcript.Write(event)
}

func (r *recording) close() error {
	return errors.Join(r.transcript.Close(), r.closeFiles())
}

func (r *recording) closeFiles() error {
	var err error
	for _, file := range []*os.File{r.full, r.compact, r.text} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
}
