package run

// Search attributes of a run. PacketRun and PromptRun set
// them when the namespace has them. The first four are of type Keyword, the
// last two of type KeywordList.
const (
	AttributePacket       = "PromptRunnerPacket"
	AttributeRun          = "PromptRunnerRun"
	AttributeStatus       = "PromptRunnerStatus"
	AttributeFailureClass = "PromptRunnerFailureClass"
	AttributePrompt       = "PromptRunnerPrompt"
	AttributeProvider     = "PromptRunnerProvider"
)

// KeywordAttributes and KeywordListAttributes list them by type, for whoever
// creates or checks them.
var (
	KeywordAttributes     = []string{AttributePacket, AttributeRun, AttributeStatus, AttributeFailureClass}
	KeywordListAttributes = []string{AttributePrompt, AttributeProvider}
)
