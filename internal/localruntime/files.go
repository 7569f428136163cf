package localruntime

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// files names what the runtime keeps in its directory.
type files struct{ dir string }

func filesOf(state statedir.Dir) files { return files{dir: state.Runtime()} }

// lock is held by the runtime for its life, startLock by whoever starts one.
func (f files) lock() string      { return filepath.Join(f.dir, "lock") }
func (f files) startLock() string { return filepath.Join(f.dir, "start.lock") }

func (f files) record() string   { return filepath.Join(f.dir, "runtime.json") }
func (f files) log() string      { return filepath.Join(f.dir, "server.log") }
func (f files) database() string { return filepath.Join(f.dir, "temporal.db") }
func (f files) version() string  { return filepath.Join(f.dir, "temporal.db.version") }
func (f files) tlsDir() string   { return filepath.Join(f.dir, "tls") }

func (f files) tls() temporalconn.Files {
	return temporalconn.Files{
		CA:   filepath.Join(f.tlsDir(), "ca.pem"),
		Cert: filepath.Join(f.tlsDir(), "cert.pem"),
		Key:  filepath.Join(f.tlsDir(), "key.pem"),
	}
}

// create makes the directories, for the owner only.
func (f files) create() error {
	if err := os.MkdirAll(f.tlsDir(), 0o700); err != nil {
		return fmt.Errorf("local runtime: %w; make the state directory writable or set XDG_STATE_HOME", err)
	}
	return nil
}

// LogFile is the log of the local runtime, for people to read.
func LogFile(state statedir.Dir) string { return filesOf(state).log() }
