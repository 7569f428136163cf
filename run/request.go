package run

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// CommitMode says what happens to the work of a completed prompt.
type CommitMode string

const (
	// CommitGit commits it to git; it is the default.
	CommitGit CommitMode = "git"
	// CommitNoop runs the committer without git; the ledger says "noop".
	CommitNoop CommitMode = "noop"
	// CommitNone skips the committer; the ledger says "no_commit".
	CommitNone CommitMode = "none"
)

// Valid reports whether the mode is one of the three above.
func (m CommitMode) Valid() bool {
	return m == CommitGit || m == CommitNoop || m == CommitNone
}

// Request is the input of the PacketRun workflow. Only Packet is required, so
// that a person can type it into Temporal Web: {"packet": "/abs/dir"}.
type Request struct {
	// Packet is the absolute path of the packet directory on the host.
	Packet string `json:"packet"`
	// Host names the host that has the packet and its repositories. Empty means
	// the only host that polls the shared queue; several are an error.
	Host string `json:"host,omitempty"`
	// Prompts selects prompts, in the order to run them; empty means all.
	Prompts []string `json:"prompts,omitempty"`
	// NewRun supersedes an unfinished run of the packet instead of continuing it.
	NewRun bool `json:"new_run,omitempty"`
	// SkipPreflight opens the run whatever state its repositories are in.
	SkipPreflight bool `json:"skip_preflight,omitempty"`
	// Overrides are the command line's settings; they win over every file.
	Overrides Overrides `json:"overrides,omitzero"`
	// Defaults are the weakest settings; every file beats them.
	Defaults Overrides `json:"defaults,omitzero"`
	// Commit is the commit mode; empty means CommitGit.
	Commit CommitMode `json:"commit,omitempty"`
	// Protocol is the protocol version of the sender; zero means unstated.
	Protocol int `json:"protocol,omitempty"`
}

// Overrides are settings that beat profile, packet and prompt.
type Overrides struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
}

// UnmarshalJSON refuses unknown fields: an option that this build does not know
// would otherwise be dropped without a word.
func (r *Request) UnmarshalJSON(data []byte) error {
	type plain Request
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode((*plain)(r)); err != nil {
		return fmt.Errorf("PacketRun input: %w (the smallest valid input is {\"packet\": \"/absolute/directory\"})", err)
	}
	return nil
}

// Validate reports what makes a request unusable, whatever the packet holds.
func (r Request) Validate() error {
	switch {
	case r.Packet == "":
		return fmt.Errorf("PacketRun input: \"packet\" is empty; give the absolute path of a packet directory")
	case r.Protocol != 0 && r.Protocol != Protocol:
		return fmt.Errorf("PacketRun input: protocol %d was sent, this worker speaks %d; use a client and a worker of the same release", r.Protocol, Protocol)
	case r.Commit != "" && !r.Commit.Valid():
		return fmt.Errorf("PacketRun input: \"commit\" is %q; it must be \"git\", \"noop\" or \"none\"", r.Commit)
	}
	return nil
}
