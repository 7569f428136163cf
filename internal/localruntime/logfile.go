package localruntime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxLog is the size in bytes from which a start begins a new log; one older
// log is kept.
const maxLog = 10 << 20

// rotate moves a log that has grown too large to path.1.
func rotate(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("local runtime: log: %w", err)
	case info.Size() <= maxLog:
		return nil
	}
	if err := os.Rename(path, path+".1"); err != nil {
		return fmt.Errorf("local runtime: rotate log: %w", err)
	}
	return nil
}
