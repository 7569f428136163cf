// Package atomicfile writes files that must survive a crash: whole or not at
// all, durably, and reads JSON records among them strictly.
package atomicfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Write replaces the file at path.
func Write(path string, data []byte, mode os.FileMode) error {
	// The temporary file goes beside its place: probing for another directory
	// on the same file system would cost more than the write.
	return renameio.WriteFile(path, data, mode, renameio.WithTempDir(filepath.Dir(path)))
}

// Replace replaces the file at path atomically, but does not wait for the disk:
// for what can be made again after a power cut.
func Replace(path string, data []byte, mode os.FileMode) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(data)
	if err := errors.Join(err, file.Chmod(mode), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// WriteJSON replaces the file at path, with mode 0600, and creates its directory
// with mode 0700 when it is missing.
func WriteJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Write(path, append(data, '\n'), 0o600)
}

// CreateJSON is WriteJSON for a record that stands once written: the error is
// fs.ErrExist, and nothing is changed, when there is a file at path already.
func CreateJSON(path string, value any) (err error) {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	_, err = file.Write(append(data, '\n'))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Link(file.Name(), path)
}

// DamagedError is a file of ours that cannot be read as what it was written as.
// Waiting does not mend it.
type DamagedError struct {
	Path string
	// Line counts from 1; 0 means the whole file.
	Line int
	Err  error
}

// Error names the file, the line and what to do.
func (e *DamagedError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	return fmt.Sprintf("%s: it cannot be read as this release's format: %v; nothing was changed; restore it, or start over with a new run (--new-run)", place, e.Err)
}

// Unwrap returns what the decoder said.
func (e *DamagedError) Unwrap() error { return e.Err }

// ReadJSON decodes the file at path into the value that into points to, as
// DecodeJSON does. A missing file is fs.ErrNotExist.
func ReadJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := DecodeJSON(data, into); err != nil {
		return &DamagedError{Path: path, Err: err}
	}
	return nil
}

// DecodeJSON decodes one JSON value that is all of data. Unknown fields are
// refused: a record that says more than this release understands must not be
// acted on.
func DecodeJSON(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}
