package packet

import "strings"

// The words of the display keys, the default first.
var (
	LogModes    = []string{"compact", "verbose", "studio"}
	LogMetas    = []string{"none", "full"}
	EventsModes = []string{"compact", "full", "off"}
	ToolOutputs = []string{"summary", "preview", "full"}
	Thinkings   = []string{"show", "hide"}
	Diffs       = []string{"none", "stat", "full"}
	// Confirmations are the words of cli_confirmation, the default first.
	Confirmations = []string{"warn", "off", "require"}
)

// defaultDiff is what is shown of changes unless a file or flag says otherwise.
const defaultDiff = "stat"

// displayLayer is what a profile or a manifest says about the display.
type displayLayer struct {
	logMode, logMeta, eventsMode, toolOutput, thinking, diff, template setting[string]
}

func readDisplay(r *report, attrs node) displayLayer {
	return displayLayer{
		logMode:    readChoice(r, attrs.get("log_mode"), LogModes),
		logMeta:    readChoice(r, attrs.get("log_meta"), LogMetas),
		eventsMode: readChoice(r, attrs.get("events_mode"), EventsModes),
		toolOutput: readChoice(r, attrs.get("tool_output"), ToolOutputs),
		thinking:   readChoice(r, attrs.get("thinking"), Thinkings),
		diff:       readChoice(r, attrs.get("diff"), Diffs),
		template:   readWord(r, attrs.get("prompt_template")),
	}
}

// over lays stronger words over weaker ones.
func (d displayLayer) over(weaker displayLayer) displayLayer {
	return displayLayer{
		logMode:    d.logMode.or(weaker.logMode),
		logMeta:    d.logMeta.or(weaker.logMeta),
		eventsMode: d.eventsMode.or(weaker.eventsMode),
		toolOutput: d.toolOutput.or(weaker.toolOutput),
		thinking:   d.thinking.or(weaker.thinking),
		diff:       d.diff.or(weaker.diff),
		template:   d.template.or(weaker.template),
	}
}

// complete fills in the defaults.
func (d displayLayer) complete() Display {
	return Display{
		LogMode:    valueOr(d.logMode, LogModes[0]),
		LogMeta:    valueOr(d.logMeta, LogMetas[0]),
		EventsMode: valueOr(d.eventsMode, EventsModes[0]),
		ToolOutput: valueOr(d.toolOutput, ToolOutputs[0]),
		Thinking:   valueOr(d.thinking, Thinkings[0]),
		Diff:       valueOr(d.diff, defaultDiff),
		Template:   strings.TrimSpace(valueOr(d.template, DefaultTemplate)),
	}
}

// DefaultTemplate is the template of new prompts when nothing names another.
const DefaultTemplate = "default"
