package packet

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// Explanation says what a packet's settings come to and where they come from.
type Explanation struct {
	Packet struct {
		Name         string `json:"name"`
		Root         string `json:"root"`
		ManifestPath string `json:"manifest_path"`
		PromptPath   string `json:"prompt_path"`
		Profile      string `json:"profile,omitempty"`
	} `json:"packet"`
	Repos []Repo `json:"repos"`
	// PhaseNames are the names of phases by number.
	PhaseNames map[string]string `json:"phase_names"`
	// Options are the settings that prompts start from, nested as in the manifest.
	Options map[string]any `json:"options"`
	// Settings say where the options come from.
	Settings []Effective `json:"settings"`
	// Prompts are in file order.
	Prompts []PromptExplanation `json:"prompts"`
}

// PromptExplanation is the settings of one prompt.
type PromptExplanation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	File string `json:"file"`
	// Settings are all of the prompt's, in the order of the packet's.
	Settings []Effective `json:"settings"`
}

// Effective is a value that counts, and the place that set it.
type Effective struct {
	// Key is the dotted key, such as "recovery.retry.max_attempts".
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source Source `json:"source"`
	// File and Line are empty for defaults.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Explain reads the packet in directory root like [Load].
func Explain(root string, opts Options) (Explanation, error) {
	r := &report{}
	read := load(r, root, opts)
	if err := r.failed(); err != nil {
		return Explanation{}, err
	}
	explanation := Explanation{
		Repos: read.packet.Repos, PhaseNames: map[string]string{}, Options: map[string]any{}, Prompts: []PromptExplanation{},
	}
	explanation.Packet.Name, explanation.Packet.Root = read.packet.Name, read.packet.Root
	explanation.Packet.ManifestPath = filepath.Join(read.packet.Root, ManifestName)
	explanation.Packet.PromptPath = read.manifest.promptDir
	explanation.Packet.Profile = read.packet.Profile
	for number, name := range read.packet.Phases {
		explanation.PhaseNames[strconv.Itoa(number)] = name
	}
	base := overridesLayer(r, opts.Overrides, root).over(read.manifest.settings)
	explanation.Settings = slices.Concat(base.explain(), read.manifest.display.explain())
	for _, setting := range explanation.Settings {
		nest(explanation.Options, strings.Split(setting.Key, "."), setting.Value)
	}
	for _, prompt := range read.prompts {
		explanation.Prompts = append(explanation.Prompts, PromptExplanation{
			ID: prompt.ID, Name: prompt.Name, File: prompt.File,
			Settings: slices.Concat(prompt.explain(), prompt.effective.explain()),
		})
	}
	return explanation, nil
}

// nest sets the value of a key in maps of maps.
func nest(options map[string]any, key []string, value any) {
	for _, step := range key[:len(key)-1] {
		below, ok := options[step].(map[string]any)
		if !ok {
			below = map[string]any{}
			options[step] = below
		}
		options = below
	}
	options[key[len(key)-1]] = value
}

// explained is a setting as it counts, with the default where nothing set it.
func explained[T any](key string, s setting[T], value any) Effective {
	if !s.set {
		return Effective{Key: key, Value: value, Source: SourceDefault}
	}
	return Effective{Key: key, Value: value, Source: s.at.source, File: s.at.file, Line: s.at.line}
}

// explain lists what the prompt says of itself.
func (p promptSource) explain() []Effective {
	from := func(key string, value any) Effective {
		n := p.attrs.get(key)
		if !n.given() {
			return Effective{Key: key, Value: value, Source: SourceDefault}
		}
		return Effective{Key: key, Value: value, Source: n.source, File: n.file, Line: n.line}
	}
	return []Effective{
		from("phase", p.Phase), from("targets", p.Targets), from("depends_on", p.DependsOn), from("commit", p.Commit),
	}
}

// explain lists every setting of a session.
func (l layer) explain() []Effective {
	s := l.settings(&report{}) // its findings were made when the packet was read
	effective := []Effective{
		explained("provider", l.provider, s.Provider),
		explained("model", l.model, s.Model),
		explained("reasoning_effort", l.reasoningEffort, s.ReasoningEffort),
		explained("permission_mode", l.permissionMode, s.PermissionMode),
		explained("allowed_tools", l.allowedTools, s.AllowedTools),
		explained("timeout", l.timeoutMS, s.TimeoutMS),
		explained("cli_confirmation", l.confirmation, s.Confirmation),
		explained("system_prompt", l.systemPrompt, s.SystemPrompt),
		explained("append_system_prompt", l.appendPrompt, s.AppendSystemPrompt),
		explained("max_turns", l.maxTurns, unlimited(s.MaxTurns)),
	}
	for _, name := range slices.Sorted(maps.Keys(l.options)) {
		effective = append(effective, explained(name, l.options[name], l.options[name].value))
	}
	return append(effective, l.recovery.explain()...)
}

// unlimited is a limit, or null where there is none.
func unlimited(limit int) any {
	if limit == 0 {
		return nil
	}
	return limit
}

func (l recoveryLayer) explain() []Effective {
	p := l.policy()
	effective := []Effective{
		explained("recovery.resume_attempts", l.resumeAttempts, p.ResumeAttempts),
		explained("recovery.retry.max_attempts", l.maxRetries, p.Retry.MaxAttempts),
		explained("recovery.retry.base_delay_ms", l.baseDelayMS, p.Retry.BaseDelayMS),
		explained("recovery.retry.max_delay_ms", l.maxDelayMS, p.Retry.MaxDelayMS),
		explained("recovery.retry.jitter", l.jitter, p.Retry.Jitter),
	}
	for _, class := range slices.SortedFunc(maps.Keys(p.Retry.ClassAttempts), func(a, b run.Class) int { return cmp.Compare(a, b) }) {
		at := l.classes[class]
		if !at.set && l.maxRetries.set {
			at = l.maxRetries
		}
		effective = append(effective, explained("recovery.retry.class_attempts."+string(class), at, p.Retry.ClassAttempts[class]))
	}
	return append(effective,
		explained("recovery.repair.enabled", l.repair, p.Repair.Enabled),
		explained("recovery.repair.max_attempts", l.maxRepairs, p.Repair.MaxAttempts),
		explained("recovery.repair."+onFailedVerifier, l.onFailedVerifier, p.Repair.OnFailedVerifier),
		explained("recovery.repair."+onFailure, l.onFailureWithChanges, p.Repair.OnFailureWithChanges),
		explained("recovery.repair."+onExhaustion, l.onExhaustionWithChanges, p.Repair.OnExhaustionWithChanges),
	)
}

func (d displayLayer) explain() []Effective {
	complete := d.complete()
	return []Effective{
		explained("log_mode", d.logMode, complete.LogMode),
		explained("log_meta", d.logMeta, complete.LogMeta),
		explained("events_mode", d.eventsMode, complete.EventsMode),
		explained("tool_output", d.toolOutput, complete.ToolOutput),
		explained("thinking", d.thinking, complete.Thinking),
		explained("diff", d.diff, complete.Diff),
		explained("prompt_template", d.template, complete.Template),
	}
}
