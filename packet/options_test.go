package packet_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Options of profile, packet and prompt are merged key by key, numbers and
// booleans as YAML means them.
func TestOptionMapsMerge(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "profiles", "p.md"), "---\nsdk_opts: {a: 1, deep: {x: true, y: old}}\nsystem_prompt: one\n---\n")
	f := single("codex_opts: {m: 1.5}\nsdk_opts: {deep: {z: [~, 010]}}\nmax_turns: 4")
	f[manifest] = "---\nprofile: p\nsdk_opts: {deep: {y: new}}\ncli_confirmation: REQUIRE\nappend_system_prompt: 5\n---\n"
	got := f.load(t, packet.Options{ConfigHome: home}).Prompts[0].Settings
	require.JSONEq(t, `{"sdk_opts": {"a": 1, "deep": {"x": true, "y": "new", "z": [null, 10]}}, "codex_opts": {"m": 1.5}}`, toJSON(t, got.Options))
	require.Equal(t, "require", got.Confirmation)
	require.Equal(t, "one", got.SystemPrompt)
	require.Equal(t, "5", got.AppendSystemPrompt)
	require.Equal(t, 4, got.MaxTurns)
}

func TestDisplay(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "profiles", "p.md"), "---\nlog_mode: verbose\ndiff: none\n---\n")
	f := single("")
	f[manifest] = "---\nprofile: p\ndiff: Full\nthinking: hide\nprompt_template: mine\nphases: {1: One, x: y}\n---\n"
	loaded := f.load(t, packet.Options{ConfigHome: home})
	require.Equal(t, packet.Display{
		LogMode: "verbose", LogMeta: "none", EventsMode: "compact", ToolOutput: "summary", Thinking: "hide", Diff: "full", Template: "mine",
	}, loaded.Display)
	require.Equal(t, map[int]string{1: "One"}, loaded.Phases)
	require.Len(t, loaded.Warnings, 1)
}
