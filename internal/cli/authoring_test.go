package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

// expect runs a command line and checks its exit code.
func (s *shell) expect(code int, args ...string) (stdout, stderr string) {
	s.t.Helper()
	got, stdout, stderr := s.run(args...)
	require.Equal(s.t, code, got, "%s\nstdout: %s\nstderr: %s", strings.Join(args, " "), stdout, stderr)
	return stdout, stderr
}

// document runs a command line and decodes its output as one JSON document.
func (s *shell) document(code int, args ...string) map[string]any {
	s.t.Helper()
	stdout, _ := s.expect(code, args...)
	decoder := json.NewDecoder(strings.NewReader(stdout))
	var document map[string]any
	require.NoError(s.t, decoder.Decode(&document), stdout)
	require.False(s.t, decoder.More(), "more than one document: %s", stdout)
	return document
}

// repo makes a git repository with one commit below the home directory.
func (s *shell) repo(name string) *gittest.Repo {
	s.t.Helper()
	dir := filepath.Join(s.home, name)
	require.NoError(s.t, os.MkdirAll(dir, 0o755))
	repo := gittest.At(s.t, dir)
	repo.Write("README.md", "start\n")
	repo.Commit("start")
	return repo
}

func (s *shell) read(path string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.home, path))
	require.NoError(s.t, err)
	return string(text)
}

func TestAuthoring(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.repo("lib")
	out, _ := s.expect(0, "init", "-p", "simulated-default")
	require.Contains(t, out, "wrote  "+filepath.Join(s.home, ".config/prompt_runner/config.md"))
	require.Contains(t, out, "prompt-runner packet new")
	s.write(".config/prompt_runner/profiles/codex-default.md", "mine")
	out, _ = s.expect(0, "init")
	require.Contains(t, out, "kept   "+filepath.Join(s.home, ".config/prompt_runner/profiles/codex-default.md"))
	require.Equal(t, "mine", s.read(".config/prompt_runner/profiles/codex-default.md"))
	require.Contains(t, s.read(".config/prompt_runner/config.md"), "default_profile: simulated-default")

	out, _ = s.expect(0, "packet", "new", "nightly", "--repo", "app=app", "--repo", "lib=./lib", "--default-repo", "lib",
		"--model", "m", "--retry-attempts", "0", "--no-auto-repair", "--cli-confirmation", "off")
	require.Contains(t, out, "prompt-runner prompt new 01 --packet")
	manifest := s.read("nightly/prompt_runner_packet.md")
	require.Contains(t, manifest, "# yaml-language-server: $schema=./prompt_runner.manifest.schema.json")
	for _, want := range []string{"app: {path: ../app}", "lib: {path: ../lib, default: true}", "model: m", "max_attempts: 0", "enabled: false", `cli_confirmation: "off"`} {
		require.Contains(t, manifest, want)
	}
	_, errs := s.expect(2, "packet", "new", "nightly")
	require.Contains(t, errs, "exists already")
	_, errs = s.expect(2, "packet", "new", "x", "--repo", "app")
	require.Contains(t, errs, "NAME=PATH")
	_, errs = s.expect(2, "packet", "new", "a/b")
	require.Contains(t, errs, "cannot name a packet")
	_, errs = s.expect(2, "packet", "new", "x", "--repoo", "a=b")
	require.Contains(t, errs, "did you mean --repo?")

	out, _ = s.expect(0, "prompt", "new", "1", "--packet", "nightly", "--name", `Say "hi": a #1`, "--targets", "app,lib", "--phase", "2")
	require.Contains(t, out, "01_say_hi_a_1.prompt.md")
	prompt := s.read("nightly/prompts/01_say_hi_a_1.prompt.md")
	require.Contains(t, prompt, `name: "Say \"hi\": a #1"`)
	require.Contains(t, prompt, `commit: "chore: say-hi-a-1"`)
	require.Contains(t, prompt, "# What must be true when the prompt is complete.")
	require.Contains(t, prompt, "- `app`\n- `lib`")
	_, errs = s.expect(2, "prompt", "new", "001", "--packet", "nightly")
	require.Contains(t, errs, "is taken by")
	_, errs = s.expect(2, "prompt", "new", "x", "--packet", "nightly")
	require.Contains(t, errs, "no prompt id")
	_, errs = s.expect(2, "prompt", "new", "02", "--packet", "nightly", "--targets", "nope")
	require.Contains(t, errs, "unknown repository \"nope\"; the packet has: app, lib")
	_, errs = s.expect(2, "prompt", "new", "02", "--packet", "nightly", "--template", "nope")
	require.Contains(t, errs, "there are: default, from-adr")

	// A template of the packet comes first; its keys and comments stay.
	s.write("nightly/templates/default.prompt.md", "---\n# mine\nsp: 8 # points\nphase: 9\n---\n# {{id}} {{name}} {{targets_csv}}\n")
	out, _ = s.expect(0, "template", "list", "nightly")
	require.Contains(t, out, "default\tpacket\t")
	require.Contains(t, out, "from-adr\thome\t")
	out, _ = s.expect(0, "template", "show", "default", "--packet", "nightly")
	require.Contains(t, out, "sp: 8")
	s.expect(0, "prompt", "new", "02", "--packet", "nightly", "--name", "Two")
	prompt = s.read("nightly/prompts/02_two.prompt.md")
	require.Contains(t, prompt, "# mine\nsp: 8 # points\n")
	require.Contains(t, prompt, "phase: 1\n")
	require.Contains(t, prompt, "# 02 Two lib\n")

	s.expect(0, "packet", "lint", "nightly")
	out, _ = s.expect(0, "packet", "doctor", "nightly")
	require.Contains(t, out, "prompt_placeholder_body")
	out, _ = s.expect(0, "list", "nightly")
	require.Contains(t, out, "Phase 2\n  [ ] 01 - Say")
	require.Contains(t, out, "0/2 completed")
	s.untouched()
}

