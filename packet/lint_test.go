package packet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

// lint lints a packet; findings are "file:line kind".
func (f files) lint(t *testing.T, strict bool) (packet.LintReport, []string) {
	t.Helper()
	root := f.write(t)
	report, err := packet.Lint(root, packet.Options{}, strict)
	require.NoError(t, err)
	require.Equal(t, strict, report.Strict)
	require.Equal(t, report.Errors == 0, report.Pass)
	require.Len(t, report.Findings, report.Errors+report.Warnings)
	var found []string
	for _, finding := range report.Findings {
		require.NotEmpty(t, finding.Message)
		require.NotEmpty(t, finding.Severity)
		found = append(found, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(finding.File, root+"/"), finding.Line, finding.Kind))
	}
	return report, found
}

// clean is front matter that a linter has nothing to say about.
const clean = "verify: {contains: [{path: a, text: b}], commands: [{exec: make, args: [test], timeout_ms: 60000}]}"

func TestLint(t *testing.T) {
	for name, tc := range map[string]struct {
		files files
		want  []string
	}{
		"clean":                 {files{"prompts/01_a.prompt.md": prompt(clean)}, nil},
		"packet alias":          {files{"prompts/01_a.prompt.md": prompt("verify: {contains: [{repo: packet, path: a, text: b}]}")}, nil},
		"future scripts":        {files{"prompts/01_a.prompt.md": prompt("verify: {commands: [{exec: scripts/later.sh, args: [\"https://x/*\", $HOME], timeout_ms: 1}]}")}, nil},
		"no timeout":            {files{"prompts/01_a.prompt.md": prompt("verify:\n  commands:\n    - {exec: make}\n    - {exec: make, timeout_ms: 1}")}, []string{"prompts/01_a.prompt.md:4 verify_command_without_timeout"}},
		"shell":                 {files{"prompts/01_a.prompt.md": prompt("verify:\n  commands:\n    - make test\n    - timeout 60 make\n    - cd x && /usr/bin/timeout 5 make | tee log")}, []string{"prompts/01_a.prompt.md:4 legacy_shell_command", "prompts/01_a.prompt.md:4 verify_command_without_timeout", "prompts/01_a.prompt.md:5 legacy_shell_command", "prompts/01_a.prompt.md:6 legacy_shell_command"}},
		"shell in the body":     {files{"prompts/01_a.prompt.md": "# A\n\n## Validation Commands\n- make\n"}, []string{"prompts/01_a.prompt.md:4 legacy_shell_command", "prompts/01_a.prompt.md:4 verify_command_without_timeout"}},
		"id mismatch":           {files{"prompts/01_a.prompt.md": prompt("id: 02\n" + clean)}, []string{"prompts/01_a.prompt.md:2 prompt_id_filename_mismatch"}},
		"no prefix":             {files{"prompts/a.prompt.md": prompt(clean)}, []string{"prompts/a.prompt.md:0 prompt_filename_without_prefix"}},
		"duplicate id":          {files{"prompts/01_a.prompt.md": prompt(clean), "prompts/1_b.prompt.md": prompt(clean)}, []string{"prompts/1_b.prompt.md:0 duplicate_prompt_id"}},
		"unknown target":        {files{manifest: twoRepos, "prompts/01_a.prompt.md": prompt("targets: [app, nope]\n" + clean)}, []string{"prompts/01_a.prompt.md:2 unknown_target_repo"}},
		"group target":          {files{"prompts/01_a.prompt.md": prompt("targets: [\"@core\"]\n" + clean)}, []string{"prompts/01_a.prompt.md:2 repo_group_in_targets"}},
		"unknown repo":          {files{"prompts/01_a.prompt.md": prompt("verify: {contains: [{repo: ghost, path: a, text: b}]}")}, []string{"prompts/01_a.prompt.md:2 unknown_verify_repo"}},
		"one broken command":    {files{"prompts/01_a.prompt.md": prompt("verify:\n  commands:\n    - {exec: \"\"}\n    - make")}, []string{"prompts/01_a.prompt.md:4 invalid_value", "prompts/01_a.prompt.md:5 legacy_shell_command", "prompts/01_a.prompt.md:5 verify_command_without_timeout"}},
		"order":                 {files{"prompts/01_a.prompt.md": prompt("verify: {commands: [timeout 60 make], files_exist: [\"\"]}\nreferences: []")}, []string{"prompts/01_a.prompt.md:2 invalid_value", "prompts/01_a.prompt.md:2 legacy_shell_command", "prompts/01_a.prompt.md:3 inert_front_matter_key"}},
		"placeholder name":      {files{"prompts/01_a.prompt.md": "---\n" + clean + "\ncommit: x\n---\n# <!-- prompt_runner:placeholder name -->\n", "prompts/02_a.prompt.md": prompt("name: prompt_runner:placeholder\ncommit: x\n" + clean)}, []string{"prompts/01_a.prompt.md:5 prompt_placeholder_body", "prompts/02_a.prompt.md:2 prompt_placeholder_body"}},
		"broken manifest":       {files{manifest: "---\na: [\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 invalid_front_matter"}},
		"finish contract":       {files{manifest: "---\nagent_control:\n  enabled: false\n  completion_verify:\n    files_exist: [a]\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":4 contract_without_commands"}},
		"agent-owned":           {files{manifest: "---\nexecution: {completion: agent_owned, incomplete: repeat}\n---\n", "prompts/01_a.prompt.md": prompt(clean), "prompts/02_b.prompt.md": prompt("verify: {repos_clean: [default]}"), "prompts/03_c.prompt.md": prompt("verify: {files_exist: [a]}")}, []string{manifest + ":2 invalid_execution_policy", "prompts/01_a.prompt.md:2 agent_owned_verify_commands", "prompts/02_b.prompt.md:2 agent_owned_structural_evidence_required"}},
		"one broken of three":   {files{"prompts/01_a.prompt.md": "---\na: [\n---\n", "prompts/02_b.prompt.md": prompt("depends_on: [1, 9]\n" + clean), "prompts/03_c.prompt.md": prompt("depends_on: [3]\n" + clean)}, []string{"prompts/01_a.prompt.md:2 invalid_front_matter", "prompts/02_b.prompt.md:2 unknown_dependency", "prompts/03_c.prompt.md:2 dependency_cycle"}},
		"timeout not first":     {files{"prompts/01_a.prompt.md": prompt("verify: {commands: [make timeout]}")}, []string{"prompts/01_a.prompt.md:2 legacy_shell_command", "prompts/01_a.prompt.md:2 verify_command_without_timeout"}},
		"unknown prefix":        {files{"prompts/01_a.prompt.md": prompt("verify: {files_exist: [\"ghost:x\", \"https://x\"], contains: [{path: a, text: b}]}")}, []string{"prompts/01_a.prompt.md:2 unknown_verify_repo"}},
		"unknown clause":        {files{"prompts/01_a.prompt.md": prompt("verify: {contain: [], doc: [a]}")}, []string{"prompts/01_a.prompt.md:2 unknown_verify_clause"}},
		"no contract":           {files{"prompts/01_a.prompt.md": "# A\n"}, []string{"prompts/01_a.prompt.md:1 prompt_without_verify"}},
		"empty contract":        {files{"prompts/01_a.prompt.md": prompt("verify: {files_exist: []}")}, []string{"prompts/01_a.prompt.md:2 prompt_without_verify"}},
		"files only":            {files{"prompts/01_a.prompt.md": prompt("verify: {files_exist: [a], glob: [b]}")}, []string{"prompts/01_a.prompt.md:2 contract_without_commands"}},
		"content":               {files{"prompts/01_a.prompt.md": prompt("verify: {glob: [{path: b, non_empty: true}]}"), "prompts/02_a.prompt.md": prompt("verify: {doc: [a]}"), "prompts/03_a.prompt.md": prompt("verify: {json: [a]}"), "prompts/04_a.prompt.md": prompt("verify: {yaml: [a]}")}, nil},
		"changed paths":         {files{"prompts/01_a.prompt.md": prompt("verify: {contains: [{path: a, text: b}], changed_paths_only: [a]}")}, nil},
		"inert keys":            {files{"prompts/01_a.prompt.md": prompt("references: []\nrequired_reading: [a]\ncontext_files: [b]\ndepends_on: []\n" + clean)}, []string{"prompts/01_a.prompt.md:2 inert_front_matter_key", "prompts/01_a.prompt.md:3 inert_front_matter_key", "prompts/01_a.prompt.md:4 inert_front_matter_key"}},
		"unknown key":           {files{manifest: "---\ncommitter: x\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 unknown_key"}},
		"fallback":              {files{"prompts/01_a.md": prompt(clean)}, []string{"prompts:0 markdown_fallback"}},
		"no prompts":            {files{"prompts/x": ""}, []string{"prompts:0 no_prompts"}},
		"profile":               {files{manifest: "---\nprofile: nope\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 missing_profile"}},
		"agent control":         {files{manifest: "---\nagent_control: {enabled: false, default_action: x}\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 invalid_agent_control"}},
		"execution":             {files{manifest: "---\nexecution: {incomplete: fail}\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 invalid_execution_policy"}},
		"cycle":                 {files{"prompts/01_a.prompt.md": prompt("depends_on: [1]\n" + clean)}, []string{"prompts/01_a.prompt.md:2 dependency_cycle"}},
		"dependency":            {files{"prompts/01_a.prompt.md": prompt("depends_on: [9]\n" + clean)}, []string{"prompts/01_a.prompt.md:2 unknown_dependency"}},
		"pattern":               {files{"prompts/01_a.prompt.md": prompt("verify: {matches: [{path: a, pattern: '('}], yaml: [a]}")}, []string{"prompts/01_a.prompt.md:2 invalid_pattern"}},
		"one broken of two":     {files{"prompts/01_a.prompt.md": "---\na: [\n---\n", "prompts/02_b.prompt.md": "# B\n"}, []string{"prompts/01_a.prompt.md:2 invalid_front_matter", "prompts/02_b.prompt.md:1 prompt_without_verify"}},
		"display":               {files{manifest: "---\nlog_mode: loud\ncli_confirmation: maybe\n---\n", "prompts/01_a.prompt.md": prompt(clean)}, []string{manifest + ":2 no_effect", manifest + ":3 no_effect"}},
		"commands switched off": {files{"prompts/01_a.prompt.md": "---\nverify: {commands: [], contains: [{path: a, text: b}]}\n---\n## Validation Commands\n- make\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, got := tc.files.lint(t, false)
			require.Equal(t, tc.want, got)
			for _, finding := range report.Findings {
				if strings.HasPrefix(finding.File, report.Root+"/prompts/") && !strings.Contains(finding.Kind, "front_matter") {
					require.NotEmpty(t, finding.Prompt, finding)
				}
			}
			strict, _ := tc.files.lint(t, true)
			require.Zero(t, strict.Warnings)
			require.Equal(t, len(tc.want), strict.Errors)
		})
	}
}

func TestLintNeedsAPacket(t *testing.T) {
	_, err := packet.Lint(t.TempDir(), packet.Options{}, false)
	require.ErrorContains(t, err, packet.ManifestName)
}

// A packet with ten mistakes gets ten findings, each at its line.
func TestTenMistakes(t *testing.T) {
	const root = "testdata/ten-mistakes"
	report, err := packet.Lint(root, packet.Options{}, true)
	require.NoError(t, err)
	var want []string
	require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if _, mistake, marked := strings.Cut(strings.TrimSpace(line), "# MISTAKE: "); marked {
				want = append(want, fmt.Sprintf("%s:%d %s", path, number, mistake))
			}
		}
		return nil
	}))
	require.Len(t, want, 10)
	var got []string
	for _, finding := range report.Findings {
		got = append(got, fmt.Sprintf("%s:%d %s", finding.File, finding.Line, finding.Kind))
	}
	require.ElementsMatch(t, want, got)
}
