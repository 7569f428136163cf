package packet

// The definitions of a contract and its entries.

var (
	pathKey = key{name: "path", doc: "The path, relative to the repository, or to the working directory of the prompt.", value: nonBlank()}
	repoKey = key{name: "repo", doc: "The repository: a name from the manifest, packet, or @artifact:ID.", value: nonBlank()}

	pathObject = object{keys: []key{pathKey, repoKey}, rules: required([]string{"path"})}

	// pathValue is an entry that needs no more than a path.
	pathValue = anyOf(nonBlank(), pathObject.shape())

	textObject = object{rules: required([]string{"path"}, []string{"text", "contains"}), keys: []key{
		pathKey, repoKey,
		{name: "text", aliases: []string{"contains"}, doc: "The literal text that the file must hold.", value: anyText()},
	}}
	patternObject = object{rules: required([]string{"path"}, []string{"pattern", "matches"}), keys: []key{
		pathKey, repoKey,
		{name: "pattern", aliases: []string{"matches"}, doc: "A Perl-compatible regular expression that must match somewhere in the file.", value: anyText()},
	}}
	docObject = object{rules: required([]string{"path"}), keys: []key{
		pathKey, repoKey,
		{name: "min_lines", doc: "How many non-blank lines are recommended; fewer are reported and pass.", value: whole(0, maxCount)},
		{name: "requires_sections", doc: "Texts, such as headings, that must occur.", value: list(anyText())},
		{name: "forbids_markers", doc: "Words that must not begin a line; without the key TODO, FIXME and the like, an empty list for none.", value: list(anyText())},
	}}
	yamlObject = object{rules: required([]string{"path"}), keys: []key{
		pathKey, repoKey,
		{name: "root", doc: "The shape of the last document.", value: oneOf(string(ShapeMap), string(ShapeList), string(ShapeScalar))},
	}}
	itemKeysShape = mapping(list(anyText()))
	noneMatchKeys = object{rules: required([]string{"path"}, []string{"field"}), keys: []key{
		{name: "path", doc: "The dotted path of the list.", value: anyText()},
		{name: "field", doc: "The key to look at in every item.", value: anyText()},
		{name: "equals", doc: "The value that no item may have there; null when absent.", value: shape{}},
	}}
	jsonObject = object{rules: required([]string{"path"}), keys: []key{
		pathKey, repoKey,
		{name: "root", doc: "The shape of the document.", value: oneOf(string(ShapeMap), string(ShapeList))},
		{name: "required_paths", doc: "Dotted paths that must be there.", value: list(anyText())},
		{name: "non_empty_paths", doc: "Dotted paths that must be there and neither null nor empty.", value: list(anyText())},
		{name: "array_items_require", doc: "For the dotted path of a list, the keys that every item must have.", value: itemKeysShape},
		{name: "array_none_match", doc: "Values that no item of a list may have.", value: list(noneMatchKeys.shape())},
	}}
	globObject = object{rules: required([]string{"path"}), keys: []key{
		{name: "path", doc: "The pattern, with *, **, ?, [..] and {a,b}.", value: nonBlank()},
		repoKey,
		{name: "min_matches", doc: "How many paths must match at least; 1 when absent.", value: whole(0, maxCount)},
		{name: "max_matches", doc: "How many paths may match at most.", value: whole(0, maxCount)},
		{name: "non_empty", doc: "Whether every match must be a file with content.", value: truth()},
	}}
	sourceObject = object{rules: required([]string{"path"}, []string{"patterns", "pattern"}), keys: []key{
		{name: "path", doc: "A file, or a directory to walk.", value: nonBlank()},
		repoKey,
		{name: "patterns", aliases: []string{"pattern"}, doc: "Regular expressions that must match no line.", value: list(nonBlank())},
		{name: "extensions", doc: "Endings, such as .go, of the files to look at in a directory.", value: list(nonBlank())},
		{name: "prune", doc: "Names to skip at any depth, besides .git, node_modules and the like.", value: list(nonBlank())},
	}}
	cleanObject = object{keys: []key{
		{name: "repo", doc: "The repository; the one that the prompt works in when absent.", value: nonBlank()},
		{name: "pushed", doc: "Whether HEAD must be the commit of the upstream branch.", value: truth()},
		{name: "network", doc: "Whether the remote is asked for that commit.", value: truth()},
		{name: "remote_timeout_ms", aliases: []string{"fetch_timeout_ms"}, doc: "How long asking the remote may take, in milliseconds; 90000 when absent.", value: whole(1, unboundedMS)},
	}}

	commandRepo    = key{name: "repo", doc: "The repository that the command starts in.", value: nonBlank()}
	commandCwd     = key{name: "cwd", doc: "The directory, relative to the repository.", value: nonBlank()}
	commandTimeout = key{name: "timeout_ms", doc: "How long the command may take, in milliseconds.", value: whole(1, unboundedMS)}

	programObject = object{rules: required([]string{"exec", "program"}), keys: []key{
		{name: "exec", aliases: []string{"program"}, doc: "The program; it is run without a shell.", value: shape{"type": "string", "pattern": `\S`}},
		{name: "args", aliases: []string{"argv"}, doc: "Its arguments.", value: list(anyText())},
		commandRepo, commandCwd,
		{name: "env", doc: "Variables to add to the environment.", value: mapping(optional(anyText()))},
		commandTimeout,
		{name: "stdout_contains", doc: "A text that the standard output must hold.", value: nonBlank()},
		{name: "stdout_matches", doc: "A regular expression that must match in the standard output, whatever the case.", value: nonBlank()},
		{name: "fault_exit_codes", doc: "Exit codes that mean: the check could not run.", value: list(whole(0, 255))},
		{name: "regenerates", doc: "Files, relative to the repository, that the command must write anew.", value: list(nonBlank())},
	}}
	shellObject = object{rules: required([]string{"run", "command"}), keys: []key{
		{name: "run", aliases: []string{"command"}, doc: "A command line for bash.", value: shape{"type": "string", "pattern": `\S`}},
		commandRepo, commandCwd, commandTimeout,
	}}
	commandValue = anyOf(shape{"type": "string", "pattern": `\S`}, programObject.shape(), shellObject.shape())

	contractObject = object{title: "Contract", keys: []key{
		{name: "files_exist", doc: "Paths where something must be.", value: list(pathValue)},
		{name: "files_absent", doc: "Paths where nothing may be.", value: list(pathValue)},
		{name: "contains", doc: "Files that must hold a literal text.", value: list(textObject.shape())},
		{name: "matches", doc: "Files that a regular expression must match.", value: list(patternObject.shape())},
		{name: "doc", doc: "Documents that must be written, without placeholders.", value: list(anyOf(nonBlank(), docObject.shape()))},
		{name: "yaml", doc: "Files that must parse as YAML.", value: list(anyOf(nonBlank(), yamlObject.shape()))},
		{name: "json", doc: "Files that must parse as JSON, and what they must hold.", value: list(anyOf(nonBlank(), jsonObject.shape()))},
		{name: "glob", doc: "Patterns that a number of paths must match.", value: list(anyOf(nonBlank(), globObject.shape()))},
		{name: "source_absent", doc: "Patterns that no line of the sources may match.", value: list(sourceObject.shape())},
		{name: "commands", doc: "Programs that must succeed.", value: list(commandValue)},
		{name: "changed_paths_only", doc: "The only paths, directories or globs that may change.", value: list(pathValue)},
		{name: "repos_clean", doc: "Repositories without uncommitted changes.", value: list(anyOf(nonBlank(), cleanObject.shape()))},
	}}
)
