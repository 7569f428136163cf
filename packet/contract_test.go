package packet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

const twoRepos = "---\nrepos: {app: ., docs: docs}\n---\n"

func TestContract(t *testing.T) {
	got := files{manifest: twoRepos, "prompts/01.prompt.md": prompt(`
verify:
  files_exist:
    - plain
    - docs:guide.md
    - packet:x
    - other:y
    - {path: "docs:z"}
    - {repo: docs, path: w}
    - {repo: null, path: 42}
  files_absent: single
  contains: {path: a, contains: hello}
  matches:
    - {repo: app, path: b, pattern: '(?m)^x$'}
    - {path: c, matches: y}
  changed_paths_only: [a, "docs:b"]
  commands:
  doc: []
  glob:
`)}.load(t, packet.Options{}).Prompts[0].Contract
	require.Equal(t, packet.Contract{
		FilesExist: []packet.PathEntry{
			{Path: "plain"},
			{Repo: "docs", Path: "guide.md"},
			{Repo: "packet", Path: "x"},
			{Path: "other:y"},
			{Path: "docs:z"},
			{Repo: "docs", Path: "w"},
			{Path: "42"},
		},
		FilesAbsent: []packet.PathEntry{{Path: "single"}},
		Contains:    []packet.TextEntry{{PathEntry: packet.PathEntry{Path: "a"}, Text: "hello"}},
		Matches: []packet.PatternEntry{
			{PathEntry: packet.PathEntry{Repo: "app", Path: "b"}, Pattern: "(?m)^x$"},
			{PathEntry: packet.PathEntry{Path: "c"}, Pattern: "y"},
		},
		ChangedPathsOnly: []packet.PathEntry{{Path: "a"}, {Repo: "docs", Path: "b"}},
	}, got)
}

func TestDataClauses(t *testing.T) {
	got := files{manifest: twoRepos, "prompts/01.prompt.md": prompt(`
verify:
  matches: {path: a, pattern: '(?<!b)c$'}
  doc:
    - guide.md
    - {path: a.md, min_lines: "40", requires_sections: "## Use", forbids_markers: []}
    - {path: b.md, forbids_markers: [HACK]}
  yaml: ["docs:a.yaml", {path: b.yaml, root: list}]
  json:
    - a.json
    - path: b.json
      root: map
      required_paths: a.b
      non_empty_paths: [c]
      array_items_require: {z: [id], "": name}
      array_none_match:
        - {path: x, field: y, equals: 08}
        - {path: x, field: y}
        - {path: x, field: y, equals: [a, 1.5, true, ~]}
  glob: ["*.md", {repo: docs, path: "**/*.go", min_matches: 0, max_matches: 0, non_empty: true}]
  source_absent: {path: lib, pattern: 'a(?!b)', extensions: .ex, prune: [tmp]}
  repos_clean:
    - app
    - {pushed: true}
    - {repo: docs, network: true, fetch_timeout_ms: 5}
  files_exist: [{repo: "@artifact:tool"}, {repo: "@artifact:tool", path: x}]
`)}.load(t, packet.Options{}).Prompts[0].Contract
	none := 0
	at := func(repo, path string) packet.PathEntry { return packet.PathEntry{Repo: repo, Path: path} }
	require.Equal(t, packet.Contract{
		FilesExist: []packet.PathEntry{at("@artifact:tool", ""), at("@artifact:tool", "x")},
		Matches:    []packet.PatternEntry{{PathEntry: at("", "a"), Pattern: "(?<!b)c$"}},
		Doc: []packet.DocEntry{
			{PathEntry: at("", "guide.md"), MinLines: 1, ForbidsMarkers: packet.DefaultMarkers},
			{PathEntry: at("", "a.md"), MinLines: 40, RequiresSections: []string{"## Use"}},
			{PathEntry: at("", "b.md"), MinLines: 1, ForbidsMarkers: []string{"HACK"}},
		},
		YAML: []packet.YAMLEntry{{PathEntry: at("docs", "a.yaml")}, {PathEntry: at("", "b.yaml"), Root: packet.ShapeList}},
		JSON: []packet.JSONEntry{
			{PathEntry: at("", "a.json")},
			{
				PathEntry: at("", "b.json"), Root: packet.ShapeMap,
				RequiredPaths: []string{"a.b"}, NonEmptyPaths: []string{"c"},
				ArrayItemsRequire: []packet.ItemKeys{{Path: "z", Keys: []string{"id"}}, {Path: "", Keys: []string{"name"}}},
				ArrayNoneMatch: []packet.NoneMatch{
					{Path: "x", Field: "y", Equals: []byte("8")},
					{Path: "x", Field: "y", Equals: []byte("null")},
					{Path: "x", Field: "y", Equals: []byte(`["a",1.5,true,null]`)},
				},
			},
		},
		Glob: []packet.GlobEntry{
			{PathEntry: at("", "*.md"), MinMatches: 1},
			{PathEntry: at("docs", "**/*.go"), MaxMatches: &none, NonEmpty: true},
		},
		SourceAbsent: []packet.SourceEntry{{PathEntry: at("", "lib"), Patterns: []string{"a(?!b)"}, Extensions: []string{".ex"}, Prune: []string{"tmp"}}},
		ReposClean: []packet.CleanEntry{
			{Repo: "app", TimeoutMS: 90_000},
			{Pushed: true, TimeoutMS: 90_000},
			{Repo: "docs", Network: true, TimeoutMS: 5},
		},
	}, got)
	require.Equal(t, 16, got.Items())
}

