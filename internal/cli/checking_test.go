package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLintCommand(t *testing.T) {
	s := newShell(t)
	s.write("p/prompt_runner_packet.md", "---\nprofile: simulated-default\n---\n")
	s.write("p/prompts/01_a.prompt.md", "---\nrequired_reading: [x]\nverify: {commands: [timeout 60 make]}\n---\n# A\n")
	out, _ := s.expect(0, "packet", "lint", "p")
	require.Contains(t, out, "WARNING prompts/01_a.prompt.md:2  inert_front_matter_key\n")
	require.Contains(t, out, "WARNING prompts/01_a.prompt.md:3  legacy_shell_command\n")
	require.Contains(t, out, "0 errors, 2 warnings\n")
	document := s.document(1, "packet", "lint", "p", "--strict", "--json")
	require.Equal(t, 2.0, document["errors"])
	require.Equal(t, true, document["strict?"])
	require.Equal(t, false, document["pass?"])
	finding := document["findings"].([]any)[0].(map[string]any)
	require.Equal(t, "inert_front_matter_key", finding["kind"])
	require.Equal(t, "01", finding["prompt_id"])
	require.Equal(t, 2.0, finding["line"])
	s.expect(2, "packet", "lint", "p", "--strcit")
	document = s.document(2, "packet", "lint", s.home, "--json")
	require.Contains(t, document["error"], "prompt_runner_packet.md")
	s.write("p/prompt_runner_packet.md", "---\nprompt_template: from-adr\n---\n")
	out, _ = s.expect(0, "packet", "lint", "p")
	require.NotContains(t, out, "missing_template")
	s.write("p/prompt_runner_packet.md", "---\nprompt_template: nope\n---\n")
	out, _ = s.expect(0, "packet", "lint", "p")
	require.Contains(t, out, "WARNING prompt_runner_packet.md:2  missing_template\n")
	require.Contains(t, out, `there is no template "nope"; there are: default, from-adr`)
	s.write("p/prompt_runner_packet.md", "---\na: [\n---\n")
	document = s.document(1, "packet", "lint", "p", "--json")
	require.Equal(t, "invalid_front_matter", document["findings"].([]any)[0].(map[string]any)["kind"])
	s.untouched()
}

func TestDoctorAndPreflight(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.write("plain/x", "")
	s.write("p/prompt_runner_packet.md", "---\nprovider: codex\nrepos: {app: ../app, gone: ../gone, plain: ../plain, file: ../plain/x}\n---\n")
	s.write("p/prompts/01_a.prompt.md", "# A\n")
	document := s.document(0, "packet", "doctor", "p", "--json")
	require.Equal(t, false, document["runtime_ready?"])
	require.Equal(t, false, document["authoring_ready?"])
	kinds := map[string]string{}
	for _, one := range document["readiness_errors"].([]any) {
		problem := one.(map[string]any)
		kinds[problem["name"].(string)] = problem["kind"].(string)
	}
	require.Equal(t, map[string]string{"gone": "path_not_found", "plain": "not_git_repo", "file": "not_a_directory"}, kinds)
	provider := document["providers"].([]any)[0].(map[string]any)
	require.Equal(t, "codex", provider["provider"])
	require.Equal(t, "CODEX_PATH", provider["cli_path_env"])

	// The program is found where the variable says.
	program := filepath.Join(s.home, "my-codex")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	s.env.Environ = append(s.env.Environ, "CODEX_PATH="+program)
	out, _ := s.expect(0, "packet", "doctor", "p")
	require.Contains(t, out, "Provider codex: "+program)
	require.Contains(t, out, "NOT READY\n  path_not_found: ")
	out, _ = s.expect(2, "packet", "preflight", "p")
	require.Contains(t, out, "not ready: 3 problems")
	s.document(2, "packet", "preflight", "p", "--json")

	// What no session can mend stops a run before anything is started.
	s.write("q/prompt_runner_packet.md", "---\nprofile: simulated-default\nrepos: {app: ../app}\n---\n")
	out, _ = s.expect(0, "packet", "doctor", "q")
	require.Contains(t, out, "no_prompts")
	out, _ = s.expect(0, "packet", "preflight", "q")
	require.Contains(t, out, "ready, on branch main")
	s.untouched()
}

