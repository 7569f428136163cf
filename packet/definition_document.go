package packet

import (
	"maps"
	"slices"
)

// The definitions of manifest, prompt and profile.

// optionMaps are free-form options that are passed to providers, weakest first.
var optionMaps = []string{
	"sdk_opts", "adapter_opts", "claude_opts", "codex_opts", "codex_thread_opts",
	"amp_opts", "cursor_opts", "antigravity_opts",
}

// settingKeys may stand in a profile, a manifest or a prompt.
var settingKeys = slices.Concat([]key{
	{name: "provider", doc: "The coding agent; guessed from the model when absent.", value: spelled(providerNames, slices.Concat(providerNames, slices.Sorted(maps.Keys(providerAliases))), "_")},
	{name: "model", doc: "Its model; none is sent when no file names one.", value: nonBlank},
	{name: "reasoning_effort", doc: "How much the model reasons.", value: nonBlank},
	{name: "permission_mode", fallback: defaultPermissionMode, doc: "What the agent may do unasked.", value: spelled(permissionModes, slices.Concat(permissionModes, slices.Sorted(maps.Keys(permissionAliases))), "[-_]?")},
	{name: "allowed_tools", doc: "The tools that the agent may use.", value: list(anyText)},
	{name: "cli_confirmation", fallback: Confirmations[0], doc: "What happens when the agent's start cannot be confirmed.", value: choice(Confirmations)},
	{name: "timeout", fallback: unboundedWords[0], doc: "How long a session may take, in milliseconds, at most seven days.", value: anyOf(whole(sessionTimeouts), spelled(unboundedWords, unboundedWords, "_"))},
	{name: "system_prompt", doc: "Replaces the agent's system prompt.", value: anyText},
	{name: "append_system_prompt", doc: "Is added to the agent's system prompt.", value: anyText},
	{name: "max_turns", doc: "Turns that a session may take.", value: whole(positives)},
	{name: "recovery", doc: "Retries, resumes and repairs.", value: recoveryObject.schema},
}, optionKeys())

func optionKeys() []key {
	var keys []key
	for _, name := range optionMaps {
		keys = append(keys, key{name: name, doc: "Options for the provider.", value: anyMap})
	}
	return keys
}

// displayKeys may stand in a profile or a manifest.
var displayKeys = []key{
	{name: "prompt_template", fallback: DefaultTemplate, doc: "The template of new prompts.", value: nonBlank},
	{name: "log_mode", fallback: LogModes[0], doc: "How a run is shown.", value: choice(LogModes)},
	{name: "log_meta", fallback: LogMetas[0], doc: "Whether the log shows details of events.", value: choice(LogMetas)},
	{name: "events_mode", fallback: EventsModes[0], doc: "Which events are shown.", value: choice(EventsModes)},
	{name: "tool_output", fallback: ToolOutputs[0], doc: "How much of a tool's output is shown.", value: choice(ToolOutputs)},
	{name: "thinking", fallback: Thinkings[0], doc: "Whether the agent's thinking is shown.", value: choice(Thinkings)},
	{name: "diff", fallback: defaultDiff, doc: "How changes are shown.", value: choice(Diffs)},
}

// controlKeys decide what a run does; they belong in the manifest and would be
// lost elsewhere.
var controlKeys = []key{
	{name: "agent_control", doc: "Lets agents steer the run.", value: agentControlObject.schema},
	{name: "execution", doc: "What completes a prompt.", value: executionObject.schema},
	{name: "limits", doc: "What a run may cost.", value: anyMap},
}

func repoName() schema {
	return schema{"type": []string{"string", "number", "boolean"}, "pattern": repoNamePattern}
}

var (
	repoKeys = []key{
		{name: "path", required: true, doc: "Where it is: absolute, below ~, or relative to the packet.", value: nonBlank},
		{name: "default", fallback: false, doc: "Whether prompts without targets work in it.", value: truth},
	}
	repoObject = object{lenient: true, keys: repoKeys}.with(key{name: "name", doc: "Its name, which its key says already.", value: nonBlank})
	// listedRepo is a repository in the list form.
	listedRepo = object{lenient: true, keys: repoKeys}.with(key{name: "name", required: true, doc: "Its name.", value: repoName})

	reposByName = named(repoNamePattern, anyOf(nonBlank, repoObject.schema))

	// configObject is the user's config.md.
	configObject = object{lenient: true, keys: []key{
		{name: "default_profile", fallback: fallbackProfile, doc: "The profile of packets that name none.", value: nonBlank},
	}}

	profileObject = object{title: "Prompt Runner profile", lenient: true, keys: slices.Concat(settingKeys, displayKeys)}

	manifestObject = object{title: "Prompt Runner packet", lenient: true, keys: slices.Concat([]key{
		{name: "name", doc: "What the packet is called; its directory's name when absent.", value: nonBlank},
		{name: "profile", doc: "The profile that supplies defaults.", value: nonBlank},
		{name: "prompt_dir", fallback: defaultPromptDir, doc: "The directory of the prompts.", value: nonBlank},
		{name: "repos", doc: "The repositories that prompts work on.", value: anyOf(reposByName, strictList(listedRepo.schema))},
		{name: "verify_roots", doc: "Further directories that contracts may look into.", value: list(nonBlank)},
		{name: "phases", doc: "Names of the phases, by number.", value: mapping(optional(anyText))},
	}, settingKeys, displayKeys, controlKeys)}

	promptObject = object{title: "Prompt Runner prompt", lenient: true, keys: slices.Concat([]key{
		{name: "id", aliases: []string{"num"}, doc: "Digits that name the prompt; those of the file name when absent.", value: idText},
		{name: "phase", fallback: 1, doc: "The number of its phase.", value: whole(counts)},
		{name: "sp", fallback: 1, doc: "Story points.", value: whole(counts)},
		{name: "name", doc: "What the prompt is called; its first heading when absent.", value: nonBlank},
		{name: "targets", doc: "The repositories it works on and commits to.", value: list(nonBlank)},
		{name: "commit", doc: "The commit message; derived from the Mission when absent.", value: commandLine},
		{name: "depends_on", doc: "The ids of prompts that must be complete before.", value: list(idText)},
		{name: "verify", doc: "The contract that decides when the prompt is complete.", value: contractObject.schema},
		{name: "validation", doc: "An older place for the commands of the contract.", value: list(commandValue)},
		{name: "template", doc: "The template that the prompt was made from; a note.", value: anyText},
		{name: "simulate", doc: "What the simulated agent does.", value: simulateObject.schema},
		{name: "references", inert: true, doc: "Never sent to the provider; name the files in the text.", value: anyValue},
		{name: "required_reading", inert: true, doc: "Never sent to the provider; name the files in the text.", value: anyValue},
		{name: "context_files", inert: true, doc: "Never sent to the provider; name the files in the text.", value: anyValue},
	}, settingKeys)}
)
