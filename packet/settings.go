package packet

import (
	"maps"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// unboundedMS is what an unbounded timeout means, and the longest there is:
// seven days, in milliseconds.
const unboundedMS = 7 * 24 * 60 * 60 * 1000

// unboundedWords mean a session timeout of unboundedMS.
var unboundedWords = []string{"unbounded", "infinity", "infinite"}

// setting is a value with the place that set it; the zero value is unset.
type setting[T any] struct {
	value T
	at    place
	set   bool
}

// or returns the setting, or weaker when it is unset.
func (s setting[T]) or(weaker setting[T]) setting[T] {
	if s.set {
		return s
	}
	return weaker
}

// layer is what one of profile, packet and prompt says about sessions.
type layer struct {
	provider        setting[string]
	model           setting[string]
	reasoningEffort setting[string]
	permissionMode  setting[string]
	allowedTools    setting[[]string]
	timeoutMS       setting[int64]
	confirmation    setting[string]
	systemPrompt    setting[string]
	appendPrompt    setting[string]
	maxTurns        setting[int64]
	options         map[string]setting[map[string]any]
	recovery        recoveryLayer
}

// over lays stronger settings over weaker ones.
func (l layer) over(weaker layer) layer {
	return layer{
		provider:        l.provider.or(weaker.provider),
		model:           l.model.or(weaker.model),
		reasoningEffort: l.reasoningEffort.or(weaker.reasoningEffort),
		permissionMode:  l.permissionMode.or(weaker.permissionMode),
		allowedTools:    l.allowedTools.or(weaker.allowedTools),
		timeoutMS:       l.timeoutMS.or(weaker.timeoutMS),
		confirmation:    l.confirmation.or(weaker.confirmation),
		systemPrompt:    l.systemPrompt.or(weaker.systemPrompt),
		appendPrompt:    l.appendPrompt.or(weaker.appendPrompt),
		maxTurns:        l.maxTurns.or(weaker.maxTurns),
		options:         optionsOver(l.options, weaker.options),
		recovery:        l.recovery.over(weaker.recovery),
	}
}

// readLayer reads the settings among the attributes of a document.
func readLayer(r *report, attrs node) layer {
	var l layer
	l.provider = readName(r, attrs.get("provider"), "provider", canonicalProvider, providerNames)
	l.model = readWord(r, attrs.get("model"))
	l.reasoningEffort = readWord(r, attrs.get("reasoning_effort"))
	l.permissionMode = readName(r, attrs.get("permission_mode"), "permission mode", canonicalPermissionMode, permissionModes)
	if tools := attrs.get("allowed_tools"); tools.given() {
		l.allowedTools = setting[[]string]{value: r.texts(tools), at: tools.place, set: true}
	}
	l.timeoutMS = readTimeout(r, attrs.get("timeout"))
	l.confirmation = readChoice(r, attrs.get("cli_confirmation"), Confirmations)
	l.systemPrompt = readText(r, attrs.get("system_prompt"))
	l.appendPrompt = readText(r, attrs.get("append_system_prompt"))
	l.maxTurns = readWhole(r, attrs.get("max_turns"), positives)
	l.options = readOptions(r, attrs)
	l.recovery = readRecovery(r, attrs.get("recovery"))
	return l
}

func readWord(r *report, n node) setting[string] {
	value, ok := r.word(n)
	return setting[string]{value: value, at: n.place, set: ok}
}

func readText(r *report, n node) setting[string] {
	value, ok := r.text(n)
	return setting[string]{value: value, at: n.place, set: ok}
}

// readChoice reads a word, whatever its case. One that is not known has no
// effect, as in the Elixir tool, and a warning says so.
func readChoice(r *report, n node, known []string) setting[string] {
	written, ok := r.word(n)
	value := strings.ToLower(strings.TrimSpace(written))
	if ok && !slices.Contains(known, value) {
		r.warnf(KindNoEffect, n.place, "is %q, which has no effect%s; known are: %s", written, didYouMean(value, known), strings.Join(known, ", "))
		ok = false
	}
	return setting[string]{value: value, at: n.place, set: ok}
}

func readOptions(r *report, attrs node) map[string]setting[map[string]any] {
	var options map[string]setting[map[string]any]
	for _, name := range optionMaps {
		n := attrs.get(name)
		if !r.block(n) {
			continue
		}
		if options == nil {
			options = map[string]setting[map[string]any]{}
		}
		options[name] = setting[map[string]any]{value: n.typed().(map[string]any), at: n.place, set: true}
	}
	return options
}

// optionsOver lays option maps over weaker ones, key by key at every depth.
func optionsOver(stronger, weaker map[string]setting[map[string]any]) map[string]setting[map[string]any] {
	if len(stronger) == 0 {
		return weaker
	}
	merged := maps.Clone(weaker)
	if merged == nil {
		merged = map[string]setting[map[string]any]{}
	}
	for name, options := range stronger {
		options.value = mergeMaps(options.value, merged[name].value)
		merged[name] = options
	}
	return merged
}

func mergeMaps(stronger, weaker map[string]any) map[string]any {
	merged := maps.Clone(weaker)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, value := range stronger {
		inner, isMap := value.(map[string]any)
		below, wasMap := merged[key].(map[string]any)
		if isMap && wasMap {
			value = mergeMaps(inner, below)
		}
		merged[key] = value
	}
	return merged
}

// oneWord reads a word that must be one of the known ones, exactly; absent is "".
func oneWord[T ~string](r *report, n node, known []T) T {
	written, ok := r.word(n)
	if !ok {
		return ""
	}
	if !slices.Contains(known, T(written)) {
		words := make([]string, len(known))
		for i, word := range known {
			words[i] = string(word)
		}
		r.errorf(n.place, "is %s%s; it must be %s", n.describe(), didYouMean(written, words), strings.Join(words, " or "))
		return ""
	}
	return T(written)
}

// readName reads a word that must be one of the known ones, in any spelling.
func readName(r *report, n node, what string, canonical func(string) (string, bool), known []string) setting[string] {
	written, ok := r.word(n)
	if !ok {
		return setting[string]{}
	}
	value, ok := canonical(written)
	if !ok {
		r.errorf(n.place, "unknown %s %q%s; known are: %s", what, written, didYouMean(value, known), strings.Join(known, ", "))
		return setting[string]{}
	}
	return setting[string]{value: value, at: n.place, set: true}
}

// readTimeout reads a session timeout; longer ones than seven days are cut to
// that.
func readTimeout(r *report, n node) setting[int64] {
	if n.kind == kindScalar && slices.Contains(unboundedWords, strings.ToLower(strings.TrimSpace(n.text))) {
		return setting[int64]{value: unboundedMS, at: n.place, set: true}
	}
	value, ok := r.whole(n, sessionTimeouts)
	return setting[int64]{value: min(value, unboundedMS), at: n.place, set: ok}
}

// overridesLayer is the command line as the strongest layer. Its findings are
// placed at the packet.
func overridesLayer(r *report, overrides run.Overrides, shown string) layer {
	return givenLayer(r, overrides, place{file: shown, source: SourceCommandLine}, "--provider", "--model")
}

// defaultsLayer is what the environment says, the weakest layer.
func defaultsLayer(r *report, defaults run.Overrides) layer {
	return givenLayer(r, defaults, place{file: "environment", source: SourceEnvironment}, ProviderVariable, ModelVariable)
}

func givenLayer(r *report, given run.Overrides, at place, provider, model string) layer {
	value := func(name, text string) node {
		n := node{place: at.key(name)}
		if text != "" {
			n.kind, n.text, n.quoted = kindScalar, text, true
		}
		return n
	}
	return layer{
		provider: readName(r, value(provider, given.Provider), "provider", canonicalProvider, providerNames),
		model:    readWord(r, value(model, given.Model)),
	}
}

// settings fills in the defaults.
func (l layer) settings(r *report) Settings {
	s := Settings{
		Provider:        l.provider.value,
		Model:           l.model.value,
		ReasoningEffort: l.reasoningEffort.value,
		PermissionMode:  l.permissionMode.value,
		AllowedTools:    l.allowedTools.value,
		TimeoutMS:       l.timeoutMS.value,

		Confirmation:       valueOr(l.confirmation, Confirmations[0]),
		SystemPrompt:       l.systemPrompt.value,
		AppendSystemPrompt: l.appendPrompt.value,
		MaxTurns:           int(l.maxTurns.value),
	}
	for name, options := range l.options {
		if s.Options == nil {
			s.Options = map[string]map[string]any{}
		}
		s.Options[name] = options.value
	}
	if !l.provider.set {
		s.Provider = providerOf(s.Model)
	}
	if !l.permissionMode.set {
		s.PermissionMode = defaultPermissionMode
	} else if modes := modesOf(s.Provider); !slices.Contains(modes, s.PermissionMode) {
		r.errorf(l.permissionMode.at, "the provider %s has no permission mode %q; it has: %s", s.Provider, s.PermissionMode, strings.Join(modes, ", "))
	}
	if !l.timeoutMS.set {
		s.TimeoutMS = unboundedMS
	}
	return s
}
