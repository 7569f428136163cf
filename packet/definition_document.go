package packet

import "slices"

// The definitions of manifest, prompt and profile.

// optionMaps are free-form options that are passed to providers, weakest first.
var optionMaps = []string{
	"sdk_opts", "adapter_opts", "claude_opts", "codex_opts", "codex_thread_opts",
	"amp_opts", "cursor_opts", "antigravity_opts",
}

// settingKeys may stand in a profile, a manifest or a prompt.
var settingKeys = slices.Concat([]key{
	{name: "provider", doc: "The coding agent.", value: nonBlank()},
	{name: "model", doc: "Its model; none is sent when no file names one.", value: nonBlank()},
	{name: "reasoning_effort", doc: "How much the model reasons.", value: nonBlank()},
	{name: "permission_mode", doc: "What the agent may do unasked: default, auto, bypass or plan.", value: nonBlank()},
	{name: "allowed_tools", doc: "The tools that the agent may use.", value: list(anyText())},
	{name: "cli_confirmation", doc: "What happens when the agent's start cannot be confirmed.", value: nonBlank()},
	{name: "timeout", doc: "How long a session may take, in milliseconds, or unbounded.", value: anyOf(whole(1, 1<<53), oneOf("unbounded", "infinity", "infinite"))},
	{name: "system_prompt", doc: "Replaces the agent's system prompt.", value: anyText()},
	{name: "append_system_prompt", doc: "Is added to the agent's system prompt.", value: anyText()},
	{name: "max_turns", doc: "Turns that a session may take.", value: whole(1, maxCount)},
	{name: "recovery", doc: "Retries, resumes and repairs.", value: recoveryObject.shape()},
}, optionKeys())

func optionKeys() []key {
	var keys []key
	for _, name := range optionMaps {
		keys = append(keys, key{name: name, doc: "Options for the provider.", value: shape{"type": "object"}})
	}
	return keys
}

// displayKeys may stand in a profile or a manifest.
var displayKeys = []key{
	{name: "prompt_template", doc: "The template of new prompts.", value: nonBlank()},
	{name: "log_mode", doc: "How a run is shown: compact, verbose or studio.", value: nonBlank()},
	{name: "log_meta", doc: "Whether the log shows details of events: none or full.", value: nonBlank()},
	{name: "events_mode", doc: "Which events are shown: compact, full or off.", value: nonBlank()},
	{name: "tool_output", doc: "How much of a tool's output is shown: summary, preview or full.", value: nonBlank()},
	{name: "thinking", doc: "Whether the agent's thinking is shown: show or hide.", value: nonBlank()},
	{name: "diff", doc: "How changes are shown: none, stat or full.", value: nonBlank()},
}

// controlKeys decide what a run does; they belong in the manifest and would be
// lost elsewhere.
var controlKeys = []key{
	{name: "agent_control", doc: "Lets agents steer the run.", value: agentControlObject.shape()},
	{name: "execution", doc: "What completes a prompt.", value: executionObject.shape()},
	{name: "limits", doc: "What a run may cost.", value: shape{"type": "object"}},
}

// inertKeys are accepted in prompts and never sent to a provider.
var inertKeys = []string{"references", "required_reading", "context_files"}

var (
	repoObject = object{lenient: true, keys: []key{
		{name: "name", doc: "Its name, in the list form.", value: nonBlank()},
		{name: "path", doc: "Where it is: absolute, below ~, or relative to the packet.", value: nonBlank()},
		{name: "default", doc: "Whether prompts without targets work in it.", value: truth()},
	}}
	repoValue = anyOf(nonBlank(), repoObject.ruled(required([]string{"path"})).shape())
	repoItem  = repoObject.ruled(required([]string{"name"}, []string{"path"})).shape()

	profileObject = object{title: "Prompt Runner profile", lenient: true, keys: slices.Concat(settingKeys, displayKeys)}

	manifestObject = object{title: "Prompt Runner packet", lenient: true, keys: slices.Concat([]key{
		{name: "name", doc: "What the packet is called; its directory's name when absent.", value: nonBlank()},
		{name: "profile", doc: "The profile that supplies defaults.", value: nonBlank()},
		{name: "prompt_dir", doc: "The directory of the prompts; prompts when absent.", value: nonBlank()},
		{name: "repos", doc: "The repositories that prompts work on.", value: anyOf(mapping(repoValue), strictList(repoItem))},
		{name: "verify_roots", doc: "Further directories that contracts may look into.", value: list(nonBlank())},
		{name: "phases", doc: "Names of the phases, by number.", value: mapping(anyText())},
	}, settingKeys, displayKeys, controlKeys)}

	promptObject = object{title: "Prompt Runner prompt", lenient: true, keys: slices.Concat([]key{
		{name: "id", aliases: []string{"num"}, doc: "Digits that name the prompt; those of the file name when absent.", value: nonBlank()},
		{name: "phase", doc: "The number of its phase.", value: whole(0, maxCount)},
		{name: "sp", doc: "Story points.", value: whole(0, maxCount)},
		{name: "name", doc: "What the prompt is called; its first heading when absent.", value: nonBlank()},
		{name: "targets", doc: "The repositories it works on and commits to.", value: list(nonBlank())},
		{name: "commit", doc: "The commit message; derived from the Mission when absent.", value: shape{"type": "string", "pattern": `\S`}},
		{name: "depends_on", doc: "The ids of prompts that must be complete before.", value: list(nonBlank())},
		{name: "verify", doc: "The contract that decides when the prompt is complete.", value: contractObject.shape()},
		{name: "validation", doc: "An older place for the commands of the contract.", value: list(commandValue)},
		{name: "template", doc: "The template that the prompt was made from.", value: shape{}},
		{name: "simulate", doc: "What the simulated agent does.", value: simulateObject.shape()},
		{name: "references", doc: "Never sent to the provider.", value: shape{}},
		{name: "required_reading", doc: "Never sent to the provider.", value: shape{}},
		{name: "context_files", doc: "Never sent to the provider.", value: shape{}},
	}, settingKeys)}
)
