package verifier

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/prompt-runner/prompt-runner/packet"
)

// maxFile bounds the files whose text is judged, in bytes.
const maxFile = 64 << 20

var (
	errNotRegular = errors.New("it is not a regular file")
	errTooLarge   = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
)

// read returns the text of a regular file.
func (p place) read() ([]byte, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	// Without O_NONBLOCK a named pipe would keep us for ever.
	file, err := root.OpenFile(p.relative, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		return nil, errTooLarge
	}
	return text, err
}

// text reads the file of an item about text. When it cannot, the item says why
// and ok is false.
func (s Scope) text(item *Item, entry packet.PathEntry) (text []byte, ok bool) {
	at, ok := s.locate(item, entry)
	if !ok {
		return nil, false
	}
	text, err := at.read()
	switch {
	case err == nil:
		return text, true
	case isMissing(err):
		item.Details = fmt.Sprintf("missing file: there is nothing at %s", at.path)
	case errors.Is(err, errNotRegular):
		item.Details = fmt.Sprintf("%s cannot be searched: %v", at.path, err)
	default:
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not read %s: %v", at.path, err)
	}
	return nil, false
}