func TestRepoAdd(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.repo("lib")
	s.write("p/prompt_runner_packet.md", "---\n# keep\nname: p # me\n\nprofile: simulated-default\n---\nbody\n")
	s.write("p/prompts/01_a.prompt.md", "# A\n")
	s.expect(0, "repo", "add", "app", "app", "--packet", "p")
	out, _ := s.expect(0, "repo", "add", "lib", "lib", "--packet", "p", "--default")
	require.Contains(t, out, "/p/prompt_runner_packet.md\n  app: "+filepath.Join(s.home, "app")+"\n  lib: "+filepath.Join(s.home, "lib")+" (default)\nto check it: ")
	require.Equal(t, "---\n# keep\nname: p # me\n\nprofile: simulated-default\nrepos:\n  app: {path: ../app}\n  lib: {path: ../lib, default: true}\n---\nbody\n", s.read("p/prompt_runner_packet.md"))
	_, errs := s.expect(2, "repo", "add", "lib", "lib", "--packet", "p")
	require.Contains(t, errs, "has a repository \"lib\" already")
	_, errs = s.expect(2, "repo", "add", "x", "nowhere", "--packet", "p")
	require.Contains(t, errs, "no such directory")
	_, errs = s.expect(2, "repo", "add", "a:b", "lib", "--packet", "p")
	require.Contains(t, errs, "cannot name a repository")

	s.write("l/prompt_runner_packet.md", "---\nrepos:\n  # first\n  - name: app\n    path: ../app\n    default: true\n---\n")
	s.expect(0, "repo", "add", "lib", "lib", "--packet", "l")
	require.Contains(t, s.read("l/prompt_runner_packet.md"), "# first\n  - name: app\n    path: ../app\n    default: true\n  - {name: lib, path: ../lib}\n")
}

func TestProfiles(t *testing.T) {
	s := newShell(t)
	out, _ := s.expect(0, "profile", "list")
	require.Equal(t, "claude-default\ncodex-default\nsimulated-default\n", out)
	s.expect(0, "profile", "new", "careful", "--provider", "claude", "--permission", "plan", "--tools", "Read,Bash", "--repair-attempts", "1", "--retry-jitter=false")
	out, _ = s.expect(0, "profile", "show", "careful")
	require.Equal(t, "---\nprovider: claude\npermission_mode: plan\nallowed_tools:\n  - Read\n  - Bash\nrecovery:\n  retry:\n    jitter: false\n  repair:\n    max_attempts: 1\n---\n", out)
	_, errs := s.expect(2, "profile", "new", "careful")
	require.Contains(t, errs, "exists already")
	s.expect(0, "profile", "new", "careful", "--provider", "amp", "--force")
	_, errs = s.expect(2, "profile", "new", "odd", "--provider", "nobody")
	require.Contains(t, errs, `unknown provider "nobody"`)
	_, errs = s.expect(2, "profile", "new", "odd2", "--repair-attempts", "-1")
	require.Contains(t, errs, "must not be negative")
	out, _ = s.expect(0, "profile", "show", "codex-default")
	require.Contains(t, out, "provider: codex")
	s.expect(2, "profile", "show", "nope")
}

