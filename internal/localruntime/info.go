package localruntime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

// Info is the record of a running local runtime, the content of runtime.json.
type Info struct {
	// Protocol is [run.Protocol] of the build that runs.
	Protocol int `json:"protocol"`
	PID      int `json:"pid"`
	// StartTime is the process's start as [proc.StartTime] tells it; together
	// with PID it names one process, even when the pid is used again.
	StartTime string `json:"start_time"`
	Build     string `json:"build"`
	// Address is the host:port of the server's gRPC frontend.
	Address string `json:"address"`
	// UI is the URL of Temporal Web.
	UI            string    `json:"ui"`
	Namespace     string    `json:"namespace"`
	ServerVersion string    `json:"server_version"`
	StartedAt     time.Time `json:"started_at"`
}

// Find reads the record of the local runtime and reports whether it runs. A
// record whose lock is free was left behind by a killed process: not running.
// A runtime that is still starting or already stopping is not running either.
func Find(state statedir.Dir) (Info, bool, error) {
	f := filesOf(state)
	alive, err := held(f.lock())
	if err != nil || !alive {
		return Info{}, false, err
	}
	data, err := os.ReadFile(f.record())
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, false, nil
	}
	if err != nil {
		return Info{}, false, fmt.Errorf("local runtime: %w", err)
	}
	info, err := decodeInfo(data)
	if err != nil {
		return Info{}, false, fmt.Errorf("local runtime: %s: %w; end the process that holds %s, then start the runtime again", f.record(), err, f.lock())
	}
	// Right after a new runtime took the lock, the record may be an old one.
	if !info.alive() {
		return Info{}, false, nil
	}
	return info, true, nil
}

// decodeInfo refuses fields that this build does not know, except in the record
// of another protocol, which is good for stopping that runtime only.
func decodeInfo(data []byte) (Info, error) {
	var info Info
	if err := json.Unmarshal(data, &info); err != nil {
		return Info{}, err
	}
	if info.Protocol != run.Protocol {
		return info, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&info); err != nil {
		return Info{}, err
	}
	return info, nil
}

// alive reports whether the process of the record still runs.
func (i Info) alive() bool { return proc.Alive(i.PID, i.StartTime) }

// write makes the record appear complete or not at all.
func (i Info) write(path string) error {
	data, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return fmt.Errorf("local runtime: encode %s: %w", path, err)
	}
	if err := renameio.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("local runtime: write %s: %w", path, err)
	}
	return nil
}
