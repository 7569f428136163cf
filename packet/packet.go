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

// BackupSuffix ends the names of files that a verification put aside while a
// command regenerates them. They are never committed and never judged.
const BackupSuffix = ".prompt-runner-verifier-backup"

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
	// Phases are the names of phases by number.
	Phases map[int]string `json:"phases,omitempty"`
	// Display says how runs of the packet are shown.
	Display Display `json:"display"`
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
	Provider string `json:"provider"`
	// Model is empty when no file names one; the provider then takes its own.
	Model           string   `json:"model"`
	ReasoningEffort string   `json:"reasoning_effort,omitempty"`
	PermissionMode  string   `json:"permission_mode"`
	AllowedTools    []string `json:"allowed_tools,omitempty"`
	// TimeoutMS bounds a session; unset in the files means seven days.
	TimeoutMS int64 `json:"timeout_ms"`
	// Confirmation is off, warn or require.
	Confirmation       string `json:"cli_confirmation"`
	SystemPrompt       string `json:"system_prompt,omitempty"`
	AppendSystemPrompt string `json:"append_system_prompt,omitempty"`
	// MaxTurns is 0 when nothing limits them.
	MaxTurns int `json:"max_turns,omitempty"`
	// Options are the free-form options by the key that holds them, such as
	// "codex_opts".
	Options map[string]map[string]any `json:"options,omitempty"`
}

// Display says how a run is shown. Every field holds one of the words that the
// key of the same name takes.
type Display struct {
	LogMode    string `json:"log_mode"`
	LogMeta    string `json:"log_meta"`
	EventsMode string `json:"events_mode"`
	ToolOutput string `json:"tool_output"`
	Thinking   string `json:"thinking"`
	Diff       string `json:"diff"`
	// Template is the template of new prompts.
	Template string `json:"prompt_template"`
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