func TestExplainCommand(t *testing.T) {
	s := newShell(t)
	s.write("p/prompt_runner_packet.md", "---\nprofile: simulated-default\nmodel: m\n---\n")
	s.write("p/prompts/01_a.prompt.md", "---\npermission_mode: plan\n---\n# A\n")
	out, _ := s.expect(0, "packet", "explain", "p", "--provider", "codex")
	for _, want := range []string{"provider  ", "codex", "command line", "packet prompt_runner_packet.md:3", "profile built-in profile simulated-default:", "prompt prompts/01_a.prompt.md:2"} {
		require.Contains(t, out, want)
	}
	prompt := out[strings.Index(out, "Prompt 01"):]
	require.NotContains(t, prompt, "log_mode")
	document := s.document(0, "packet", "explain", "p", "--json")
	require.Equal(t, "m", document["options"].(map[string]any)["model"])

	s.write("p/prompts/02_b.prompt.md", "# B\n")
	out, _ = s.expect(0, "packet", "explain", "p", "2")
	require.Contains(t, out, "Prompt 02 B:")
	require.NotContains(t, out, "Prompt 01")
	document = s.document(0, "packet", "explain", "--packet", "p", "2", "1", "--json")
	require.Len(t, document["prompts"], 2)
	_, errs := s.expect(2, "packet", "explain", "p", "9")
	require.Contains(t, errs, "no prompt 09; the packet has: 01, 02")
	document = s.document(2, "packet", "explain", "nowhere/p", "--json")
	require.Contains(t, document["error"], "no such directory")
	s.untouched()
}

func TestPlanCommand(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.write("p/prompts/02_second.prompt.md", "---\ndepends_on: [1]\nrecovery: {resume_attempts: 0, retry: {max_attempts: 0}, repair: {max_attempts: 1}}\nverify: {files_exist: [a, b]}\n---\n# Second\n")
	out, _ := s.expect(0, "plan", "p", "--provider", "simulated", "--model", "m")
	for _, want := range []string{"Selected: 2 (01, 02)", "Provider: simulated", "Model: m", "permission mode bypass", "2 = (1 + 0 + 1) x (1 + 0)", "2 items", "none"} {
		require.Contains(t, out, want)
	}
	document := s.document(0, "plan", "p", "2", "--json", "--no-commit")
	require.Equal(t, []any{"02"}, document["selected"])
	require.Equal(t, "none", document["commit"])
	require.Equal(t, 2.0, document["max_sessions"])
	s.expect(2, "plan", "p", "99")
	s.expect(2, "plan", "p", "--continue")
	s.expect(2, "plan", "p", "--committer", "gti")
	document = s.document(2, "plan", "nowhere/p", "--json")
	require.Contains(t, document["error"], "no such directory")
	s.untouched()
}

func TestDryRun(t *testing.T) {
	s := newShell(t)
	dir := s.packet("p")
	out, _ := s.expect(0, "run", "p", "--dry-run")
	require.Contains(t, out, "[DRY RUN] Prompt 01: First\n1. Prompt: "+dir+"/prompts/01_first.prompt.md (1 line, 20 bytes)\n")
	require.Contains(t, out, "3. Commit:\n   feat: first\n")
	require.Contains(t, out, "target default: "+dir)
	out, _ = s.expect(0, "run", "p", "2", "--dry-run", "--no-commit")
	require.NotContains(t, out, "Prompt 01")
	require.Contains(t, out, "SKIPPED (--no-commit)")
	document := s.document(0, "run", "p", "--dry-run", "--json")
	require.Len(t, document["prompts"], 2)
	s.write("q/prompt_runner_packet.md", "---\nprofile: simulated-default\ntimeout: 90000\nmax_turns: 4\nsystem_prompt: be brief\n---\n")
	s.write("q/prompts/01_a.prompt.md", "---\nverify: {files_exist: [out]}\n---\n# A\n")
	out, _ = s.expect(0, "run", "q", "--dry-run")
	for _, want := range []string{"ended after: 1m 30s", "at most 4 turns", "system prompt: be brief", "contract: 1 item\n     file exists: out\n"} {
		require.Contains(t, out, want)
	}
	s.expect(2, "run", "p", "99", "--dry-run")
	require.NoDirExists(t, filepath.Join(dir, ".prompt_runner"))
	s.untouched()
}

