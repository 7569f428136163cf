package packet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

func TestSimulate(t *testing.T) {
	three := 3
	got := files{manifest: twoRepos, "prompts/01.prompt.md": prompt(`
simulate:
  attempts:
    - label: first
      messages: [hello, 42, true]
      delay_ms: 5
      writes:
        - {path: a/b.txt, text: "x", append: "true", repo: docs}
        - {}
      error: {kind: transport_disconnect, message: gone, stderr: boom}
    - error:
        recovery:
          class: Local-Thing
          local_deterministic: true
          retryable?: "1"
          suggested_delay_ms: "20"
          suggested_max_attempts: 3
    -
    - error: {kind: approval_denied, recovery: {}}
  resume:
    writes: [{path: resumed.txt, text: "resumed ok"}]
`)}.load(t, packet.Options{}).Prompts[0].Simulate
	require.Equal(t, simulation.Script{
		Attempts: []simulation.Step{
			{
				Label: "first", Messages: []string{"hello", "42", "true"}, DelayMS: 5,
				Writes: []simulation.Write{{Path: "a/b.txt", Text: "x", Append: true, Repo: "docs"}, {Path: "simulated.out"}},
				Error:  &simulation.Error{Kind: "transport_disconnect", Message: "gone", Stderr: "boom"},
			},
			{Error: &simulation.Error{
				Kind: "provider_runtime_claim", Message: "simulated failure",
				Recovery: &run.Failure{
					Class: "local_thing", LocalDeterministic: true, Retryable: true, Severity: "error",
					ProviderCode: "provider_runtime_claim", SuggestedDelayMS: 20, SuggestedMaxAttempts: &three,
					Message: "simulated failure",
				},
			}},
			{},
			{Error: &simulation.Error{Kind: "approval_denied", Message: "simulated failure"}},
		},
		Resume: []simulation.Step{{Writes: []simulation.Write{{Path: "resumed.txt", Text: "resumed ok"}}}},
	}, got)
}

func TestSimulateResumeList(t *testing.T) {
	got := single("simulate: {attempts: , resume: [{label: a}, {label: b}]}").load(t, packet.Options{}).Prompts[0].Simulate
	require.Equal(t, simulation.Script{Resume: []simulation.Step{{Label: "a"}, {Label: "b"}}, ResumeEach: true}, got)
}

func TestSimulateErrors(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"list", "[a]", ": is a list; it must be a map"},
		{"key", "{attempt: []}", `.attempt: unknown key (did you mean "attempts"?); known are: attempts, resume`},
		{"attempts map", "{attempts: {label: a}}", ".attempts: is a map; it must be a list"},
		{"step", "{attempts: [a]}", `.attempts[0]: is "a"; it must be a map`},
		{"step key", "{attempts: [{write: []}]}", `.attempts[0].write: unknown key (did you mean "writes"?); known are: label, messages, writes, delay_ms, error`},
		{"messages", "{attempts: [{messages: hi}]}", `.attempts[0].messages: is "hi"; it must be a list`},
		{"writes", "{attempts: [{writes: {path: a}}]}", ".attempts[0].writes: is a map; it must be a list"},
		{"write", "{attempts: [{writes: [a]}]}", `.attempts[0].writes[0]: is "a"; a write is a map with path and text`},
		{"write key", "{attempts: [{writes: [{file: a}]}]}", ".attempts[0].writes[0].file: unknown key; known are: path, text, append, repo"},
		{"write repo", "{attempts: [{writes: [{repo: nix}]}]}", `.attempts[0].writes[0].repo: unknown repository "nix"; known are: default, packet`},
		{"write path", "{attempts: [{writes: [{path: a/../../b}]}]}", `.attempts[0].writes[0].path: "a/../../b" leads out of the directory it starts in; name the repository with repo`},
		{"append", "{attempts: [{writes: [{append: perhaps}]}]}", `.attempts[0].writes[0].append: is "perhaps"; it must be true or false`},
		{"delay", "{attempts: [{delay_ms: -1}]}", `.attempts[0].delay_ms: is "-1"; it must be a whole number from 0 to 604800000`},
		{"error", "{attempts: [{error: boom}]}", `.attempts[0].error: is "boom"; it must be a map`},
		{"error key", "{attempts: [{error: {knd: a}}]}", `.attempts[0].error.knd: unknown key (did you mean "kind"?); known are: kind, message, stderr, recovery`},
		{"kind", "{resume: {error: {kind: rate_limits}}}", `.resume.error.kind: unknown error kind "rate_limits" (did you mean "rate_limit"?); known are: provider_capacity, provider_rate_limit, rate_limit, provider_auth_claim, auth_error, provider_config_claim, config_invalid, provider_runtime_claim, runtime_error, protocol_error, transport_disconnect, transport_error, transport_exit, transport_timeout, user_cancelled, approval_denied, guardrail_blocked`},
		{"flag", "{resume: [{error: {recovery: {retryable: soon}}}]}", `.resume[0].error.recovery.retryable: is "soon"; it must be true or false`},
		{"flag twice", "{resume: [{error: {recovery: {retryable: true, 'retryable?': false}}}]}", ".resume[0].error.recovery.retryable?: means the same as retryable, which is there too; keep one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, []string{"prompts/01_a.prompt.md:3: simulate" + test.want},
				single("phase: 1\nsimulate: "+test.block).errors(t, packet.Options{}))
		})
	}
	got := single("simulate: {resume: {error: {recovery: {resumable: true}}}}").errors(t, packet.Options{})
	require.Len(t, got, 1)
	require.Contains(t, got[0], `:2: simulate.resume.error.recovery.resumable: unknown key (did you mean "resumeable"?)`)
}
