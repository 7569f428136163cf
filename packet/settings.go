package packet

import (
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// unboundedMS is what an unbounded timeout means, and the longest there is:
// seven days, in milliseconds.
const unboundedMS = 7 * 24 * 60 * 60 * 1000

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
	l.recovery = readRecovery(r, attrs.get("recovery"))
	return l
}

func readWord(r *report, n node) setting[string] {
	value, ok := r.word(n)
	return setting[string]{value: value, at: n.place, set: ok}
}

// readName reads a word that must be one of the known ones.
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
	if n.kind == kindScalar {
		switch strings.ToLower(strings.TrimSpace(n.text)) {
		case "unbounded", "infinity", "infinite":
			return setting[int64]{value: unboundedMS, at: n.place, set: true}
		}
	}
	const most = 1<<63 - 1
	value, ok := r.whole(n, 1, most)
	return setting[int64]{value: min(value, unboundedMS), at: n.place, set: ok}
}

// overridesLayer is the command line as the strongest layer. Its findings are
// placed at the packet.
func overridesLayer(r *report, overrides run.Overrides, shown string) layer {
	flag := func(name, value string) node {
		n := node{place: place{file: shown}.key(name)}
		if value != "" {
			n.kind, n.text, n.quoted = kindScalar, value, true
		}
		return n
	}
	return layer{
		provider: readName(r, flag("--provider", overrides.Provider), "provider", canonicalProvider, providerNames),
		model:    readWord(r, flag("--model", overrides.Model)),
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
	}
	if !l.model.set {
		s.Model = defaultModel
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