func TestListCommand(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.write("p/prompt_runner_packet.md", "---\nname: p\nphases: {1: Begin}\n---\n")
	s.write("p/.prompt_runner/progress.log", "01:failed:2026-01-01T00:00:00Z\n01:completed:2026-01-01T00:00:00.000000Z:app=0123456789abcdef0123456789abcdef01234567,lib=no_changes\n02:failed:2026-01-01T00:00:00Z\n")
	out, _ := s.expect(0, "list", "p")
	require.Contains(t, out, "Phase 1: Begin\n  [x] 01 - First (1 SP) [default] (app 01234567, lib no_changes)\n  [!] 02 - Second (1 SP) [default]\n")
	require.Contains(t, out, "1/2 completed")
	document := s.document(0, "list", "p", "--json")
	require.Equal(t, 1.0, document["completed"])
	s.write("p/.prompt_runner/progress.log", "01:completed:2026-01-01T00:00:00Z:0123456789abcdef0123456789abcdef01234567\n02:completed:2026-01-01T00:00:00Z:no_commit\n")
	out, _ = s.expect(0, "list", "p")
	require.Contains(t, out, "[x] 01 - First (1 SP) [default] (sha 01234567)\n  [x] 02 - Second (1 SP) [default] (no_commit)\n")
	require.Contains(t, out, "2/2 completed")
	s.write("p/.prompt_runner/progress.log", "")
	_, errs := s.expect(4, "list", "p")
	require.Contains(t, errs, "progress.log:1: the file is empty")
}

func TestVerifyCommand(t *testing.T) {
	s := newShell(t)
	app := s.repo("app")
	s.write("p/prompt_runner_packet.md", "---\nrepos: {app: ../app}\n---\n")
	s.write("p/prompts/01_a.prompt.md", "---\nverify: {files_exist: [out, \"packet:x\"]}\n---\n# A\n")
	s.write("p/prompts/02_b.prompt.md", "---\nverify: {commands: [{exec: \"@artifact:tool\", timeout_ms: 5000}]}\n---\n# B\n")
	s.write("p/prompts/03_c.prompt.md", "# C\n")
	out, _ := s.expect(1, "verify", "p", "01", "03")
	require.Contains(t, out, "01 A: FAIL (2 of 2 items not met)\n  file_exists out: missing: there is nothing at "+app.Dir+"/out\n")
	require.Contains(t, out, "03 C: nothing to verify")
	require.Contains(t, out, "Verified 2 prompts: 1 failure, 0 faults; 1 with nothing to verify\n")
	out, _ = s.expect(4, "verify", "p")
	require.Contains(t, out, "02 B: FAULT (1 of 1 item could not be judged)\n  command (verifier_fault): the artifact tool is not built")
	app.Write("out", "x")
	s.write("p/x", "")
	out, _ = s.expect(0, "verify", "p", "1", "01")
	require.Contains(t, out, "Verified 1 prompt: 0 failures, 0 faults\n")
	s.write("tool", "#!/bin/sh\n")
	require.NoError(t, os.Chmod(filepath.Join(s.home, "tool"), 0o755))
	document := s.document(0, "verify", "p", "--json", "--artifact", "tool=tool")
	require.Equal(t, true, document["pass?"])
	require.Equal(t, 1.0, document["unverified"])
	require.Len(t, document["reports"], 3)
	document = s.document(2, "verify", "p", "9", "--json")
	require.Contains(t, document["error"], "01, 02, 03")
	require.NoDirExists(t, filepath.Join(s.home, "p/.prompt_runner"))
	require.NoDirExists(t, filepath.Join(s.home, "state"))
}

