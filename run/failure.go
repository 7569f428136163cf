package run

import "strings"

// Failure types of a leg: the type strings of the application errors that
// PacketRun and PromptRun fail with. Branch on them, never on Go types, which
// do not cross Temporal.
const (
	FailurePrompt        = "PromptFailed"
	FailureFault         = "VerifierFault"
	FailurePacketInvalid = "PacketInvalid"
	FailurePacketChanged = "PacketChanged"
	FailurePreflight     = "PreflightFailed"
	FailureRunLocked     = "RunLocked"
	FailureHost          = "HostUnavailable"
)

// Class is the failure class of a provider session.
// Packets may introduce further names in simulate scripts.
type Class string

// The classes that the runner itself assigns.
const (
	ClassOK                  Class = "ok"
	ClassProtocolError       Class = "protocol_error"
	ClassTransportDisconnect Class = "transport_disconnect"
	ClassTransportTimeout    Class = "transport_timeout"
	ClassCapacity            Class = "provider_capacity"
	ClassRateLimit           Class = "provider_rate_limit"
	ClassAuthClaim           Class = "provider_auth_claim"
	ClassConfigClaim         Class = "provider_config_claim"
	ClassRuntimeClaim        Class = "provider_runtime_claim"
	ClassApprovalDenied      Class = "approval_denied"
	ClassGuardrailBlocked    Class = "guardrail_blocked"
	ClassUserCancelled       Class = "user_cancelled"
	// ClassLocalConfiguration is bad configuration found on this machine, such
	// as a write outside the packet's repositories.
	ClassLocalConfiguration Class = "local_configuration"
	ClassUnknown            Class = "unknown"
)

// Failure describes why a provider session ended badly. The JSON names keep the
// question marks of the Elixir tool's state file.
type Failure struct {
	Class                Class  `json:"class"`
	Retryable            bool   `json:"retryable?"`
	Repairable           bool   `json:"repairable?"`
	Resumable            bool   `json:"resumeable?"`
	LocalDeterministic   bool   `json:"local_deterministic?"`
	RemoteClaim          bool   `json:"remote_claim?"`
	Severity             string `json:"severity"`
	Phase                string `json:"phase,omitempty"`
	ProviderCode         string `json:"provider_code,omitempty"`
	SuggestedDelayMS     int64  `json:"suggested_delay_ms,omitempty"`
	SuggestedMaxAttempts *int   `json:"suggested_max_attempts,omitempty"`
	// Message is bounded by MaxMessage.
	Message string `json:"message"`
}

// Limits of what enters Temporal's history, in bytes.
const (
	MaxMessage    = 2 << 10
	MaxReportItem = 4 << 10
	MaxReport     = 64 << 10
	MaxPayload    = 256 << 10
)

// Cut shortens text to at most limit bytes. A shortened text ends with a mark
// that names where the whole text is, when the caller knows a place.
func Cut(text string, limit int, whole string) string {
	if len(text) <= limit {
		return text
	}
	mark := " [truncated]"
	if whole != "" {
		mark = " [truncated; all of it is in " + whole + "]"
	}
	if len(mark) >= limit {
		mark = mark[:0]
	}
	return strings.ToValidUTF8(text[:limit-len(mark)], "") + mark
}
