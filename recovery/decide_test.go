package recovery_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

func policy() run.RecoveryPolicy {
	return run.RecoveryPolicy{
		ResumeAttempts: 2,
		Retry: run.RetryPolicy{
			MaxAttempts: 3, BaseDelayMS: 1000, MaxDelayMS: 30000,
			ClassAttempts: map[run.Class]int{run.ClassCapacity: 5, run.ClassRuntimeClaim: 1},
		},
		Repair: run.RepairPolicy{Enabled: true, MaxAttempts: 2, OnFailedVerifier: true, OnFailureWithChanges: true, OnExhaustionWithChanges: true},
	}
}

var (
	passed = run.ReportSummary{Items: 3}
	unmet  = run.ReportSummary{Items: 3, Failures: 2, Unmet: "file_exists a.txt: missing"}
	empty  = run.ReportSummary{}
	faulty = run.ReportSummary{Items: 3, Failures: 1, Faults: 1, Unmet: "command make: not found"}
)

// TestDecideMatrix crosses everything a decision depends on and states the rules
// a second time, as conditions instead of as a procedure.
func TestDecideMatrix(t *testing.T) {
	failure := func(kind string) *run.Failure {
		f := recovery.ClassifyKind(kind, "it broke")
		return &f
	}
	unrepairable := recovery.ClassifyKind("provider_runtime_claim", "")
	unrepairable.Repairable = false
	final := recovery.ClassifyKind("quota", "")
	final.Retryable = false
	results := map[string]*run.Failure{
		"success":      nil,
		"runtime":      failure("provider_runtime_claim"),
		"unrepairable": &unrepairable,
		"final":        &final,
		"terminal":     failure("approval_denied"),
		"local":        failure("local_configuration"),
	}
	reports := map[string]run.ReportSummary{"pass": passed, "unmet": unmet, "empty": empty, "fault": faulty}
	bools := []bool{false, true}

	cases := 0
	for result, f := range results {
		for verdict, report := range reports {
			for _, changed := range bools {
				for retries := range 2 {
					for repairs := range 3 {
						for mask := range 16 {
							enabled, onVerifier, onFailure, onExhaustion := mask&1 > 0, mask&2 > 0, mask&4 > 0, mask&8 > 0
							p := policy()
							p.Repair = run.RepairPolicy{Enabled: enabled, MaxAttempts: 2, OnFailedVerifier: onVerifier, OnFailureWithChanges: onFailure, OnExhaustionWithChanges: onExhaustion}
							counts := recovery.Counts{Retries: map[run.Class]int{run.ClassRuntimeClaim: retries}, Repairs: repairs}

							terminal := result == "terminal" || result == "local"
							claim := f != nil && !terminal
							mayRetry := claim && result != "final" && retries < 1
							budget := enabled && repairs < 2
							trigger := onExhaustion
							if result == "final" {
								trigger = onFailure
							}
							var want recovery.Action
							var status run.Status
							switch {
							case verdict == "fault":
								want, status = recovery.Fault, run.StatusVerifierFault
							case terminal:
								want, status = recovery.Fail, run.StatusFailed
							case verdict == "pass", f == nil && verdict == "empty":
								want, status = recovery.Complete, run.StatusCompleted
							case f == nil && budget && onVerifier:
								want, status = recovery.Repair, run.StatusRepairing
							case f == nil:
								want, status = recovery.Fail, run.StatusVerificationFailed
							case mayRetry:
								want, status = recovery.Retry, run.StatusRetryScheduled
							case changed && verdict == "unmet" && result != "unrepairable" && budget && trigger:
								want, status = recovery.Repair, run.StatusRepairing
							default:
								want, status = recovery.Fail, run.StatusFailed
							}

							where := fmt.Sprintf("%s, %s, changed %v, retries %d, repairs %d, policy %+v", result, verdict, changed, retries, repairs, p.Repair)
							got, err := recovery.Decide(recovery.Rules, recovery.Attempt{Failure: f, Report: report, Changed: changed}, p, counts, 7)
							require.NoError(t, err, where)
							require.Equal(t, want, got.Action, where)
							require.Equal(t, status, got.Status, where)
							require.Equal(t, want == recovery.Complete && f != nil, got.LateError, where)
							require.Equal(t, want == recovery.Complete && verdict == "empty", got.Unverified, where)
							require.Equal(t, want == recovery.Retry, got.Delay == time.Second, where)
							require.NotEmpty(t, got.Reason, where)
							cases++
						}
					}
				}
			}
		}
	}
	require.Equal(t, 6*4*2*2*3*16, cases)
}

func TestDecideTerminalClasses(t *testing.T) {
	for _, kind := range []string{"user_cancelled", "approval_denied", "guardrail_blocked", "cli_confirmation_missing", "cli_confirmation_mismatch", "local_configuration"} {
		for _, changed := range []bool{false, true} {
			for _, report := range []run.ReportSummary{passed, unmet, empty} {
				failure := recovery.ClassifyKind(kind, "no")
				// Flags that a script set against its class do not help it.
				failure.Retryable, failure.Repairable = true, true
				got, err := recovery.Decide(recovery.Rules, recovery.Attempt{Failure: &failure, Report: report, Changed: changed}, policy(), recovery.Counts{}, 0)
				require.NoError(t, err)
				require.Equal(t, recovery.Fail, got.Action, "%s, changed %v, %+v", kind, changed, report)
				require.Equal(t, run.StatusFailed, got.Status)
			}
		}
	}
}

