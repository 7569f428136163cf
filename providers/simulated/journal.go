package simulated

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// journalName is the journal's file in a turn's directory: one JSON line per
// write, in the order of the script.
const journalName = "journal.jsonl"

// entry is the state of a file before a write.
type entry struct {
	Path    string      `json:"path"`
	Existed bool        `json:"existed"`
	Mode    fs.FileMode `json:"mode,omitempty"`
	Content []byte      `json:"content,omitempty"`
}

// journal is the durable memory of a turn's writes.
type journal struct {
	file    *os.File
	entries []entry
}

// openJournal reads the journal in dir and makes it ready to be added to. A torn
// last line is dropped: its write was never applied.
func openJournal(dir string) (*journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create journal directory: %w", err)
	}
	path := filepath.Join(dir, journalName)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &journal{file: file}
	if err := j.load(path); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) load(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	if len(data) == 0 {
		return syncDir(filepath.Dir(path))
	}
	whole := 0
	for line := range bytes.Lines(data) {
		var e entry
		err := json.Unmarshal(line, &e)
		if last := whole+len(line) == len(data); last && (err != nil || line[len(line)-1] != '\n') {
			break
		}
		if err != nil {
			return fmt.Errorf("journal %s, entry %d is damaged: %w; what the session had written is unknown, look at the repository and start a new run", path, len(j.entries)+1, err)
		}
		j.entries = append(j.entries, e)
		whole += len(line)
	}
	if whole == len(data) {
		return nil
	}
	if err := j.file.Truncate(int64(whole)); err != nil {
		return fmt.Errorf("drop the torn last line of journal %s: %w", path, err)
	}
	return nil
}

// add records an entry; when it returns, the entry survives a crash.
func (j *journal) add(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode journal entry: %w", err)
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	j.entries = append(j.entries, e)
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// syncDir makes the names in a directory survive a crash.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	return errors.Join(dir.Sync(), dir.Close())
}
