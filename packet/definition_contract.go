package packet

// The definitions of a contract and its entries.

var (
	pathKey = key{name: "path", required: true, doc: "The path, relative to the repository, or to the working directory of the prompt.", value: nonBlank}
	repoKey = key{name: "repo", doc: "The repository: a name from the manifest, packet, or @artifact:ID.", value: nonBlank}

	pathObject    = object{artifacts: true, keys: []key{pathKey, repoKey}}
	changedObject = object{keys: []key{pathKey, {name: "repo", doc: "The repository: a name from the manifest, or packet.", value: nonBlank}}}

	textObject = object{artifacts: true, keys: []key{
		pathKey, repoKey,
		{name: "text", aliases: []string{"contains"}, required: true, doc: "The literal text that the file must hold.", value: nonEmpty},
	}}
	patternObject = object{artifacts: true, keys: []key{
		pathKey, repoKey,
		{name: "pattern", aliases: []string{"matches"}, required: true, doc: "A Perl-compatible regular expression that must match somewhere in the file.", value: nonEmpty},
	}}
	docObject = object{artifacts: true, keys: []key{
		pathKey, repoKey,
		{name: "min_lines", fallback: defaultMinLines, doc: "How many non-blank lines are recommended; fewer are reported and pass.", value: whole(counts)},
		{name: "requires_sections", doc: "Texts, such as headings, that must occur.", value: list(anyText)},
		{name: "forbids_markers", fallback: DefaultMarkers, doc: "Words that must not begin a line; an empty list for none.", value: list(nonEmpty)},
	}}
	// yamlShapes and jsonShapes are what the root of a document can be demanded
	// to be.
	yamlShapes = []Shape{ShapeMap, ShapeList, ShapeScalar}
	jsonShapes = []Shape{ShapeMap, ShapeList}

	yamlObject = object{artifacts: true, keys: []key{
		pathKey, repoKey,
		{name: "root", doc: "The shape of the last document.", value: oneOf(yamlShapes...)},
	}}
	noneMatchObject = object{keys: []key{
		{name: "path", required: true, doc: "The dotted path of the list.", value: anyText},
		{name: "field", required: true, doc: "The key to look at in every item.", value: anyText},
		{name: "equals", doc: "The value that no item may have there; null when absent.", value: anyValue},
	}}
	jsonObject = object{artifacts: true, keys: []key{
		pathKey, repoKey,
		{name: "root", doc: "The shape of the document.", value: oneOf(jsonShapes...)},
		{name: "required_paths", doc: "Dotted paths that must be there.", value: list(anyText)},
		{name: "non_empty_paths", doc: "Dotted paths that must be there and neither null nor empty.", value: list(anyText)},
		{name: "array_items_require", doc: "For the dotted path of a list, the keys that every item must have.", value: mapping(optional(list(anyText)))},
		{name: "array_none_match", doc: "Values that no item of a list may have.", value: list(noneMatchObject.schema)},
	}}
	globObject = object{keys: []key{
		{name: "path", required: true, doc: "The pattern, with *, **, ?, [..] and {a,b}.", value: nonBlank},
		repoKey,
		{name: "min_matches", fallback: defaultMinMatches, doc: "How many paths must match at least.", value: whole(counts)},
		{name: "max_matches", doc: "How many paths may match at most; 0, with min_matches 0, for none.", value: whole(counts)},
		{name: "non_empty", fallback: false, doc: "Whether every match must be a file with content.", value: truth},
	}}
	sourceObject = object{artifacts: true, keys: []key{
		{name: "path", required: true, doc: "A file, or a directory to walk.", value: nonBlank},
		repoKey,
		{name: "patterns", aliases: []string{"pattern"}, required: true, doc: "Regular expressions that must match no line.", value: fullList(nonBlank)},
		{name: "extensions", doc: "Endings, such as .go, of the files to look at in a directory; all when absent.", value: list(nonBlank)},
		{name: "prune", doc: "Names to skip at any depth, besides .git, node_modules and the like.", value: list(nonBlank)},
	}}
	cleanObject = object{keys: []key{
		{name: "repo", doc: "The repository; the one that the prompt works in when absent.", value: nonBlank},
		{name: "pushed", fallback: false, doc: "Whether HEAD must be the commit of the upstream branch.", value: truth},
		{name: "network", fallback: false, doc: "Whether the remote is asked for that commit.", value: truth},
		{name: "remote_timeout_ms", aliases: []string{"fetch_timeout_ms"}, fallback: cleanTimeoutMS, doc: "How long asking the remote may take, in milliseconds.", value: whole(timeouts)},
	}}

	commandRepo = key{name: "repo", doc: "The repository that the command starts in.", value: nonBlank}
	commandCwd  = key{name: "cwd", doc: "The directory, relative to the repository.", value: nonBlank}

	programObject = object{keys: []key{
		{name: "exec", aliases: []string{"program"}, required: true, doc: "The program; it is run without a shell.", value: commandLine},
		{name: "args", aliases: []string{"argv"}, doc: "Its arguments.", value: list(anyText)},
		commandRepo, commandCwd,
		{name: "env", doc: "Variables to add to the environment.", value: named("^[^=]+$", optional(anyText))},
		{name: "timeout_ms", fallback: structuredTimeoutMS, doc: "How long the command may take, in milliseconds.", value: whole(timeouts)},
		{name: "stdout_contains", doc: "A text that the standard output must hold.", value: nonBlank},
		{name: "stdout_matches", doc: "A regular expression that must match in the standard output, whatever the case.", value: nonBlank},
		{name: "fault_exit_codes", doc: "Exit codes that mean: the check could not run.", value: list(whole(exitCodes))},
		{name: "regenerates", doc: "Files, relative to the repository, that the command must write anew.", value: list(nonBlank)},
	}}
	shellObject = object{keys: []key{
		{name: "run", aliases: []string{"command"}, required: true, doc: "A command line for bash.", value: commandLine},
		commandRepo, commandCwd,
		{name: "timeout_ms", fallback: legacyTimeoutMS, doc: "How long the command may take, in milliseconds.", value: whole(timeouts)},
	}}
	commandValue = anyOf(commandLine, programObject.schema, shellObject.schema)

	contractObject = object{title: "Contract", keys: []key{
		{name: "files_exist", doc: "Paths where something must be.", value: list(pathOr(pathObject))},
		{name: "files_absent", doc: "Paths where nothing may be.", value: list(pathOr(pathObject))},
		{name: "contains", doc: "Files that must hold a literal text.", value: list(textObject.schema)},
		{name: "matches", doc: "Files that a regular expression must match.", value: list(patternObject.schema)},
		{name: "doc", doc: "Documents that must be written, without placeholders.", value: list(pathOr(docObject))},
		{name: "yaml", doc: "Files that must parse as YAML.", value: list(pathOr(yamlObject))},
		{name: "json", doc: "Files that must parse as JSON, and what they must hold.", value: list(pathOr(jsonObject))},
		{name: "glob", doc: "Patterns that a number of paths must match.", value: list(pathOr(globObject))},
		{name: "source_absent", doc: "Patterns that no line of the sources may match.", value: list(sourceObject.schema)},
		{name: "commands", doc: "Programs that must succeed.", value: list(commandValue)},
		{name: "changed_paths_only", doc: "The only paths, directories or globs that may change.", value: list(pathOr(changedObject))},
		{name: "repos_clean", doc: "Repositories without uncommitted changes.", value: list(anyOf(nonBlank, cleanObject.schema))},
	}}
)

// pathOr is an entry that is "path", "repo:path" or the mapping.
func pathOr(o object) shape { return anyOf(nonBlank, o.schema) }
