package packet

import "encoding/json"

// Contract is a prompt's verify block. An entry's Repo is empty when the author
// named none; the prompt's working directory is meant then. It may also be
// [PacketAlias], or [ArtifactPrefix] and an id: the file of that artifact.
type Contract struct {
	FilesExist   []PathEntry    `json:"files_exist,omitempty"`
	FilesAbsent  []PathEntry    `json:"files_absent,omitempty"`
	Contains     []TextEntry    `json:"contains,omitempty"`
	Matches      []PatternEntry `json:"matches,omitempty"`
	Doc          []DocEntry     `json:"doc,omitempty"`
	YAML         []YAMLEntry    `json:"yaml,omitempty"`
	JSON         []JSONEntry    `json:"json,omitempty"`
	Glob         []GlobEntry    `json:"glob,omitempty"`
	SourceAbsent []SourceEntry  `json:"source_absent,omitempty"`
	Commands     []Command      `json:"commands,omitempty"`
	// ChangedPathsOnly are the paths that may change.
	ChangedPathsOnly []PathEntry  `json:"changed_paths_only,omitempty"`
	ReposClean       []CleanEntry `json:"repos_clean,omitempty"`
}

// ArtifactPrefix starts references to the artifacts of a workspace.
const ArtifactPrefix = "@artifact:"

// PathEntry names a path in a repository.
type PathEntry struct {
	Repo string `json:"repo,omitempty"`
	Path string `json:"path"`
}

// TextEntry demands a literal text in a file.
type TextEntry struct {
	PathEntry
	Text string `json:"text"`
}

// PatternEntry demands a regular expression match in a file.
type PatternEntry struct {
	PathEntry
	Pattern string `json:"pattern"`
}

// DocEntry demands a written document.
type DocEntry struct {
	PathEntry
	// MinLines is a recommendation: fewer non-blank lines are reported, and pass.
	MinLines int `json:"min_lines"`
	// RequiresSections are texts that must occur.
	RequiresSections []string `json:"requires_sections,omitempty"`
	// ForbidsMarkers are words that must not begin a line; the default ones are
	// filled in when the author wrote none, and an empty list switches them off.
	ForbidsMarkers []string `json:"forbids_markers"`
}

// Shape is the kind of value a data file holds.
type Shape string

// The shapes; the zero value demands none.
const (
	ShapeMap    Shape = "map"
	ShapeList   Shape = "list"
	ShapeScalar Shape = "scalar"
)

// YAMLEntry demands a file that parses as YAML.
type YAMLEntry struct {
	PathEntry
	Root Shape `json:"root,omitempty"`
}

// JSONEntry demands a file that parses as JSON, and what it must hold. Paths are
// dotted object keys; "" and "." are the root.
type JSONEntry struct {
	PathEntry
	Root          Shape    `json:"root,omitempty"`
	RequiredPaths []string `json:"required_paths,omitempty"`
	NonEmptyPaths []string `json:"non_empty_paths,omitempty"`
	// ArrayItemsRequire are in the order the author wrote them.
	ArrayItemsRequire []ItemKeys  `json:"array_items_require,omitempty"`
	ArrayNoneMatch    []NoneMatch `json:"array_none_match,omitempty"`
}

// ItemKeys demands keys of every object in the array at Path.
type ItemKeys struct {
	Path string   `json:"path"`
	Keys []string `json:"keys"`
}

// NoneMatch demands that no object in the array at Path has Field equal to
// Equals, a JSON value.
type NoneMatch struct {
	Path   string          `json:"path"`
	Field  string          `json:"field"`
	Equals json.RawMessage `json:"equals"`
}

// GlobEntry demands a number of paths that match the pattern in Path.
type GlobEntry struct {
	PathEntry
	MinMatches int `json:"min_matches"`
	// MaxMatches is nil when there is no upper limit.
	MaxMatches *int `json:"max_matches,omitempty"`
	// NonEmpty demands that every match is a regular file with content.
	NonEmpty bool `json:"non_empty,omitempty"`
}

// SourceEntry demands that no line below Path matches a pattern.
type SourceEntry struct {
	PathEntry
	Patterns []string `json:"patterns"`
	// Extensions, such as ".go", select the files of a directory; none selects
	// all.
	Extensions []string `json:"extensions,omitempty"`
	// Prune are names that are skipped at any depth, besides the default ones.
	Prune []string `json:"prune,omitempty"`
}

// CleanEntry demands that a repository has no uncommitted changes.
type CleanEntry struct {
	Repo string `json:"repo,omitempty"`
	// Pushed also demands that HEAD is the upstream branch's commit.
	Pushed bool `json:"pushed,omitempty"`
	// Network asks the remote for that commit instead of the local copy.
	Network bool `json:"network,omitempty"`
	// TimeoutMS bounds asking the remote, in milliseconds.
	TimeoutMS int64 `json:"timeout_ms"`
}

// Command is a check that runs a program. Either Exec or Shell is set.
type Command struct {
	// Exec and Args are run without a shell.
	Exec string   `json:"exec,omitempty"`
	Args []string `json:"args,omitempty"`
	// Shell is a legacy command line for bash.
	Shell string `json:"shell,omitempty"`
	Repo  string `json:"repo,omitempty"`
	// Cwd is relative to the repository; empty means its root.
	Cwd string            `json:"cwd,omitempty"`
	Env map[string]string `json:"env,omitempty"`
	// TimeoutMS bounds the command, in milliseconds.
	TimeoutMS int64 `json:"timeout_ms"`
	// FaultExitCodes are the exit codes that mean "the check could not run".
	FaultExitCodes []int  `json:"fault_exit_codes,omitempty"`
	StdoutContains string `json:"stdout_contains,omitempty"`
	StdoutMatches  string `json:"stdout_matches,omitempty"`
	// Regenerates are files, relative to the repository, that the command must
	// write anew.
	Regenerates []string `json:"regenerates,omitempty"`
}