func TestMigrateCommand(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.write("p/prompts/01_first.prompt.md", "---\nverify: {commands: [timeout 60 mix test]}\n---\n# A\n")
	out, _ := s.expect(1, "migrate", "p", "--check")
	require.Contains(t, out, "prompts/01_first.prompt.md:2  legacy_shell_command")
	require.Contains(t, out, "{exec: mix, args: [test], timeout_ms: 60000}")
	document := s.document(1, "migrate", "p", "--check", "--json")
	require.Equal(t, false, document["pass?"])
	s.expect(2, "migrate", "p")
	s.packet("q")
	out, _ = s.expect(0, "migrate", "q", "--check")
	require.Contains(t, out, "it does the same here")
}

func TestDisplayFlags(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	for flag, word := range map[string]string{
		"log-mode": "studio", "log-meta": "full", "events-mode": "off", "tool-output": "preview", "thinking": "hide",
		"diff": "none", "cli-confirmation": "require", "runtime-store": "file",
	} {
		for _, command := range [][]string{{"plan", "p"}, {"run", "p", "--dry-run"}} {
			s.expect(0, append(command, "--"+flag, word)...)
			_, errs := s.expect(2, append(command, "--"+flag, "nonsense")...)
			require.Contains(t, errs, "it must be one of")
		}
	}
	_, errs := s.expect(2, "run", "p", "--runtime-store", "memory")
	require.Contains(t, errs, "always kept in files")
	_, errs = s.expect(2, "logs", "p", "--diff", "all")
	require.Contains(t, errs, "none, stat, full")
	s.untouched()
}

func TestDiffCommandWithoutARun(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	_, errs := s.expect(2, "diff", "p", "01")
	require.Contains(t, errs, "no run of")
	s.expect(2, "diff", "p")
	s.expect(2, "diff", "p", "01", "02")
}

func TestCompletion(t *testing.T) {
	s := newShell(t)
	s.packet("packets/one")
	s.packet("packets/two")
	require.NoError(t, os.MkdirAll(filepath.Join(s.home, "packets/other"), 0o755))
	propose := func(words ...string) []string {
		out, _ := s.expect(0, append([]string{"__complete"}, words...)...)
		var proposals []string
		for line := range strings.Lines(out) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ":") {
				proposals = append(proposals, line)
			}
		}
		return proposals
	}
	require.Equal(t, []string{"packets/"}, propose("run", "pa"))
	require.Equal(t, []string{"packets/one", "packets/two"}, propose("run", "packets/"))
	require.Equal(t, []string{"01\tFirst", "02\tSecond"}, propose("run", "packets/one", ""))
	require.Equal(t, []string{"02\tSecond"}, propose("verify", "packets/one", "01", ""))
	require.Equal(t, []string{"01\tFirst", "02\tSecond"}, propose("logs", "--packet", "packets/one", ""))
	require.Equal(t, []string{"packets/one", "packets/two"}, propose("packet", "lint", "packets/"))
	require.Equal(t, []string{"claude-default", "codex-default", "simulated-default"}, propose("packet", "new", "x", "--profile", ""))
	require.Equal(t, []string{"default\tbuiltin", "from-adr\tbuiltin"}, propose("prompt", "new", "01", "--template", ""))
	require.Equal(t, []string{"compact", "verbose", "studio"}, propose("run", "--log-mode", ""))
	for _, name := range []string{"bash", "zsh", "fish"} {
		out, _ := s.expect(0, "completion", name)
		require.Contains(t, out, "prompt-runner")
	}
}
