package recovery_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestClassifyKindByKind(t *testing.T) {
	// The misleading message shows that a kind that says something wins.
	const message = "permission denied: rate limit, guardrail"
	tests := map[string]run.Class{
		"user_cancelled":            run.ClassUserCancelled,
		"approval_denied":           run.ClassApprovalDenied,
		"guardrail_blocked":         run.ClassGuardrailBlocked,
		"cli_confirmation_missing":  "cli_confirmation_missing",
		"cli_confirmation_mismatch": "cli_confirmation_mismatch",
		"local_configuration":       run.ClassLocalConfiguration,
		"protocol_error":            run.ClassProtocolError,
		"transport_error":           run.ClassTransportDisconnect,
		"transport_exit":            run.ClassTransportDisconnect,
		"transport_disconnect":      run.ClassTransportDisconnect,
		"transport_timeout":         run.ClassTransportTimeout,
		"timeout":                   run.ClassTransportTimeout,
		"provider_rate_limit":       run.ClassRateLimit,
		"rate_limit":                run.ClassRateLimit,
		"provider_capacity":         run.ClassCapacity,
		"provider_auth_claim":       run.ClassAuthClaim,
		"auth_error":                run.ClassAuthClaim,
		"provider_config_claim":     run.ClassConfigClaim,
		"config_invalid":            run.ClassConfigClaim,
		"provider_runtime_claim":    run.ClassRuntimeClaim,
		"runtime_error":             run.ClassRuntimeClaim,
		"missing":                   run.ClassRuntimeClaim,
		"never_heard_of":            run.ClassRuntimeClaim,
		" Rate-Limit ":              run.ClassRateLimit,
	}
	for kind, want := range tests {
		t.Run(kind, func(t *testing.T) {
			failure := recovery.ClassifyKind(kind, message)
			require.Equal(t, want, failure.Class)
			require.Equal(t, message, failure.Message)
			require.Equal(t, "error", failure.Severity)
		})
	}
}

func TestClassifyKindByMessage(t *testing.T) {
	tests := []struct {
		message string
		want    run.Class
	}{
		{"Approval denied: rm is not allowed", run.ClassApprovalDenied},
		{"run cancelled by the user", run.ClassUserCancelled},
		{"stopped by a guardrail", run.ClassGuardrailBlocked},
		{"WebSocket protocol error", run.ClassProtocolError},
		{"Connection reset by peer", run.ClassTransportDisconnect},
		{"stream disconnected before completion", run.ClassTransportDisconnect},
		{"request timed out", run.ClassTransportTimeout},
		{"Rate limit reached for this model", run.ClassRateLimit},
		{"429 Too Many Requests", run.ClassRateLimit},
		{"Selected model is at capacity. Please try again.", run.ClassCapacity},
		{"Overloaded", run.ClassCapacity},
		{"the service is temporarily unavailable", run.ClassCapacity},
		{"Invalid API key", run.ClassAuthClaim},
		{"401 Unauthorized", run.ClassAuthClaim},
		{"unknown model gpt-0", run.ClassConfigClaim},
		{"The model opus-99 does not exist", run.ClassConfigClaim},

		// Words that merely contain, or merely mention, what upset them.
		{"the author of this file is unknown", run.ClassRuntimeClaim},
		{"busybox: applet not found", run.ClassRuntimeClaim},
		{"invalid", run.ClassRuntimeClaim},
		{"timeout", run.ClassRuntimeClaim},
		{"context canceled", run.ClassRuntimeClaim},
		{"capacity planning document written", run.ClassRuntimeClaim},
		{"", run.ClassRuntimeClaim},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			require.Equal(t, tt.want, recovery.ClassifyKind("", tt.message).Class)
			require.Equal(t, tt.want, recovery.ClassifyKind("unknown", tt.message).Class)
		})
	}
}

func TestClassifyKindFlags(t *testing.T) {
	type flags struct {
		Retryable, Repairable, Resumable, Remote, Local, Terminal bool
		Delay                                                     int64
	}
	tests := map[string]flags{
		"protocol_error":           {Retryable: true, Repairable: true, Resumable: true, Remote: true},
		"transport_disconnect":     {Retryable: true, Repairable: true, Resumable: true, Remote: true},
		"transport_timeout":        {Retryable: true, Repairable: true, Resumable: true, Remote: true},
		"provider_capacity":        {Retryable: true, Repairable: true, Remote: true, Delay: 2000},
		"provider_rate_limit":      {Retryable: true, Repairable: true, Remote: true, Delay: 2000},
		"provider_auth_claim":      {Retryable: true, Repairable: true, Remote: true},
		"provider_config_claim":    {Retryable: true, Repairable: true, Remote: true},
		"provider_runtime_claim":   {Retryable: true, Repairable: true, Remote: true},
		"user_cancelled":           {Terminal: true},
		"approval_denied":          {Terminal: true},
		"guardrail_blocked":        {Terminal: true, Remote: true},
		"cli_confirmation_missing": {Terminal: true, Local: true},
		"local_configuration":      {Terminal: true, Local: true},
	}
	for kind, want := range tests {
		t.Run(kind, func(t *testing.T) {
			f := recovery.ClassifyKind(kind, "why")
			require.Equal(t, want, flags{f.Retryable, f.Repairable, f.Resumable, f.RemoteClaim, f.LocalDeterministic, recovery.Terminal(f), f.SuggestedDelayMS})
		})
	}
}

func TestClassifyKindBoundsForeignText(t *testing.T) {
	failure := recovery.ClassifyKind(strings.Repeat("k", 1<<20), strings.Repeat("m", 1<<20))
	require.LessOrEqual(t, len(failure.Message), run.MaxMessage)
	require.LessOrEqual(t, len(failure.ProviderCode), 128)
}

func TestTerminalByFlag(t *testing.T) {
	require.True(t, recovery.Terminal(run.Failure{Class: "house_rule", LocalDeterministic: true}))
	require.False(t, recovery.Terminal(run.Failure{Class: "house_rule"}))
}

func TestResumable(t *testing.T) {
	policy := run.RecoveryPolicy{ResumeAttempts: 2}
	lost := recovery.ClassifyKind("transport_disconnect", "")
	contradictory := lost
	contradictory.LocalDeterministic = true
	capacity := recovery.ClassifyKind("provider_capacity", "")
	tests := []struct {
		name    string
		failure *run.Failure
		resumes int
		want    bool
	}{
		{"normal end", nil, 0, false},
		{"first resume", &lost, 0, true},
		{"last resume", &lost, 1, true},
		{"budget spent", &lost, 2, false},
		{"class without resume", &capacity, 0, false},
		{"terminal wins over the flag", &contradictory, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, recovery.Resumable(tt.failure, tt.resumes, policy))
		})
	}
}
