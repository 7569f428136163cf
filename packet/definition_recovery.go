package packet

// The definitions of recovery, agent control, execution and simulation.

const (
	onFailedVerifier = "trigger_on_nominal_success_with_failed_verifier"
	onFailure        = "trigger_on_provider_failure_with_workspace_changes"
	onExhaustion     = "trigger_on_retry_exhaustion_with_workspace_changes"
)

var (
	retryObject = object{keys: []key{
		{name: "max_attempts", fallback: defaultRecovery.Retry.MaxAttempts, doc: "How often a failed session is tried again; it caps every class without a limit of its own.", value: whole(counts)},
		{name: "base_delay_ms", fallback: defaultRecovery.Retry.BaseDelayMS, doc: "The first wait, in milliseconds; each further one is twice as long.", value: whole(delays)},
		{name: "max_delay_ms", fallback: defaultRecovery.Retry.MaxDelayMS, doc: "The longest wait, in milliseconds.", value: whole(delays)},
		{name: "jitter", fallback: defaultRecovery.Retry.Jitter, doc: "Whether waits are spread.", value: looseTruth},
		{name: "class_attempts", fallback: defaultRecovery.Retry.ClassAttempts, doc: "Retries for each class of failure; max_attempts caps those that are not written.", value: mapping(optional(whole(counts)))},
	}}
	repairObject = object{keys: []key{
		{name: "enabled", fallback: defaultRecovery.Repair.Enabled, doc: "Whether unmet contracts are repaired.", value: looseTruth},
		{name: "max_attempts", fallback: defaultRecovery.Repair.MaxAttempts, doc: "How many repair sessions there may be.", value: whole(counts)},
		{name: onFailedVerifier, fallback: defaultRecovery.Repair.OnFailedVerifier, doc: "Repair when a session succeeds and the contract is not met.", value: looseTruth},
		{name: onFailure, fallback: defaultRecovery.Repair.OnFailureWithChanges, doc: "Repair when a session fails after it changed something.", value: looseTruth},
		{name: onExhaustion, fallback: defaultRecovery.Repair.OnExhaustionWithChanges, doc: "Repair when the retries are spent and something changed.", value: looseTruth},
	}}
	recoveryObject = object{title: "Recovery", keys: []key{
		{name: "resume_attempts", fallback: defaultRecovery.ResumeAttempts, doc: "How often one attempt's session is resumed.", value: whole(counts)},
		{name: "max_steers", doc: "How often a session may be steered.", value: whole(counts)},
		{name: "retry", doc: "What follows a failed session.", value: retryObject.schema},
		{name: "repair", doc: "What follows an unmet contract.", value: repairObject.schema},
	}}
	agentControlObject = object{title: "Agent control", keys: []key{
		{name: "enabled", fallback: true, doc: "Whether agents steer the run.", value: truth},
		{name: "default_action", fallback: defaultActions[0], doc: "What a session without a directive means.", value: oneOf(defaultActions...)},
		{name: "max_iterations", doc: "Iterations of one prompt.", value: whole(positives)},
		{name: "completion_verify", doc: "The contract that must be met before the run is finished.", value: contractObject.schema},
	}}
	executionObject = object{keys: []key{
		{name: "completion", fallback: completions[0], doc: "What completes a prompt.", value: oneOf(completions...)},
		{name: "incomplete", doc: "What follows when it is not complete.", value: oneOf(incompletes...)},
	}}

	envelopeObject = func() object {
		o := object{keys: []key{
			{name: "class", doc: "The class of the failure.", value: nonBlank},
			{name: "severity", doc: "How severe it is.", value: nonBlank},
			{name: "phase", doc: "Where it happened.", value: anyText},
			{name: "provider_code", doc: "The provider's own code.", value: nonBlank},
			{name: "suggested_delay_ms", doc: "The wait that the provider suggests, in milliseconds.", value: whole(delays)},
			{name: "suggested_max_attempts", doc: "The attempts that the provider suggests.", value: whole(counts)},
		}}
		for _, flag := range []string{"retryable", "repairable", "resumeable", "remote_claim", "local_deterministic"} {
			o.keys = append(o.keys, key{name: flag, aliases: []string{flag + "?"}, doc: "Whether the failure is " + flag + ".", value: looseTruth})
		}
		return o
	}()
	errorObject = object{keys: []key{
		{name: "kind", fallback: defaultErrorKind, doc: "The kind of failure.", value: oneOf(errorKinds...)},
		{name: "message", fallback: defaultErrorMessage, doc: "What the provider says.", value: anyText},
		{name: "stderr", doc: "What it prints as an error.", value: anyText},
		{name: "recovery", doc: "The failure to report instead of what the kind implies.", value: envelopeObject.schema},
	}}
	writeObject = object{keys: []key{
		{name: "path", fallback: defaultWritePath, doc: "The file to write.", value: nonBlank},
		{name: "text", doc: "What to write.", value: anyText},
		{name: "append", doc: "Whether the text is added at the end.", value: looseTruth},
		{name: "repo", doc: "The repository to write in.", value: nonBlank},
	}}
	stepObject = object{keys: []key{
		{name: "label", doc: "A name for the step.", value: anyText},
		{name: "messages", doc: "What the agent says.", value: strictList(anyText)},
		{name: "writes", doc: "The files it writes, before it says anything.", value: strictList(writeObject.schema)},
		{name: "delay_ms", doc: "How long the step takes after its writes, in milliseconds.", value: whole(delays)},
		{name: "error", doc: "The failure that the step ends in.", value: errorObject.schema},
	}}
	simulateObject = object{title: "Simulation", keys: []key{
		{name: "attempts", doc: "What the simulated agent does, a step for each attempt.", value: strictList(optional(stepObject.schema))},
		{name: "resume", doc: "What a resumed session does: one step for all of them, or one for each.", value: anyOf(stepObject.schema, strictList(optional(stepObject.schema)))},
	}}
)
