package statedir

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// HostVariable overrides the host id.
const HostVariable = "PROMPT_RUNNER_HOST_ID"

// Dir is the state directory of one user on one host.
type Dir struct{ root string }

// Open finds the state directory, $XDG_STATE_HOME/prompt-runner or
// ~/.local/state/prompt-runner, and creates it with mode 0700.
func Open(getenv func(string) string) (Dir, error) {
	base := getenv("XDG_STATE_HOME")
	if base == "" {
		home := getenv("HOME")
		if home == "" {
			return Dir{}, errors.New("state directory: neither XDG_STATE_HOME nor HOME is set; set one of them")
		}
		base = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(base) {
		return Dir{}, fmt.Errorf("state directory: %q, from XDG_STATE_HOME or HOME, is not absolute; set the variable to an absolute path", base)
	}
	return At(filepath.Join(base, "prompt-runner"))
}

// At uses root as the state directory and creates it with mode 0700.
func At(root string) (Dir, error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return Dir{}, fmt.Errorf("state directory: %w; make it writable or set XDG_STATE_HOME", err)
	}
	return Dir{root: root}, nil
}

// Root is the state directory itself.
func (d Dir) Root() string { return d.root }

// Runtime is where the local runtime keeps database, certificates and log.
func (d Dir) Runtime() string { return filepath.Join(d.root, "runtime") }

// Run is the directory of a run: plan snapshots, sessions, reports, ledger.
func (d Dir) Run(id string) string { return filepath.Join(d.root, "runs", id) }

// Packet is the directory of what is known about the packet at the canonical
// path root: its run lock and its current run.
func (d Dir) Packet(root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(d.root, "packets", hex.EncodeToString(sum[:8]))
}

// RepoLock is the lock file that excludes two git writers in the repository
// whose common git directory is given.
func (d Dir) RepoLock(gitCommonDir string) string {
	sum := sha256.Sum256([]byte(gitCommonDir))
	return filepath.Join(d.root, "repos", hex.EncodeToString(sum[:8])+".lock")
}

// WorkerLock is held by the host's worker while it lives.
func (d Dir) WorkerLock() string { return filepath.Join(d.root, "worker.lock") }

// Host returns the host id: PROMPT_RUNNER_HOST_ID, or a random id that is
// created on first use and kept.
func (d Dir) Host(getenv func(string) string) (string, error) {
	if id := getenv(HostVariable); id != "" {
		if strings.ContainsAny(id, "@/ \t\n") {
			return "", fmt.Errorf("%s is %q; it must not contain '@', '/' or white space", HostVariable, id)
		}
		return id, nil
	}
	path := filepath.Join(d.root, "host-id")
	for {
		data, err := os.ReadFile(path)
		if err == nil {
			if id := strings.TrimSpace(string(data)); id != "" {
				return id, nil
			}
			return "", fmt.Errorf("host id: %s is empty; remove it to get a new one", path)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("host id: %w", err)
		}
		if err := createHostID(path); err != nil {
			return "", fmt.Errorf("host id: %w", err)
		}
	}
}

// createHostID makes the file appear complete or not at all: it is linked into
// place, so that two processes that start together agree on one id.
func createHostID(path string) error {
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never fails
	temp, err := os.CreateTemp(filepath.Dir(path), "host-id-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	if _, err := temp.WriteString(hex.EncodeToString(random) + "\n"); err != nil {
		_ = temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
