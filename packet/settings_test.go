package packet_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// configHome makes a configuration directory with one profile.
func configHome(t *testing.T, name, attrs string) string {
	t.Helper()
	home := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(home, "profiles"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, "profiles", name+".md"), []byte("---\n"+attrs+"\n---\n"), 0o644))
	return home
}

func TestPrecedence(t *testing.T) {
	home := configHome(t, "mine", "provider: codex\nmodel: profile-model\nreasoning_effort: low\nallowed_tools: [Read, Edit]\ntimeout: 1000\npermission_mode: plan")
	f := func() files {
		return files{
			manifest:               "---\nprofile: mine\nmodel: packet-model\npermission_mode: full-auto\nallowed_tools: [Bash]\n---\n",
			"prompts/01.prompt.md": prompt("provider: amp_sdk\nmodel: prompt-model\ntimeout: \"42\""),
			"prompts/02.prompt.md": "",
		}
	}
	loaded := f().load(t, packet.Options{ConfigHome: home})
	require.Equal(t, "mine", loaded.Profile)
	first := packet.Settings{
		Provider: "amp", Model: "prompt-model", ReasoningEffort: "low", PermissionMode: "auto",
		AllowedTools: []string{"Bash"}, TimeoutMS: 42, Confirmation: "warn",
	}
	second := packet.Settings{
		Provider: "codex", Model: "packet-model", ReasoningEffort: "low", PermissionMode: "auto",
		AllowedTools: []string{"Bash"}, TimeoutMS: 1000, Confirmation: "warn",
	}
	require.Equal(t, first, loaded.Prompts[0].Settings)
	require.Equal(t, second, loaded.Prompts[1].Settings)

	loaded = f().load(t, packet.Options{ConfigHome: home, Overrides: run.Overrides{Provider: " Simulation "}})
	first.Provider, second.Provider = "simulated", "simulated"
	require.Equal(t, first, loaded.Prompts[0].Settings)
	require.Equal(t, second, loaded.Prompts[1].Settings)

	loaded = f().load(t, packet.Options{ConfigHome: home, Overrides: run.Overrides{Model: "cli"}})
	require.Equal(t, "cli", loaded.Prompts[0].Settings.Model)
	require.Equal(t, "amp", loaded.Prompts[0].Settings.Provider)
}

func TestOverrideErrors(t *testing.T) {
	f := single("permission_mode: auto")
	root := f.write(t)
	_, err := packet.Load(root, packet.Options{Overrides: run.Overrides{Provider: "codx"}})
	require.ErrorContains(t, err, root+`: --provider: unknown provider "codx" (did you mean "codex"?)`)

	_, err = packet.Load(root, packet.Options{Overrides: run.Overrides{Provider: "antigravity"}})
	require.Equal(t, []string{`prompts/01_a.prompt.md:2: permission_mode: the provider antigravity has no permission mode "auto"; it has: default, bypass`}, findings(t, root, err))
}

func TestProviderIsInferredFromTheModel(t *testing.T) {
	for model, want := range map[string]string{"gpt-5": "codex", "Amp-1": "amp", "opus": "claude"} {
		require.Equal(t, want, single("model: "+model).load(t, packet.Options{}).Prompts[0].Settings.Provider, model)
	}
}

func TestProviderAliasesAndPermissionModes(t *testing.T) {
	for written, want := range map[string]string{
		"Claude_Agent_SDK": "claude", "codex_sdk": "codex", "cursor_agent": "cursor",
		"antigravity_cli_sdk": "antigravity", "opencode": "opencode", "gemini": "gemini", "command": "command",
	} {
		require.Equal(t, want, single("provider: "+written).load(t, packet.Options{}).Prompts[0].Settings.Provider, written)
	}
	for written, want := range map[string]string{
		"acceptEdits": "auto", "dont-ask": "auto", "YOLO": "bypass", "dangerously_skip_permissions": "bypass", " Plan ": "plan",
	} {
		got := single("permission_mode: '"+written+"'").load(t, packet.Options{}).Prompts[0].Settings
		require.Equal(t, want, got.PermissionMode, written)
	}
}

func TestTimeouts(t *testing.T) {
	for written, want := range map[string]int64{
		"42000": 42_000, `"123000"`: 123_000, "unbounded": 604_800_000, "Infinity": 604_800_000,
		"infinite": 604_800_000, "604800001": 604_800_000, "~": 604_800_000,
	} {
		require.Equal(t, want, single("timeout: "+written).load(t, packet.Options{}).Prompts[0].Settings.TimeoutMS, written)
	}
	for _, written := range []string{"-5", "0x10", "1e3", "true", "[1]", "99999999999999999999", `""`} {
		require.Len(t, single("timeout: "+written).errors(t, packet.Options{}), 1, written)
	}
}

func TestSimulatedProfile(t *testing.T) {
	loaded := files{manifest: "---\nprofile: simulated-default\nrecovery: {repair: {max_attempts: 7}}\n---\n", "prompts/01.prompt.md": ""}.load(t, packet.Options{})
	got := loaded.Prompts[0]
	require.Equal(t, packet.Settings{
		Provider: "simulated", Model: "simulated-demo", ReasoningEffort: "low", PermissionMode: "bypass",
		AllowedTools: []string{"Read", "Edit", "Write", "Bash"}, TimeoutMS: 604_800_000, Confirmation: "off",
	}, got.Settings)
	require.Zero(t, got.Recovery.Retry.BaseDelayMS)
	require.Zero(t, got.Recovery.Retry.MaxDelayMS)
	require.False(t, got.Recovery.Retry.Jitter)
	require.Equal(t, 7, got.Recovery.Repair.MaxAttempts)
}

func TestProfileErrors(t *testing.T) {
	home := configHome(t, "bad", "provider: nix\nlimits: {}\nmodel: [a]")
	f := func(profile string) files {
		return files{manifest: "---\nprofile: " + profile + "\n---\n", "prompts/01.prompt.md": ""}
	}
	path := filepath.Join(home, "profiles", "bad.md")
	require.Equal(t, []string{
		path + ":2: provider: unknown provider \"nix\"; known are: claude, codex, amp, cursor, antigravity, opencode, gemini, command, simulated",
		path + ":3: limits: belongs in " + manifest + "; move it there",
		path + ":4: model: is a list; it must be a text",
	}, f("bad").errors(t, packet.Options{ConfigHome: home}))

	require.Equal(t, []string{
		manifest + `:2: profile: there is no profile "other": ` + filepath.Join(home, "profiles", "other.md") + " does not exist, and built in are: claude-default, codex-default, simulated-default",
	}, f("other").errors(t, packet.Options{ConfigHome: home}))
}
