package packet

// Kinds of findings of Load. Those that the Elixir tool's linter has are called
// as there.
const (
	// KindInvalidValue is a value that its key does not take.
	KindInvalidValue = "invalid_value"
	// KindInvalidFile is a file that cannot be read.
	KindInvalidFile = "invalid_file"
	// KindInvalidFrontMatter is front matter that is none, or no YAML.
	KindInvalidFrontMatter = "invalid_front_matter"
	KindUnknownKey         = "unknown_key"
	KindUnknownClause      = "unknown_verify_clause"
	KindUnknownRepo        = "unknown_verify_repo"
	KindInvalidPattern     = "invalid_pattern"
	KindDuplicateID        = "duplicate_prompt_id"
	KindUnknownTarget      = "unknown_target_repo"
	KindGroupTarget        = "repo_group_in_targets"
	KindUnknownDependency  = "unknown_dependency"
	KindDependencyCycle    = "dependency_cycle"
	KindMissingProfile     = "missing_profile"
	KindAgentControl       = "invalid_agent_control"
	KindExecution          = "invalid_execution_policy"
	// KindInertKey is a key that is never sent to a provider.
	KindInertKey = "inert_front_matter_key"
	// KindNoEffect is something that is read and changes nothing.
	KindNoEffect = "no_effect"
)
