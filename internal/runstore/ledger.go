package runstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/run"
)

// EntryType says what a ledger entry records.
type EntryType string

const (
	// EntryAttempt: an attempt was given its sequence number.
	EntryAttempt EntryType = "attempt"
	// EntryCommitPlan: a verified attempt is about to be committed.
	EntryCommitPlan EntryType = "commit_plan"
	// EntryCompleted: the prompt is complete.
	EntryCompleted EntryType = "completed"
)

// Entry is one line of the completion ledger.
type Entry struct {
	Type   EntryType `json:"type"`
	Prompt string    `json:"prompt"`
	Seq    int       `json:"seq"`
	At     time.Time `json:"at"`
	// Iteration, Number and Mode describe an attempt.
	Iteration int      `json:"iteration,omitempty"`
	Number    int      `json:"number,omitempty"`
	Mode      run.Mode `json:"mode,omitempty"`
	// Execution is the Temporal run id of the workflow that took the attempt.
	Execution string `json:"execution,omitempty"`
	// Log is where the transcript of an attempt is.
	Log string `json:"log,omitempty"`
	// Repos are the repositories a commit plan has something to stage in.
	Repos []string `json:"repos,omitempty"`
	// Commits is how a completed prompt was committed.
	Commits []run.RepoCommit `json:"commits,omitempty"`
}

// Ledger is the append-only completion ledger of one run.
type Ledger struct{ path string }

// Ledger returns the ledger of a run.
func (s *Store) Ledger(id string) *Ledger {
	return &Ledger{path: filepath.Join(s.RunDir(id), "ledger.jsonl")}
}

// Read returns the entries in order; none when the ledger does not exist.
func (l *Ledger) Read() ([]Entry, error) {
	entries, _, err := l.read()
	return entries, err
}

// read also returns the length of the whole lines. A last line without its
// newline was torn by a crash in the middle of an append: it never counted.
func (l *Ledger) read() (entries []Entry, whole int64, err error) {
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("completion ledger: %w", err)
	}
	for number := 1; len(data) > 0; number++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if !ended {
			break
		}
		entry, err := decodeEntry(line)
		if err != nil {
			return nil, 0, fmt.Errorf("completion ledger: %w", &atomicfile.DamagedError{Path: l.path, Line: number, Err: err})
		}
		entries = append(entries, entry)
		whole += int64(len(line)) + 1
		data = rest
	}
	return entries, whole, nil
}

// decodeEntry refuses what this release would misunderstand: an entry that it
// passed over might be the completion of a prompt.
func decodeEntry(line []byte) (Entry, error) {
	var entry Entry
	if err := atomicfile.DecodeJSON(line, &entry); err != nil {
		return Entry{}, err
	}
	switch entry.Type {
	case EntryAttempt, EntryCommitPlan, EntryCompleted:
		return entry, nil
	}
	return Entry{}, fmt.Errorf("the entry type %q is unknown to this release", entry.Type)
}

// Append adds what next derives from the entries so far, durably and while no
// one else appends. next returns nil to add nothing.
func (l *Ledger) Append(next func(entries []Entry) (*Entry, error)) error {
	return withLock(l.path+".lock", func() error {
		entries, whole, err := l.read()
		if err != nil {
			return err
		}
		entry, err := next(entries)
		if err != nil || entry == nil {
			return err
		}
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		return appendLine(l.path, whole, line)
	})
}

// appendLine writes a line at offset, dropping a torn line behind it.
func appendLine(path string, offset int64, line []byte) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(offset); err != nil {
		return err
	}
	if _, err := file.WriteAt(append(line, '\n'), offset); err != nil {
		return err
	}
	return file.Sync()
}

// NextSeq returns the sequence number of a prompt's next attempt.
func NextSeq(entries []Entry, prompt string) int {
	highest := 0
	for _, entry := range entries {
		if entry.Prompt == prompt && entry.Type == EntryAttempt {
			highest = max(highest, entry.Seq)
		}
	}
	return highest + 1
}

// Completions counts how often a prompt was completed in the run.
func Completions(entries []Entry, prompt string) int {
	count := 0
	for _, entry := range entries {
		if entry.Prompt == prompt && entry.Type == EntryCompleted {
			count++
		}
	}
	return count
}

// PendingCommit returns the newest commit plan of a prompt that no completion
// followed, and nil when the prompt has none: a later attempt voids a plan too.
func PendingCommit(entries []Entry, prompt string) *Entry {
	var pending *Entry
	for i := range entries {
		if entries[i].Prompt != prompt {
			continue
		}
		switch entries[i].Type {
		case EntryCommitPlan:
			pending = &entries[i]
		case EntryCompleted, EntryAttempt:
			pending = nil
		}
	}
	return pending
}