func TestDecideRetryBudget(t *testing.T) {
	two := 2
	tests := []struct {
		name    string
		class   run.Class
		suggest *int
		retries map[run.Class]int
		want    recovery.Action
	}{
		{"class limit", run.ClassCapacity, nil, map[run.Class]int{run.ClassCapacity: 4}, recovery.Retry},
		{"class limit spent", run.ClassCapacity, nil, map[run.Class]int{run.ClassCapacity: 5}, recovery.Fail},
		{"default limit", "house_rule", nil, map[run.Class]int{"house_rule": 2}, recovery.Retry},
		{"default limit spent", "house_rule", nil, map[run.Class]int{"house_rule": 3}, recovery.Fail},
		{"other classes do not count", run.ClassRuntimeClaim, nil, map[run.Class]int{run.ClassCapacity: 5}, recovery.Retry},
		{"suggestion lowers", run.ClassCapacity, &two, map[run.Class]int{run.ClassCapacity: 2}, recovery.Fail},
		{"suggestion never raises", run.ClassRuntimeClaim, &two, map[run.Class]int{run.ClassRuntimeClaim: 1}, recovery.Fail},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			failure := run.Failure{Class: tt.class, Retryable: true, SuggestedMaxAttempts: tt.suggest}
			got, err := recovery.Decide(recovery.Rules, recovery.Attempt{Failure: &failure, Report: unmet}, policy(), recovery.Counts{Retries: tt.retries}, 0)
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Action)
		})
	}
}

// TestDecideExhaustionNeedsRetryableClass separates the two triggers: a class
// that is never retried cannot have spent its retries.
func TestDecideExhaustionNeedsRetryableClass(t *testing.T) {
	p := policy()
	p.Retry.ClassAttempts[run.ClassRuntimeClaim] = 0
	p.Repair.OnFailureWithChanges = false
	failure := run.Failure{Class: run.ClassRuntimeClaim, Repairable: true}
	attempt := recovery.Attempt{Failure: &failure, Report: unmet, Changed: true}

	got, err := recovery.Decide(recovery.Rules, attempt, p, recovery.Counts{}, 0)
	require.NoError(t, err)
	require.Equal(t, recovery.Fail, got.Action)

	failure.Retryable = true
	got, err = recovery.Decide(recovery.Rules, attempt, p, recovery.Counts{}, 0)
	require.NoError(t, err)
	require.Equal(t, recovery.Repair, got.Action)
}

func TestDecideReasons(t *testing.T) {
	capacity := recovery.ClassifyKind("provider_capacity", "Selected model is at capacity.\nPlease try again.")
	tests := []struct {
		name    string
		attempt recovery.Attempt
		counts  recovery.Counts
		want    string
	}{
		{
			"retry",
			recovery.Attempt{Failure: &capacity, Report: unmet},
			recovery.Counts{},
			"the session failed with provider_capacity: Selected model is at capacity. Please try again; retry 1 of 5 of this class follows after 2s",
		},
		{
			"repair",
			recovery.Attempt{Report: unmet},
			recovery.Counts{Repairs: 1},
			"the session ended normally but 2 items of the contract are unmet: file_exists a.txt: missing; repair 2 of 2 follows",
		},
		{
			"budget",
			recovery.Attempt{Report: unmet},
			recovery.Counts{Repairs: 2},
			"the session ended normally but 2 items of the contract are unmet: file_exists a.txt: missing; 2 of 2 used of the budget for repair",
		},
		{
			"late error",
			recovery.Attempt{Failure: &capacity, Report: passed},
			recovery.Counts{},
			"all 3 items of the contract pass although the session failed with provider_capacity: Selected model is at capacity. Please try again",
		},
		{
			"unverified",
			recovery.Attempt{Report: empty},
			recovery.Counts{},
			"the session ended normally and the prompt has no contract to check",
		},
		{
			"fault",
			recovery.Attempt{Report: faulty},
			recovery.Counts{},
			"the contract could not be judged, 1 check could not run: command make: not found",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := recovery.Decide(recovery.Rules, tt.attempt, policy(), tt.counts, 0)
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Reason)
		})
	}

	long := run.Failure{Class: run.Class(strings.Repeat("c", 1<<16)), Message: strings.Repeat("m", 1<<16)}
	got, err := recovery.Decide(recovery.Rules, recovery.Attempt{Failure: &long, Report: unmet}, policy(), recovery.Counts{}, 0)
	require.NoError(t, err)
	require.LessOrEqual(t, len(got.Reason), run.MaxMessage)
}

func TestDecideRefusesUnknownRules(t *testing.T) {
	for _, rules := range []int{0, recovery.Rules + 1} {
		_, err := recovery.Decide(rules, recovery.Attempt{}, policy(), recovery.Counts{}, 0)
		require.ErrorContains(t, err, fmt.Sprintf("rules version %d", rules))
	}
}
