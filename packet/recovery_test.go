package packet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

func defaultClasses() map[run.Class]int {
	return map[run.Class]int{
		"provider_capacity": 5, "provider_rate_limit": 5, "provider_auth_claim": 3,
		"provider_config_claim": 3, "provider_runtime_claim": 3, "transport_disconnect": 4,
		"transport_timeout": 4, "protocol_error": 4, "unknown": 3,
	}
}

func TestRecoveryDefaults(t *testing.T) {
	require.Equal(t, run.RecoveryPolicy{
		ResumeAttempts: 2,
		Retry:          run.RetryPolicy{MaxAttempts: 3, BaseDelayMS: 1000, MaxDelayMS: 30_000, Jitter: true, ClassAttempts: defaultClasses()},
		Repair: run.RepairPolicy{
			Enabled: true, MaxAttempts: 2, OnFailedVerifier: true, OnFailureWithChanges: true, OnExhaustionWithChanges: true,
		},
	}, single("phase: 1").load(t, packet.Options{}).Prompts[0].Recovery)
}

func TestRecoveryMergesKeyByKey(t *testing.T) {
	home := configHome(t, "mine", "recovery: {resume_attempts: 5, retry: {base_delay_ms: 7, class_attempts: {unknown: 9, provider_capacity: 8}}}")
	loaded := files{
		manifest:               "---\nprofile: mine\nrecovery:\n  retry: {max_delay_ms: \"70\", jitter: \"false\", class_attempts: {Provider-Capacity: 1}}\n---\n",
		"prompts/01.prompt.md": prompt("recovery: {max_steers: 1, retry: {jitter: 1}, repair: {enabled: 0, max_attempts: 4, trigger_on_nominal_success_with_failed_verifier: false}}"),
		"prompts/02.prompt.md": "",
	}.load(t, packet.Options{ConfigHome: home})

	first := loaded.Prompts[0].Recovery
	classes := defaultClasses()
	classes[run.ClassUnknown] = 9
	classes[run.ClassCapacity] = 1
	require.Equal(t, run.RecoveryPolicy{
		ResumeAttempts: 5,
		Retry:          run.RetryPolicy{MaxAttempts: 3, BaseDelayMS: 7, MaxDelayMS: 70, Jitter: true, ClassAttempts: classes},
		Repair:         run.RepairPolicy{MaxAttempts: 4, OnFailureWithChanges: true, OnExhaustionWithChanges: true},
	}, first)

	second := loaded.Prompts[1].Recovery
	require.False(t, second.Retry.Jitter)
	require.True(t, second.Repair.Enabled)
	require.Equal(t, classes, second.Retry.ClassAttempts)
}

func TestMaxAttemptsCapsTheClassesWithoutALimitOfTheAuthor(t *testing.T) {
	loaded := files{
		manifest:               "---\nrecovery: {retry: {class_attempts: {provider_capacity: 6, homemade: 2}}}\n---\n",
		"prompts/01.prompt.md": prompt("recovery: {retry: {max_attempts: 0}}"),
		"prompts/02.prompt.md": prompt("recovery: {retry: {max_attempts: 4}}"),
	}.load(t, packet.Options{})
	none := loaded.Prompts[0].Recovery.Retry
	require.Zero(t, none.MaxAttempts)
	for class, limit := range none.ClassAttempts {
		switch class {
		case run.ClassCapacity:
			require.Equal(t, 6, limit)
		case "homemade":
			require.Equal(t, 2, limit)
		default:
			require.Zero(t, limit, class)
		}
	}
	capped := loaded.Prompts[1].Recovery.Retry.ClassAttempts
	require.Equal(t, 4, capped[run.ClassRateLimit])
	require.Equal(t, 3, capped[run.ClassUnknown], "a cap never raises a limit")
}

func TestRecoveryErrors(t *testing.T) {
	const count = "; it must be a whole number from 0 to 2147483647"
	tests := []struct{ name, block, want string }{
		{"scalar", "5", `: is "5"; it must be a map`},
		{"unknown key", "{resume_attempt: 1}", `.resume_attempt: unknown key (did you mean "resume_attempts"?); known are: resume_attempts, max_steers, retry, repair`},
		{"unknown retry key", "{retry: {jiter: true}}", `.retry.jiter: unknown key (did you mean "jitter"?); known are: max_attempts, base_delay_ms, max_delay_ms, jitter, class_attempts`},
		{"negative", "{retry: {max_attempts: -1}}", `.retry.max_attempts: is "-1"` + count},
		{"not a number", "{resume_attempts: many}", `.resume_attempts: is "many"` + count},
		{"steers", "{max_steers: [1]}", ".max_steers: is a list" + count},
		{"delay", "{retry: {base_delay_ms: 1.5}}", `.retry.base_delay_ms: is "1.5"; it must be a whole number from 0 to 604800000`},
		{"class", "{retry: {class_attempts: {unknown: x}}}", `.retry.class_attempts.unknown: is "x"` + count},
		{"class twice", "{retry: {class_attempts: {a-b: 1, A_B: 2}}}", ".retry.class_attempts.A_B: the class a_b occurs twice; keep one"},
		{"boolean", "{repair: {enabled: maybe}}", `.repair.enabled: is "maybe"; it must be true or false`},
		{"repair list", "{repair: [a]}", ".repair: is a list; it must be a map"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, []string{"prompts/01_a.prompt.md:3: recovery" + test.want},
				single("phase: 1\nrecovery: "+test.block).errors(t, packet.Options{}))
			// The manifest's block counts for every prompt but is reported once.
			require.Equal(t, []string{manifest + ":2: recovery" + test.want}, files{
				manifest:               "---\nrecovery: " + test.block + "\n---\n",
				"prompts/01.prompt.md": "", "prompts/02.prompt.md": "",
			}.errors(t, packet.Options{}))
		})
	}
}