func TestCommands(t *testing.T) {
	got := files{manifest: twoRepos, "prompts/01.prompt.md": prompt(`
verify:
  commands:
    - mix test
    - {run: make, repo: docs, cwd: sub}
    - {command: make, timeout_ms: "5"}
    - exec: "@repo:app/check"
      args: [-v, "@repo:docs/x", "a; b"]
      repo: packet
      cwd: .
      env: {A: b}
      timeout_ms: "600"
      fault_exit_codes: [3, 255]
      stdout_contains: ok
      stdout_matches: ^ok
    - {program: "true", argv: one, regenerates: []}
    - {exec: "@artifact:tool", args: ["@artifact:x"], regenerates: [a, b]}
`)}.load(t, packet.Options{}).Prompts[0].Contract.Commands
	require.Equal(t, []packet.Command{
		{Shell: "mix test", TimeoutMS: 1_800_000},
		{Shell: "make", Repo: "docs", Cwd: "sub", TimeoutMS: 1_800_000},
		{Shell: "make", TimeoutMS: 5},
		{
			Exec: "@repo:app/check", Args: []string{"-v", "@repo:docs/x", "a; b"}, Repo: "packet",
			Env: map[string]string{"A": "b"}, TimeoutMS: 600, FaultExitCodes: []int{3, 255},
			StdoutContains: "ok", StdoutMatches: "^ok",
		},
		{Exec: "true", Args: []string{"one"}, TimeoutMS: 30_000},
		{Exec: "@artifact:tool", Args: []string{"@artifact:x"}, TimeoutMS: 30_000, Regenerates: []string{"a", "b"}},
	}, got)
}