func TestChecklists(t *testing.T) {
	s := newShell(t)
	dir := s.packet("p")
	s.write("p/prompts/01_first.prompt.md", "---\nverify:\n  yaml: [a.yaml]\n  commands: [{exec: grep, args: [-q, \"a b\", x], timeout_ms: 1}]\n  doc: [{repo: packet, path: d.md, min_lines: 4}]\n  repos_clean: [{repo: default, pushed: true}]\n---\n# One\n")
	out, _ := s.expect(1, "checklist", "sync", "p", "--check")
	require.Contains(t, out, "missing")
	require.NoFileExists(t, filepath.Join(dir, "prompts/01_first.prompt.checklist.md"))
	out, _ = s.expect(0, "checklist", "sync", "p")
	require.Contains(t, out, "prompt 02 has no contract yet")
	list := s.read("p/prompts/01_first.prompt.checklist.md")
	require.Contains(t, list, "- [ ] command: grep -q 'a b' x\n- [ ] doc: packet:d.md (non-blank; 4 lines advisory)\n- [ ] repo committed and pushed: default\n- [ ] YAML parses: a.yaml\n")
	s.expect(0, "checklist", "sync", "p", "--check")

	// A tick survives while its item does.
	s.write("p/prompts/01_first.prompt.checklist.md", strings.Replace(list, "- [ ] YAML", "- [x] YAML", 1))
	s.expect(0, "checklist", "sync", "p", "--check")
	s.write("p/prompts/01_first.prompt.md", "---\nverify: {yaml: [a.yaml], files_exist: [b]}\n---\n# One\n")
	document := s.document(1, "checklist", "sync", "p", "--check", "--json")
	require.Equal(t, "stale", document["checklists"].([]any)[0].(map[string]any)["state"])
	s.expect(0, "checklist", "sync", "p")
	require.Contains(t, s.read("p/prompts/01_first.prompt.checklist.md"), "- [ ] file exists: b\n- [x] YAML parses: a.yaml\n")

	// Of a prompt that is gone only a generated one is removed.
	require.NoError(t, os.Remove(filepath.Join(dir, "prompts/02_second.prompt.md")))
	s.write("p/prompts/09_mine.prompt.checklist.md", "- [ ] by hand\n")
	out, _ = s.expect(0, "checklist", "sync", "p")
	require.Contains(t, out, "removed  "+filepath.Join(dir, "prompts/02_second.prompt.checklist.md"))
	require.Contains(t, out, "orphaned "+filepath.Join(dir, "prompts/09_mine.prompt.checklist.md"))
	require.FileExists(t, filepath.Join(dir, "prompts/09_mine.prompt.checklist.md"))
	s.expect(1, "checklist", "sync", "p", "--check")
}

func TestFromDocuments(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.write("app/docs/a.md", "# Title\n\nIntro.\n\n## First *part*\n\nDo `a`.\n\n### Detail\n\n```md\n## Not a heading\n```\n\nSecond part\n-----------\n\nDo b.\n\n<!--\n## Not this\n-->\n# Other\n\n## Third\n")
	s.write("b.md", "## Long\n\n"+strings.Repeat("word ", 2000)+"\n")
	s.expect(0, "packet", "new", "p", "--profile", "simulated-default", "--repo", "app=app", "--from", "app/docs/a.md", "--from", "b.md")
	entries, err := os.ReadDir(filepath.Join(s.home, "p/prompts"))
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	require.Equal(t, []string{"01_first_part.prompt.md", "02_second_part.prompt.md", "03_third.prompt.md", "04_long.prompt.md"}, names)
	first := s.read("p/prompts/01_first_part.prompt.md")
	require.Contains(t, first, `name: "First part"`)
	require.Contains(t, first, "- `docs/a.md`, section \"First part\"")
	require.Contains(t, first, "> Do `a`.\n>\n> ### Detail\n>\n> ```md\n> ## Not a heading\n> ```\n")
	require.NotContains(t, first, "Do b.")
	require.Contains(t, s.read("p/prompts/02_second_part.prompt.md"), "> Do b.\n")
	long := s.read("p/prompts/04_long.prompt.md")
	require.Contains(t, long, "- `../b.md`, section \"Long\"")
	require.Contains(t, long, "too long to be quoted")
	s.expect(0, "packet", "lint", "p")

	s.write("none.md", "# Only a title\n")
	_, errs := s.expect(2, "packet", "new", "q", "--from", "none.md")
	require.Contains(t, errs, "no second-level section")
}

func TestSchemaCommand(t *testing.T) {
	s := newShell(t)
	document := s.document(0, "schema", "prompt")
	require.Equal(t, "Prompt Runner prompt", document["title"])
	require.NoError(t, os.Mkdir(filepath.Join(s.home, "d"), 0o755))
	s.expect(0, "schema", "--dir", "d")
	for _, name := range []string{"manifest", "prompt", "profile"} {
		require.FileExists(t, filepath.Join(s.home, "d", "prompt_runner."+name+".schema.json"))
	}
	s.expect(2, "schema")
	s.expect(2, "schema", "nope")
	s.expect(2, "schema", "prompt", "--dir", "d")
}
