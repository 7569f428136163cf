package packet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

func (f files) migrate(t *testing.T) []string {
	t.Helper()
	root := f.write(t)
	report, err := packet.Migrate(root, packet.Options{})
	require.NoError(t, err)
	require.Equal(t, len(report.Findings) == 0, report.Pass)
	var found []string
	for _, finding := range report.Findings {
		found = append(found, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(finding.File, root+"/"), finding.Line, finding.Kind))
	}
	return found
}

func TestMigrate(t *testing.T) {
	for name, tc := range map[string]struct {
		files files
		want  []string
	}{
		"the same":          {files{"prompts/01_a.prompt.md": prompt(clean)}, nil},
		"windows":           {files{"prompts/01_a.prompt.md": "---\r\nid: 01\r\n---\r\n"}, []string{"prompts/01_a.prompt.md:1 front_matter_form"}},
		"byte order mark":   {files{"prompts/01_a.prompt.md": "\ufeff---\nid: 01\n---\n"}, []string{"prompts/01_a.prompt.md:1 front_matter_form"}},
		"space":             {files{manifest: "--- \nname: x\n---\n", "prompts/01_a.prompt.md": "# A"}, []string{manifest + ":1 front_matter_form"}},
		"order":             {files{"prompts/01_a.prompt.md": prompt("id: 11"), "prompts/02_b.prompt.md": prompt("id: 100")}, []string{manifest + ":0 run_order"}},
		"id":                {files{"prompts/01_a.prompt.md": prompt("id: 010")}, []string{"prompts/01_a.prompt.md:2 id_form"}},
		"dependency scalar": {files{"prompts/01_a.prompt.md": "# A", "prompts/02_b.prompt.md": prompt("depends_on: \"01\"")}, []string{"prompts/02_b.prompt.md:2 dependency_form"}},
		"dependency number": {files{"prompts/01_a.prompt.md": "# A", "prompts/02_b.prompt.md": prompt("depends_on: [01]")}, []string{"prompts/02_b.prompt.md:2 dependency_form"}},
		"dependency":        {files{"prompts/01_a.prompt.md": "# A", "prompts/02_b.prompt.md": prompt("depends_on: [\"01\"]")}, nil},
		"override":          {files{"prompts/01_a.prompt.md": prompt("provider: codex")}, []string{"prompts/01_a.prompt.md:2 prompt_override"}},
		"outside":           {files{"prompts/01_a.prompt.md": prompt("verify:\n  files_exist: [/etc/passwd, ../x, in]")}, []string{"prompts/01_a.prompt.md:3 path_outside", "prompts/01_a.prompt.md:3 path_outside"}},
		"stdout":            {files{"prompts/01_a.prompt.md": prompt("verify:\n  commands: [{exec: a, stdout_contains: x}]")}, []string{"prompts/01_a.prompt.md:3 stdout_only"}},
		"renames":           {files{"prompts/01_a.prompt.md": prompt("verify:\n  changed_paths_only: [\"a -> b\"]")}, []string{"prompts/01_a.prompt.md:3 quoted_change_path"}},
		"recovery":          {files{manifest: "---\nprofile: simulated-default\nrecovery: {retry: {max_attempts: 2}}\n---\n", "prompts/01_a.prompt.md": "# A"}, []string{manifest + ":3 recovery_merge", manifest + ":3 retry_cap"}},
		"resume":            {files{"prompts/01_a.prompt.md": prompt("simulate: {resume: [{}, {}]}")}, []string{"prompts/01_a.prompt.md:2 resume_steps"}},
		"refused":           {files{"prompts/01_a.prompt.md": prompt("targets: [\"@all\"]\ncommit: \"\"")}, []string{"prompts/01_a.prompt.md:2 repo_group_in_targets", "prompts/01_a.prompt.md:3 invalid_value"}},
		"elixir":            {files{"runner_config.exs": "", "prompts/01_a.prompt.md": "# A"}, []string{"runner_config.exs:0 invalid_value"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ElementsMatch(t, tc.want, tc.files.migrate(t))
		})
	}
}

func TestMigrateCommands(t *testing.T) {
	for line, want := range map[string]string{
		`timeout 60 mix test`:                  `commands: [{exec: mix, args: [test], timeout_ms: 60000}]`,
		`timeout 5s python3 -c 'print("a b")'`: `commands: [{exec: python3, args: ["-c", "print(\"a b\")"], timeout_ms: 5000}]`,
		`make`:                                 `commands: [{exec: make, timeout_ms: 1800000}]`,
		`true`:                                 `commands: [{exec: "true", timeout_ms: 1800000}]`,
		`timeout 9 ci/check_doc.sh a.md 40 "## Use" B`: `doc: [{path: a.md, min_lines: "40", requires_sections: ["## Use", B]}]`,
		`check_repos.sh app lib`:                       `repos_clean: [{repo: app, pushed: true}, {repo: lib, pushed: true}]`,
		`check_yaml.sh a.yaml`:                         `yaml: [a.yaml]`,
		`bash -c 'a | b'`:                              "it starts a shell with -c",
		`a | b`:                                        "operators of the shell",
		`a && b`:                                       "operators of the shell",
		`a; b`:                                         "it is 2 commands",
		`rm *.md`:                                      `the shell expands "*.md"`,
		`echo $HOME`:                                   "the shell expands a variable",
		`echo "$HOME"`:                                 "double quotes",
		`A=1 make`:                                     "it sets variables",
		`make > log`:                                   "it redirects",
		`timeout 1.5 make`:                             "no whole number of seconds",
		`a "b`:                                         "bash cannot parse it",
	} {
		root := files{"prompts/01_a.prompt.md": prompt("verify:\n  commands:\n  - '" + strings.ReplaceAll(line, "'", "''") + "'")}.write(t)
		report, err := packet.Migrate(root, packet.Options{})
		require.NoError(t, err)
		require.Len(t, report.Findings, 1)
		require.Equal(t, packet.KindLegacyShellCommand, report.Findings[0].Kind)
		require.Contains(t, report.Findings[0].Message, want, line)
		// A proposal is valid, and proves as much.
		if _, entry, proposed := strings.Cut(report.Findings[0].Message, "the same without a shell: "); proposed {
			f := files{manifest: "---\nrepos: {app: ., lib: .}\n---\n", "prompts/01_a.prompt.md": prompt("verify:\n  " + entry)}
			require.Equal(t, 1+strings.Count(entry, "pushed")/2, f.load(t, packet.Options{}).Prompts[0].Contract.Items(), entry)
		}
	}
}
