package packet

import (
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// ManifestName is the file that makes a directory a packet.
const ManifestName = "prompt_runner_packet.md"

// StateDir is the directory inside a packet that projections are written to.
// It is never committed and never judged.
const StateDir = ".prompt_runner"

// PacketAlias names the packet root wherever a repository name may stand.
const PacketAlias = "packet"

// Packet is a loaded packet: profile, manifest, prompts and overrides merged.
type Packet struct {
	Name string `json:"name"`
	// Root is the canonical absolute packet directory.
	Root string `json:"root"`
	// Profile names the profile that supplied defaults; empty without one.
	Profile string `json:"profile,omitempty"`
	// Repos are sorted by name. Without any, the packet root is the only place
	// a prompt works in, under the name "default".
	Repos []Repo `json:"repos"`
	// VerifyRoots are absolute directories besides packet and repositories that
	// contracts may look into.
	VerifyRoots []string `json:"verify_roots,omitempty"`
	// Artifacts are the files that a workspace built, by id.
	Artifacts map[string]string `json:"artifacts,omitempty"`
	// Prompts are in file order.
	Prompts []Prompt `json:"prompts"`
	// Fingerprint is the SHA-256, in hex, over what defines the work: every
	// prompt's fields and body, and the agent_control block. It does not depend
	// on where the packet lies or on the command line.
	Fingerprint string `json:"fingerprint"`
	// Warnings are findings that do not stop a run.
	Warnings []Finding `json:"-"`
}

// Repo is a repository of the packet.
type Repo struct {
	Name string `json:"name"`
	// Path is absolute, existing symbolic links resolved.
	Path    string `json:"path"`
	Default bool   `json:"default,omitempty"`
}

// Prompt is one prompt with its effective settings.
type Prompt struct {
	// ID is what the author wrote ("08", "010"), padded to two digits.
	ID string `json:"id"`
	// File is the absolute path of the prompt file.
	File        string `json:"file"`
	Phase       int    `json:"phase"`
	StoryPoints int    `json:"sp"`
	Name        string `json:"name"`
	// Targets are the names of the repositories the prompt works on and commits
	// to; never empty.
	Targets []string `json:"targets"`
	// WorkDir is the directory its sessions run in.
	WorkDir string `json:"work_dir"`
	// Commit is the commit message.
	Commit    string   `json:"commit"`
	DependsOn []string `json:"depends_on,omitempty"`
	// Body is what the provider gets, verbatim.
	Body     string             `json:"body"`
	Contract Contract           `json:"contract"`
	Simulate simulation.Script  `json:"simulate,omitzero"`
	Recovery run.RecoveryPolicy `json:"recovery"`
	Settings Settings           `json:"settings"`
}

// Settings are the provider settings of a prompt, precedence applied: profile,
// then packet, then prompt, then the command line.
type Settings struct {
	Provider        string   `json:"provider"`
	Model           string   `json:"model"`
	ReasoningEffort string   `json:"reasoning_effort,omitempty"`
	PermissionMode  string   `json:"permission_mode"`
	AllowedTools    []string `json:"allowed_tools,omitempty"`
	// TimeoutMS bounds a session; unset in the files means seven days.
	TimeoutMS int64 `json:"timeout_ms"`
}

// Repo returns the repository of that name; PacketAlias names the packet root.
func (p *Packet) Repo(name string) (Repo, bool) {
	for _, repo := range p.Repos {
		if repo.Name == name {
			return repo, true
		}
	}
	if name == PacketAlias {
		return Repo{Name: PacketAlias, Path: p.Root}, true
	}
	return Repo{}, false
}

// Prompt returns the prompt with that id.
func (p *Packet) Prompt(id string) (*Prompt, bool) {
	for i := range p.Prompts {
		if p.Prompts[i].ID == id {
			return &p.Prompts[i], true
		}
	}
	return nil, false
}