func TestContractErrors(t *testing.T) {
	const entryKeys = "known are: path, repo"
	tests := []struct{ name, verify, want string }{
		{"list", "[a]", ": is a list; it must be a map"},
		{"unknown clause", "{file_exists: []}", `.file_exists: unknown clause (did you mean "files_exist"?); known are: files_exist, files_absent, contains, matches, doc, yaml, json, glob, source_absent, commands, changed_paths_only, repos_clean`},
		{"no path", "{files_exist: [{repo: default}]}", ".files_exist[0].path: is missing"},
		{"empty path", `{files_exist: [""]}`, `.files_exist[0]: is "", which names no path`},
		{"only a repo", "{files_exist: ['packet:']}", `.files_exist[0]: is "packet:", which names no path`},
		{"null entry", "{files_exist: [~]}", ".files_exist[0]: is null; it must be a path or a map with path and repo"},
		{"unknown repo", "{files_exist: {repo: packe, path: a}}", `.files_exist.repo: unknown repository "packe" (did you mean "packet"?); known are: default, packet`},
		{"artifact", "{files_exist: ['@artifact:x:y']}", `.files_exist[0]: name an artifact in a map: {repo: "@artifact:x:y"}`},
		{"artifact name", "{files_exist: [{repo: '@artifact:x y'}]}", `.files_exist[0].repo: is "@artifact:x y"; an artifact is named @artifact:ID`},
		{"artifact exec", "{commands: [{exec: '@artifact:'}]}", `.commands[0].exec: is "@artifact:"; an artifact is named`},
		{"changed artifact", "{changed_paths_only: [{repo: '@artifact:x'}]}", ".changed_paths_only[0].repo: @artifact:x is a file of the workspace, not a repository"},
		{"entry key", "{files_exist: [{path: a, rep: b}]}", `.files_exist[0].rep: unknown key (did you mean "repo"?); ` + entryKeys},
		{"contains text", "{contains: [a]}", `.contains[0]: is "a"; it must be a map with path and text`},
		{"contains without text", "{contains: [{path: a}]}", ".contains[0].text: is missing or empty; give the text to look for"},
		{"contains empty", "{contains: [{path: a, contains: ''}]}", ".contains[0].contains: is missing or empty; give the text to look for"},
		{"contains list", "{contains: [{path: a, text: [b]}]}", ".contains[0].text: is a list; it must be a text"},
		{"contains both", "{contains: [{path: a, text: a, contains: b}]}", ".contains[0].contains: means the same as text, which is there too; keep one"},
		{"matches without pattern", "{matches: [{path: a}]}", ".matches[0].pattern: is missing or empty; give the pattern to look for"},
		{"empty command", `{commands: [""]}`, ".commands[0]: is empty; give a value or remove the key"},
		{"null command", "{commands: [~]}", ".commands[0]: is null; it must be a command line or a map with exec"},
		{"no command", "{commands: [{repo: default}]}", ".commands[0]: names no command; give exec, or run for a command line"},
		{"boolean exec", "{commands: [{exec: true}]}", ".commands[0].exec: is true, which YAML reads as a boolean or number; put the command in quotes"},
		{"boolean command", "{commands: [true]}", ".commands[0]: is true, which YAML reads as a boolean or number; put the command in quotes"},
		{"empty exec", "{commands: [{exec: ' '}]}", ".commands[0].exec: is empty; give a value or remove the key"},
		{"null exec", "{commands: [{exec: }]}", ".commands[0].exec: is missing"},
		{"both modes", "{commands: [{exec: a, run: b}]}", ".commands[0]: has both a program (exec) and a command line (run); keep one"},
		{"command repo", "{commands: [{exec: a, repo: nix}]}", `.commands[0].repo: unknown repository "nix"; known are: default, packet`},
		{"command key", "{commands: [{exec: a, timeout: 5}]}", ".commands[0].timeout: unknown key; known are: exec, program, args, argv, repo, cwd, env, timeout_ms, stdout_contains, stdout_matches, fault_exit_codes, regenerates"},
		{"legacy key", "{commands: [{run: a, env: {}}]}", `.commands[0].env: unknown key; known are: run, command, repo, cwd, timeout_ms`},
		{"timeout", "{commands: [{exec: a, timeout_ms: 1.5}]}", `.commands[0].timeout_ms: is "1.5"; it must be a whole number from 1 to 604800000`},
		{"fault code", "{commands: [{exec: a, fault_exit_codes: [256]}]}", `.commands[0].fault_exit_codes[0]: is "256"; it must be a whole number from 0 to 255`},
		{"null argument", "{commands: [{exec: a, args: [~]}]}", `.commands[0].args[0]: is null; write a text, in quotes if it is meant to be empty or "~"`},
		{"nested argument", "{commands: [{exec: a, args: [[b]]}]}", ".commands[0].args[0]: is a list; it must be a text"},
		{"env name", "{commands: [{exec: a, env: {'B=C': d}}]}", `.commands[0].env.B=C: "B=C" cannot name an environment variable`},
		{"stdout pattern", "{commands: [{exec: a, stdout_matches: '('}]}", `.commands[0].stdout_matches: the regular expression "(" does not compile: `},
		{"matches pattern", "{matches: [{path: a, pattern: '[b'}]}", `.matches[0].pattern: the regular expression "[b" does not compile: `},
		{"regenerates", "{commands: [{exec: a, regenerates: ['']}]}", ".commands[0].regenerates[0]: is empty; give a value or remove it"},
		{"doc without path", "{doc: [{min_lines: 3}]}", ".doc[0].path: is missing"},
		{"doc lines", "{doc: [{path: a, min_lines: many}]}", `.doc[0].min_lines: is "many"; it must be a whole number`},
		{"doc marker", "{doc: [{path: a, forbids_markers: ['']}]}", ".doc[0].forbids_markers: holds an empty marker"},
		{"yaml root", "{yaml: [{path: a, root: dict}]}", `.yaml[0].root: is "dict"; it must be map or list or scalar`},
		{"json root", "{json: [{path: a, root: scalar}]}", `.json[0].root: is scalar, which no JSON document can satisfy here`},
		{"json items", "{json: [{path: a, array_items_require: [b]}]}", ".json[0].array_items_require: is a list; it must be a map"},
		{"json field", "{json: [{path: a, array_none_match: {path: b}}]}", ".json[0].array_none_match.field: is missing"},
		{"glob number", "{glob: [{path: a, min_matches: '1x'}]}", `.glob[0].min_matches: is "1x"; it must be a whole number`},
		{"glob range", "{glob: [{path: a, max_matches: 0}]}", ".glob[0].max_matches: is 0, less than min_matches, 1"},
		{"glob truth", "{glob: [{path: a, non_empty: yes}]}", `.glob[0].non_empty: is "yes"; it must be true or false`},
		{"source text", "{source_absent: [lib]}", `.source_absent[0]: is "lib"; it must be a map with path and patterns`},
		{"source without pattern", "{source_absent: [{path: a}]}", ".source_absent[0].patterns: is missing or empty"},
		{"source empty pattern", "{source_absent: [{path: a, pattern: ' '}]}", ".source_absent[0].pattern: is empty"},
		{"source pattern", "{source_absent: [{path: a, patterns: ['(']}]}", `.source_absent[0].patterns[0]: the regular expression "("`},
		{"clean repo", "{repos_clean: [nowhere]}", `.repos_clean[0]: unknown repository "nowhere"; known are: default, packet`},
		{"clean key", "{repos_clean: [{repo: default, push: true}]}", `.repos_clean[0].push: unknown key; known are: repo, pushed, network, remote_timeout_ms, fetch_timeout_ms`},
		{"clean truth", "{repos_clean: [{repo: default, pushed: on}]}", `.repos_clean[0].pushed: is "on"; it must be true or false`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := single("phase: 1\nverify: "+test.verify).errors(t, packet.Options{})
			require.Contains(t, strings.Join(got, "\n")+"\n", "prompts/01_a.prompt.md:3: verify"+test.want)
		})
	}
}

