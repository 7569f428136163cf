package packet

import "slices"

// settingKeys may stand in a profile, a manifest or a prompt. Those that no
// type holds are accepted for packets that set them and have no effect.
var settingKeys = []string{
	"provider", "model", "reasoning_effort", "permission_mode", "allowed_tools",
	"sdk_opts", "adapter_opts", "claude_opts", "codex_opts", "codex_thread_opts",
	"amp_opts", "cursor_opts", "antigravity_opts",
	"cli_confirmation", "timeout", "system_prompt", "append_system_prompt", "max_turns",
	"recovery",
}

// displayKeys may stand in a profile or a manifest.
var displayKeys = []string{
	"prompt_template", "log_mode", "log_meta", "events_mode", "tool_output", "thinking", "diff",
}

// controlKeys decide what a run does; they belong in the manifest and would be
// lost elsewhere.
var controlKeys = []string{"agent_control", "execution", "limits"}

var (
	profileKeys  = slices.Concat(settingKeys, displayKeys)
	manifestKeys = slices.Concat([]string{"name", "profile", "prompt_dir", "repos", "phases"},
		settingKeys, displayKeys, controlKeys)
	promptKeys = slices.Concat([]string{
		"id", "num", "phase", "sp", "name", "targets", "commit", "depends_on", "verify",
		"validation", "template", "simulate", "references", "required_reading", "context_files",
	}, settingKeys)
)

// warnUnknown warns about keys that nothing reads.
func warnUnknown(r *report, n node, known []string) {
	for _, field := range n.fields {
		if !slices.Contains(known, field.name) {
			r.warnf(field.value.place, "unknown key%s; it has no effect", didYouMean(field.name, known))
		}
	}
}

// noControls refuses blocks of the manifest that stand somewhere else.
func noControls(r *report, n node) {
	for _, name := range controlKeys {
		if n.has(name) {
			r.errorf(n.get(name).place, "belongs in %s; move it there", ManifestName)
		}
	}
}
