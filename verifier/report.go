package verifier

import "github.com/prompt-runner/prompt-runner/packet"

// Report is the verdict on a contract. The JSON names, question marks included,
// are those of the Elixir tool.
type Report struct {
	// Pass says that no item failed; an empty contract passes.
	Pass  bool   `json:"pass?"`
	Items []Item `json:"items"`
	// Failures are the items that did not pass, faults included.
	Failures []Item `json:"failures"`
	// Faults are the items that could not be judged.
	Faults []Item `json:"faults"`
	Prompt string `json:"prompt_id"`
	// Amendments is always empty.
	Amendments []any `json:"amendments"`
}

// Kind names the clause an item comes from.
type Kind string

// The kinds, in the order in which their items stand in a report.
const (
	FileExists       Kind = "file_exists"
	FileAbsent       Kind = "file_absent"
	Contains         Kind = "contains"
	Matches          Kind = "matches"
	Doc              Kind = "doc"
	YAML             Kind = "yaml"
	JSON             Kind = "json"
	Glob             Kind = "glob"
	SourceAbsent     Kind = "source_absent"
	CommandRuns      Kind = "command"
	ChangedPathsOnly Kind = "changed_paths_only"
	ReposClean       Kind = "repos_clean"
)

// Fault says why an item could not be judged; empty when it was.
type Fault string

// The faults.
const (
	// FaultVerifier means that the check could not run.
	FaultVerifier Fault = "verifier_fault"
	// FaultTimeout means that the check did not end in time.
	FaultTimeout Fault = "verifier_timeout"
)

// Item is the verdict on one entry of a contract. The kind decides which of the
// embedded parts are set; no two of them have a JSON name in common.
type Item struct {
	Kind Kind `json:"kind"`
	// Repo is the repository the author named, otherwise the one that the
	// prompt works in; empty when there is none.
	Repo string `json:"repo,omitempty"`
	Pass bool   `json:"pass?"`
	// Details say what was expected, what was found and where, for the agent
	// that has to repair it; at most 16 KiB.
	Details string `json:"details"`
	Fault   Fault  `json:"fault,omitempty"`

	*FileCheck
	*DocCheck
	*YAMLCheck
	*JSONCheck
	*GlobCheck
	*SourceCheck
	*CommandCheck
	*ChangeCheck
	*CleanCheck
}

// FileCheck is the part of items about one file.
type FileCheck struct {
	// Path is what the author wrote.
	Path string `json:"path"`
	// ResolvedPath is absolute, symbolic links resolved as far as they exist.
	ResolvedPath string `json:"resolved_path"`
}

// DocCheck is the part of items about a document.
type DocCheck struct {
	MinLines int `json:"min_lines"`
	// Lines counts the non-blank lines.
	Lines           int      `json:"lines"`
	MissingSections []string `json:"missing_sections"`
	Markers         []Marker `json:"markers"`
	// BelowRecommendation says that there are fewer lines than recommended; nil
	// when the document could not be read.
	BelowRecommendation *bool `json:"below_recommendation?,omitempty"`
}

// Marker is a forbidden word at the beginning of a line.
type Marker struct {
	Marker string `json:"marker"`
	// Line counts from 1.
	Line int `json:"line"`
}

// YAMLCheck is the part of items about a YAML file.
type YAMLCheck struct {
	// Shape is what the file holds; empty when it does not parse.
	Shape packet.Shape `json:"root,omitempty"`
}

// JSONCheck is the part of items about a JSON file.
type JSONCheck struct {
	Problems []string `json:"problems"`
}

// GlobCheck is the part of items about a pattern.
type GlobCheck struct {
	// Matches are the first paths that match, absolute and sorted.
	Matches []string `json:"matches"`
	// Matched counts all of them.
	Matched int `json:"match_count"`
}

// SourceCheck is the part of items about sources.
type SourceCheck struct {
	// Findings are the first lines found.
	Findings []SourceFinding `json:"findings"`
	// Found counts all of them.
	Found        int `json:"finding_count"`
	FilesChecked int `json:"files_checked"`
}

// SourceFinding is a line that a forbidden pattern matches.
type SourceFinding struct {
	// File is relative to the entry's path.
	File string `json:"file"`
	// Line counts from 1.
	Line    int    `json:"line"`
	Pattern string `json:"pattern"`
	Text    string `json:"text"`
}

// CleanCheck is the part of items about a repository as a whole.
type CleanCheck struct {
	// Pushed is nil when nobody asked.
	Pushed   *bool  `json:"pushed?,omitempty"`
	Branch   string `json:"branch,omitempty"`
	Head     string `json:"head,omitempty"`
	Upstream string `json:"upstream,omitempty"`
	Dirty    int    `json:"dirty_count"`
}

// CommandMode says how a command was run.
type CommandMode string

// The modes.
const (
	ModeStructured CommandMode = "structured"
	ModeShell      CommandMode = "legacy_shell"
)

// CommandCheck is the part of items about a command.
type CommandCheck struct {
	Mode CommandMode `json:"mode"`
	// Command is the command line, quoted for reading.
	Command string `json:"command"`
	Cwd     string `json:"cwd"`
	// Argv is what was run; null for shell commands.
	Argv      []string `json:"argv"`
	TimeoutMS int64    `json:"timeout_ms"`
	// ExitCode is null when the command did not exit by itself.
	ExitCode *int `json:"exit_code"`
	// Regenerated are the files that the command wrote anew.
	Regenerated []string `json:"regenerated,omitempty"`
}

// ChangeCheck is the part of items about changed paths.
type ChangeCheck struct {
	AllowedPaths []string `json:"allowed_paths"`
	ChangedPaths []string `json:"changed_paths"`
}

func newReport(prompt string) Report {
	return Report{Prompt: prompt, Items: []Item{}, Failures: []Item{}, Faults: []Item{}, Amendments: []any{}}
}

func (r *Report) add(item Item) {
	item.Details = clip(item.Details)
	r.Items = append(r.Items, item)
	if !item.Pass {
		r.Failures = append(r.Failures, item)
	}
	if item.Fault != "" {
		r.Faults = append(r.Faults, item)
	}
}
