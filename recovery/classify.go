package recovery

import (
	"regexp"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// Failure classes that only live providers report.
const (
	classConfirmationMissing  run.Class = "cli_confirmation_missing"
	classConfirmationMismatch run.Class = "cli_confirmation_mismatch"
)

// suggestedDelayMS is what a provider without room is given before the first
// retry when it names no time itself.
const suggestedDelayMS = 2000

// kinds maps provider error kinds to classes. Kinds that it lacks are runtime
// claims: the provider says that it failed, and nothing more is known.
var kinds = map[string]run.Class{
	"user_cancelled":    run.ClassUserCancelled,
	"cancelled":         run.ClassUserCancelled,
	"canceled":          run.ClassUserCancelled,
	"approval_denied":   run.ClassApprovalDenied,
	"guardrail_blocked": run.ClassGuardrailBlocked,

	"cli_confirmation_missing":  classConfirmationMissing,
	"cli_confirmation_mismatch": classConfirmationMismatch,
	"local_configuration":       run.ClassLocalConfiguration,

	"protocol_error":       run.ClassProtocolError,
	"transport_error":      run.ClassTransportDisconnect,
	"transport_exit":       run.ClassTransportDisconnect,
	"transport_disconnect": run.ClassTransportDisconnect,
	"transport_timeout":    run.ClassTransportTimeout,
	"timeout":              run.ClassTransportTimeout,

	"provider_rate_limit":   run.ClassRateLimit,
	"rate_limit":            run.ClassRateLimit,
	"provider_capacity":     run.ClassCapacity,
	"provider_auth_claim":   run.ClassAuthClaim,
	"auth_error":            run.ClassAuthClaim,
	"authentication_failed": run.ClassAuthClaim,
	"provider_config_claim": run.ClassConfigClaim,
	"config_invalid":        run.ClassConfigClaim,
}

// messages classify an error whose kind says nothing, first match wins. They
// match whole words in phrases that mean one thing: "author" is no
// authentication problem, and "invalid" alone says nothing.
var messages = []struct {
	class   run.Class
	pattern *regexp.Regexp
}{
	{run.ClassUserCancelled, regexp.MustCompile(`\bcancell?ed by (the )?user\b|\buser (has )?cancell?ed\b`)},
	{run.ClassApprovalDenied, regexp.MustCompile(`\bapproval (was )?(denied|required)\b`)},
	{run.ClassGuardrailBlocked, regexp.MustCompile(`\bguardrails?\b|\bpolicy blocked\b|\bblocked by (a |the )?policy\b`)},
	{run.ClassProtocolError, regexp.MustCompile(`\bprotocol error\b|\bwithout (a )?closing handshake\b`)},
	{run.ClassTransportDisconnect, regexp.MustCompile(`\bconnection (was )?(reset|closed|lost)\b|\bdisconnected\b|\bbroken pipe\b`)},
	{run.ClassTransportTimeout, regexp.MustCompile(`\b(connection|request|response|stream|transport|gateway|read) (has )?(timeout|timed out)\b`)},
	{run.ClassRateLimit, regexp.MustCompile(`\brate[ _-]limit(s|ed|ing)?\b|\btoo many requests\b`)},
	{run.ClassCapacity, regexp.MustCompile(`\b(at|over|out of|no|insufficient) capacity\b|\btemporarily unavailable\b|\btry again later\b|\boverloaded\b|\b(server|service|model|provider) is (too )?busy\b`)},
	{run.ClassAuthClaim, regexp.MustCompile(`\bapi[ _-]key\b|\bunauthori[sz]ed\b|\bforbidden\b|\bauthentication\b|\bnot authenticated\b|\bauth (error|failed|failure)\b|\bpermission denied\b`)},
	{run.ClassConfigClaim, regexp.MustCompile(`\bbad request\b|\bunknown model\b|\b(invalid|unsupported) (model|request|config|configuration|option|parameter|argument|value)\b|\bmodel\b.*\b(does not exist|(is )?not available)\b`)},
}

// ClassifyKind says what a provider error is from its kind, and from its message
// only when the kind is empty or "unknown". Case, and "-" for "_", do not matter
// in a kind. An unknown kind is a retryable runtime claim.
func ClassifyKind(kind, message string) run.Failure {
	normal := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(kind)), "-", "_")
	class, known := kinds[normal]
	switch {
	case known:
	case normal == "" || normal == "unknown":
		class = classifyMessage(message)
	default:
		class = run.ClassRuntimeClaim
	}
	failure := flags(class)
	failure.ProviderCode = run.Cut(normal, 128, "")
	failure.Message = run.Cut(message, run.MaxMessage, "")
	return failure
}

func classifyMessage(message string) run.Class {
	text := strings.ToLower(message)
	for _, rule := range messages {
		if rule.pattern.MatchString(text) {
			return rule.class
		}
	}
	return run.ClassRuntimeClaim
}

// flags returns the failure that a class stands for.
func flags(class run.Class) run.Failure {
	failure := run.Failure{Class: class, Severity: "error"}
	switch class {
	case run.ClassUserCancelled, run.ClassApprovalDenied:
	case run.ClassGuardrailBlocked:
		failure.RemoteClaim = true
	case classConfirmationMissing, classConfirmationMismatch, run.ClassLocalConfiguration:
		failure.LocalDeterministic = true
	case run.ClassProtocolError, run.ClassTransportDisconnect, run.ClassTransportTimeout:
		failure.Retryable, failure.Repairable, failure.Resumable, failure.RemoteClaim = true, true, true, true
	case run.ClassCapacity, run.ClassRateLimit:
		failure.Retryable, failure.Repairable, failure.RemoteClaim = true, true, true
		failure.SuggestedDelayMS = suggestedDelayMS
	default:
		failure.Retryable, failure.Repairable, failure.RemoteClaim = true, true, true
	}
	return failure
}

// Terminal reports whether a failure ends the prompt whatever its contract says:
// somebody or some rule refused, or the cause lies on this machine and would be
// the same next time. Such a failure is never resumed, retried or repaired.
func Terminal(f run.Failure) bool {
	switch f.Class {
	case run.ClassUserCancelled, run.ClassApprovalDenied, run.ClassGuardrailBlocked,
		classConfirmationMissing, classConfirmationMismatch, run.ClassLocalConfiguration:
		return true
	}
	return f.LocalDeterministic
}
