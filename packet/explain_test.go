package packet_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// sources writes settings as "key=value source file:line".
func sources(root string, settings []packet.Effective, keys ...string) []string {
	var lines []string
	for _, key := range keys {
		for _, setting := range settings {
			if setting.Key == key {
				where := ""
				if setting.Line > 0 {
					where = fmt.Sprintf(" %s:%d", strings.TrimPrefix(setting.File, root+"/"), setting.Line)
				}
				lines = append(lines, fmt.Sprintf("%s=%v %s%s", key, setting.Value, setting.Source, where))
			}
		}
	}
	return lines
}

func TestExplain(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "profiles", "mine.md"), "---\nprovider: codex\nmodel: m\nreasoning_effort: low\nrecovery: {retry: {jitter: false, class_attempts: {unknown: 9}}}\n---\n")
	f := files{
		manifest:               "---\nprofile: mine\nmodel: packet-model\ndiff: full\nphases: {1: One}\nrecovery:\n  retry: {max_attempts: 1}\n---\n",
		"prompts/01.prompt.md": prompt("permission_mode: plan\nallowed_tools: [Bash]\ntargets: [default]"),
		"prompts/02.prompt.md": prompt("model: prompt-model"),
	}
	root := f.write(t)
	keys := []string{"provider", "model", "reasoning_effort", "permission_mode", "allowed_tools", "recovery.retry.jitter", "recovery.retry.max_attempts", "recovery.retry.class_attempts.unknown", "recovery.retry.class_attempts.protocol_error", "recovery.repair.enabled", "diff", "targets"}

	got, err := packet.Explain(root, packet.Options{ConfigHome: home})
	require.NoError(t, err)
	require.Equal(t, []string{
		"provider=codex profile " + home + "/profiles/mine.md:2",
		"model=packet-model packet prompt_runner_packet.md:3",
		"reasoning_effort=low profile " + home + "/profiles/mine.md:4",
		"permission_mode=default default",
		"allowed_tools=[] default",
		"recovery.retry.jitter=false profile " + home + "/profiles/mine.md:5",
		"recovery.retry.max_attempts=1 packet prompt_runner_packet.md:7",
		"recovery.retry.class_attempts.unknown=9 profile " + home + "/profiles/mine.md:5",
		"recovery.retry.class_attempts.protocol_error=1 packet prompt_runner_packet.md:7",
		"recovery.repair.enabled=true default",
		"diff=full packet prompt_runner_packet.md:4",
	}, sources(root, got.Settings, keys...))
	require.Equal(t, "packet-model", got.Options["model"])
	require.Equal(t, 1, got.Options["recovery"].(map[string]any)["retry"].(map[string]any)["max_attempts"])
	require.Equal(t, map[string]string{"1": "One"}, got.PhaseNames)
	require.Equal(t, "mine", got.Packet.Profile)
	require.Equal(t, []string{
		"permission_mode=plan prompt prompts/01.prompt.md:2", "allowed_tools=[Bash] prompt prompts/01.prompt.md:3", "targets=[default] prompt prompts/01.prompt.md:4",
	}, sources(root, got.Prompts[0].Settings, "permission_mode", "allowed_tools", "targets"))
	require.Equal(t, []string{"model=prompt-model prompt prompts/02.prompt.md:2", "targets=[default] default"}, sources(root, got.Prompts[1].Settings, "model", "targets"))

	got, err = packet.Explain(root, packet.Options{ConfigHome: home, Overrides: run.Overrides{Model: "x"}, Defaults: run.Overrides{Provider: "amp"}})
	require.NoError(t, err)
	require.Equal(t, []string{"model=x command line"}, sources(root, got.Prompts[1].Settings, "model"))
	require.Equal(t, []string{"provider=codex profile " + home + "/profiles/mine.md:2"}, sources(root, got.Settings, "provider"))
}

