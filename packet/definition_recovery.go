package packet

import (
	"math"
)

// The definitions of recovery, agent control, execution and simulation.

// maxCount bounds numbers that count something.
const maxCount = math.MaxInt32

const (
	onFailedVerifier = "trigger_on_nominal_success_with_failed_verifier"
	onFailure        = "trigger_on_provider_failure_with_workspace_changes"
	onExhaustion     = "trigger_on_retry_exhaustion_with_workspace_changes"
)

var (
	retryObject = object{keys: []key{
		{name: "max_attempts", doc: "How often a failed session is tried again; it caps every class without a limit of its own.", value: whole(0, maxCount)},
		{name: "base_delay_ms", doc: "The first wait, in milliseconds; each further one is twice as long.", value: whole(0, unboundedMS)},
		{name: "max_delay_ms", doc: "The longest wait, in milliseconds.", value: whole(0, unboundedMS)},
		{name: "jitter", doc: "Whether waits are spread.", value: looseTruth()},
		{name: "class_attempts", doc: "Retries for each class of failure.", value: mapping(whole(0, maxCount))},
	}}
	repairObject = object{keys: []key{
		{name: "enabled", doc: "Whether unmet contracts are repaired.", value: looseTruth()},
		{name: "max_attempts", doc: "How many repair sessions there may be.", value: whole(0, maxCount)},
		{name: onFailedVerifier, doc: "Repair when a session succeeds and the contract is not met.", value: looseTruth()},
		{name: onFailure, doc: "Repair when a session fails after it changed something.", value: looseTruth()},
		{name: onExhaustion, doc: "Repair when the retries are spent and something changed.", value: looseTruth()},
	}}
	recoveryObject = object{title: "Recovery", keys: []key{
		{name: "resume_attempts", doc: "How often one attempt's session is resumed.", value: whole(0, maxCount)},
		{name: "max_steers", doc: "How often a session may be steered.", value: whole(0, maxCount)},
		{name: "retry", doc: "What follows a failed session.", value: retryObject.shape()},
		{name: "repair", doc: "What follows an unmet contract.", value: repairObject.shape()},
	}}
	agentControlObject = object{title: "Agent control", keys: []key{
		{name: "enabled", doc: "Whether agents steer the run; true when the block exists.", value: truth()},
		{name: "default_action", doc: "What a session without a directive means.", value: oneOf("continue", "repeat")},
		{name: "max_iterations", doc: "Iterations of one prompt.", value: whole(1, maxCount)},
		{name: "completion_verify", doc: "The contract that must be met before the run is finished.", value: contractObject.shape()},
	}}
	executionObject = object{keys: []key{
		{name: "completion", doc: "What completes a prompt.", value: oneOf("verifier_owned", "agent_owned")},
		{name: "incomplete", doc: "What follows when it is not complete.", value: oneOf("fail", "repeat")},
	}}

	envelopeObject = func() object {
		o := object{keys: []key{
			{name: "class", doc: "The class of the failure.", value: nonBlank()},
			{name: "severity", doc: "How severe it is.", value: nonBlank()},
			{name: "phase", doc: "Where it happened.", value: anyText()},
			{name: "provider_code", doc: "The provider's own code.", value: nonBlank()},
			{name: "suggested_delay_ms", doc: "The wait that the provider suggests, in milliseconds.", value: whole(0, unboundedMS)},
			{name: "suggested_max_attempts", doc: "The attempts that the provider suggests.", value: whole(0, maxCount)},
		}}
		for _, flag := range []string{"retryable", "repairable", "resumeable", "remote_claim", "local_deterministic"} {
			o.keys = append(o.keys, key{name: flag, aliases: []string{flag + "?"}, doc: "Whether the failure is " + flag + ".", value: looseTruth()})
		}
		return o
	}()
	errorObject = object{keys: []key{
		{name: "kind", doc: "The kind of failure.", value: shape{"enum": errorKinds}},
		{name: "message", doc: "What the provider says.", value: anyText()},
		{name: "stderr", doc: "What it prints as an error.", value: anyText()},
		{name: "recovery", doc: "The failure to report instead of what the kind implies.", value: envelopeObject.shape()},
	}}
	writeObject = object{keys: []key{
		{name: "path", doc: "The file to write; " + defaultWritePath + " when absent.", value: nonBlank()},
		{name: "text", doc: "What to write.", value: anyText()},
		{name: "append", doc: "Whether the text is added at the end.", value: looseTruth()},
		{name: "repo", doc: "The repository to write in.", value: nonBlank()},
	}}
	stepObject = object{keys: []key{
		{name: "label", doc: "A name for the step.", value: anyText()},
		{name: "messages", doc: "What the agent says.", value: strictList(anyText())},
		{name: "writes", doc: "The files it writes, before it says anything.", value: strictList(writeObject.shape())},
		{name: "delay_ms", doc: "How long the step takes after its writes, in milliseconds.", value: whole(0, unboundedMS)},
		{name: "error", doc: "The failure that the step ends in.", value: errorObject.shape()},
	}}
	simulateObject = object{title: "Simulation", keys: []key{
		{name: "attempts", doc: "What the simulated agent does, a step for each attempt.", value: strictList(stepObject.shape())},
		{name: "resume", doc: "What a resumed session does: one step for all of them, or one for each.", value: anyOf(stepObject.shape(), strictList(stepObject.shape()))},
	}}
)
