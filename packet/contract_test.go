package packet_test

import (
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
	}, got)
}

func TestContractErrors(t *testing.T) {
	const (
		entryKeys = "known are: path, repo"
		pattern   = "; patterns use RE2 syntax (https://github.com/google/re2/wiki/Syntax), Perl-style look-around and back-references are not supported yet"
	)
	tests := []struct{ name, verify, want string }{
		{"list", "[a]", ": is a list; it must be a map"},
		{"later clause", "{doc: [a]}", ".doc: clause doc is not supported yet; check the same with a command"},
		{"unknown clause", "{file_exists: []}", `.file_exists: unknown clause (did you mean "files_exist"?); known are: files_exist, files_absent, contains, matches, commands, changed_paths_only, doc, yaml, json, glob, source_absent, repos_clean`},
		{"no path", "{files_exist: [{repo: default}]}", ".files_exist[0].path: is missing"},
		{"empty path", `{files_exist: [""]}`, `.files_exist[0]: is "", which names no path`},
		{"only a repo", "{files_exist: ['packet:']}", `.files_exist[0]: is "packet:", which names no path`},
		{"null entry", "{files_exist: [~]}", ".files_exist[0]: is null; it must be a path or a map with path and repo"},
		{"unknown repo", "{files_exist: {repo: packe, path: a}}", `.files_exist.repo: unknown repository "packe" (did you mean "packet"?); known are: default, packet`},
		{"artifact", "{files_exist: ['@artifact:x:y']}", ".files_exist[0]: @artifact: references are not supported yet"},
		{"artifact repo", "{files_exist: [{repo: '@artifact:x', path: y}]}", ".files_exist[0].repo: @artifact: references are not supported yet"},
		{"entry key", "{files_exist: [{path: a, rep: b}]}", `.files_exist[0].rep: unknown key (did you mean "repo"?); ` + entryKeys},
		{"contains text", "{contains: [a]}", `.contains[0]: is "a"; it must be a map with path and text`},
		{"contains without text", "{contains: [{path: a}]}", ".contains[0].text: is missing or empty; give the text to look for"},
		{"contains empty", "{contains: [{path: a, contains: ''}]}", ".contains[0].contains: is missing or empty; give the text to look for"},
		{"contains list", "{contains: [{path: a, text: [b]}]}", ".contains[0].text: is a list; it must be a text"},
		{"contains both", "{contains: [{path: a, text: a, contains: b}]}", ".contains[0].contains: means the same as text, which is there too; keep one"},
		{"matches without pattern", "{matches: [{path: a}]}", ".matches[0].pattern: is missing or empty; give the pattern to look for"},
		{"look-ahead", "{matches: [{path: a, pattern: 'a(?=b)'}]}", ".matches[0].pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`" + pattern},
		{"back-reference", `{matches: [{path: a, matches: '(a)\1'}]}`, ".matches[0].matches: error parsing regexp: invalid escape sequence: `\\1`" + pattern},
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
		{"artifact exec", "{commands: [{exec: '@artifact:x'}]}", ".commands[0].exec: @artifact: references are not supported yet"},
		{"artifact argument", "{commands: [{exec: a, args: ['@artifact:x']}]}", ".commands[0].args[0]: @artifact: references are not supported yet"},
		{"env name", "{commands: [{exec: a, env: {'B=C': d}}]}", `.commands[0].env.B=C: "B=C" cannot name an environment variable`},
		{"regenerates", "{commands: [{exec: a, regenerates: out}]}", ".commands[0].regenerates: is not supported yet; let the command itself compare what it generates"},
		{"stdout pattern", "{commands: [{exec: a, stdout_matches: '('}]}", ".commands[0].stdout_matches: error parsing regexp: missing closing ): `(`" + pattern},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := single("phase: 1\nverify: "+test.verify).errors(t, packet.Options{})
			require.Contains(t, got, "prompts/01_a.prompt.md:3: verify"+test.want)
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