func TestEnvironmentIsWeakest(t *testing.T) {
	env := map[string]string{"PROMPT_RUNNER_PROVIDER": "amp", "PROMPT_RUNNER_MODEL": "env-model", "HOME": "/home/x"}
	options := packet.EnvironmentOptions(func(name string) string { return env[name] })
	require.Equal(t, "/home/x/.config/prompt_runner", options.ConfigHome)
	options.ConfigHome = ""
	got := single("").load(t, options).Prompts[0].Settings
	require.Equal(t, "amp", got.Provider)
	require.Equal(t, "env-model", got.Model)
	f := single("")
	f[manifest] = "---\nprovider: codex\nmodel: m\n---\n"
	got = f.load(t, options).Prompts[0].Settings
	require.Equal(t, "codex", got.Provider)
	require.Equal(t, "m", got.Model)
	options.Defaults.Provider = "nobody"
	require.Equal(t, []string{`environment: PROMPT_RUNNER_PROVIDER: unknown provider "nobody"; known are: claude, codex, amp, cursor, antigravity, opencode, gemini, command, simulated`}, single("").errors(t, options))
}

func TestDefaultProfile(t *testing.T) {
	profile := func(home string) string {
		return single("").load(t, packet.Options{ConfigHome: home}).Profile
	}
	home := t.TempDir()
	require.Empty(t, profile(home), "without any configuration there is none")
	writeFile(t, filepath.Join(home, "profiles", "codex-default.md"), "---\nprovider: codex\n---\n")
	require.Equal(t, "codex-default", profile(home))
	writeFile(t, filepath.Join(home, "config.md"), "---\ndefault_profile: claude-default\n---\n")
	require.Equal(t, "claude-default", profile(home), "config.md names a built-in one")
	writeFile(t, filepath.Join(home, "profiles", "claude-default.md"), "---\nprovider: amp\n---\n")
	require.Equal(t, "amp", single("").load(t, packet.Options{ConfigHome: home}).Prompts[0].Settings.Provider, "a file beats the built-in one")
	writeFile(t, filepath.Join(home, "config.md"), "---\n\ndefault_profile: nope\n---\n")
	got := single("").errors(t, packet.Options{ConfigHome: home})
	require.Len(t, got, 1)
	require.Contains(t, got[0], home+`/config.md:3: default_profile: there is no profile "nope"`)
}

func TestBuiltInProfilesAreValid(t *testing.T) {
	for _, name := range packet.BuiltInProfiles() {
		require.NoError(t, packet.CheckProfile(name, packet.Options{}))
		f := single("")
		f[manifest] = "---\nprofile: " + name + "\n---\n"
		require.Empty(t, f.load(t, packet.Options{}).Warnings, name)
	}
	require.ErrorContains(t, packet.CheckProfile("codx-default", packet.Options{}), `did you mean "codex-default"`)
}

func TestDiagnose(t *testing.T) {
	f := files{
		manifest:                 "---\nrepos: {b: {path: .}, a: {path: .}}\n---\n",
		"prompts/01_a.prompt.md": "---\ntargets: []\n---\n# A\n\n<!-- prompt_runner:placeholder mission -->\n",
		"prompts/02_b.prompt.md": prompt("targets: [b]\nverify: {files_exist: [x]}"),
	}
	root := f.write(t)
	got, err := packet.Diagnose(root, packet.Options{})
	require.NoError(t, err)
	var found []string
	for _, warning := range got.Warnings {
		found = append(found, fmt.Sprintf("%s:%d %s %s", strings.TrimPrefix(warning.File, root+"/"), warning.Line, warning.Kind, warning.Prompt))
	}
	require.Equal(t, []string{
		manifest + ":2 no_default_repo ",
		"prompts/01_a.prompt.md:0 prompt_no_targets 01",
		"prompts/01_a.prompt.md:0 prompt_empty_verify 01",
		"prompts/01_a.prompt.md:6 prompt_placeholder_body 01",
	}, found)
	require.Len(t, got.PromptFiles, 2)

	got, err = packet.Diagnose(files{manifest: "---\nrepos: {b: {path: ., default: true}, a: {path: ., default: true}}\n---\n", "prompts/x": ""}.write(t), packet.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"no_prompts", "multiple_default_repos"}, []string{got.Warnings[0].Kind, got.Warnings[1].Kind})
	_, err = packet.Diagnose(files{manifest: "---\nprovider: x\n---\n", "prompts/x": ""}.write(t), packet.Options{})
	require.Error(t, err)
}