func TestLegacyCommandSources(t *testing.T) {
	const body = "# T\n\n## Validation Commands\n\n- `make a`\n- make b\n\n```sh\n## Mission\n- not this\n```\n\n### More\n- make c\n\n## Else\n- no\n"
	lines := func(commands ...string) (list []packet.Command) {
		for _, command := range commands {
			list = append(list, packet.Command{Shell: command, TimeoutMS: 1_800_000})
		}
		return list
	}
	tests := []struct {
		name, attrs string
		want        []packet.Command
	}{
		{"body", "", lines("make a", "make b", "make c")},
		{"body beside other clauses", "verify: {files_exist: [a]}", lines("make a", "make b", "make c")},
		{"validation", "validation: [x, y]", lines("x", "y")},
		{"validation beside other clauses", "validation: [x]\nverify: {}", lines("x")},
		{"empty validation", "validation: []", lines("make a", "make b", "make c")},
		{"verify", "verify: {commands: [z]}", lines("z")},
		{"switched off", "verify: {commands: []}", nil},
		{"switched off by null", "verify: {commands: }", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			loaded := files{"prompts/01.prompt.md": "---\n" + test.attrs + "\n---\n" + body}.load(t, packet.Options{})
			require.Equal(t, test.want, loaded.Prompts[0].Contract.Commands)
			require.Empty(t, loaded.Warnings)
		})
	}

	loaded := single("validation: [x]\nverify: {commands: [z]}").load(t, packet.Options{})
	require.Equal(t, lines("z"), loaded.Prompts[0].Contract.Commands)
	require.Len(t, loaded.Warnings, 1)
	require.Equal(t, "validation", loaded.Warnings[0].Key)
}

func TestBodySections(t *testing.T) {
	loaded := files{
		manifest: "---\nrepos: {my_app: a, docs-x: b, z: c}\n---\n",
		"prompts/01.prompt.md": "~~~\n# Not the title\n~~~\n# The `Title`\r\n\r\n## Mission\r\n\r\n<!-- hint -->\r\nBuild the thing.\r\nMore.\r\n" +
			"\n## Repository Root\n- `/home/x/my-app`\n- ../docs-x\n",
		"prompts/02.prompt.md": "## Mission\n\nfix: a bug\n",
		"prompts/03.prompt.md": "## Mission\n\nfeature of note\n",
		"prompts/04.prompt.md": "---\ntargets: [z]\n---\n# Four\n## Repository Root\n- nowhere\n",
	}.load(t, packet.Options{}).Prompts
	require.Equal(t, "The `Title`", loaded[0].Name)
	require.Equal(t, "feat: Build the thing.", loaded[0].Commit)
	require.Equal(t, []string{"my_app", "docs-x"}, loaded[0].Targets)
	require.Equal(t, "fix: a bug", loaded[1].Commit)
	require.Equal(t, "feature of note", loaded[2].Commit)
	require.Equal(t, []string{"z"}, loaded[3].Targets)
	require.Equal(t, "feat: Four", loaded[3].Commit)

	got := files{"prompts/01.prompt.md": "---\nsp: 1\n---\n# A\n\n## Repository Root\n- /x/app\n"}.errors(t, packet.Options{})
	require.Equal(t, []string{`prompts/01.prompt.md:7: ## Repository Root: unknown repository "app"; known are: default, packet`}, got)
}
