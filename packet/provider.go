package packet

import (
	"regexp"
	"slices"
	"strings"
)

// providerNames are the canonical names, and aliases lead to them.
var (
	providerNames   = []string{"claude", "codex", "amp", "cursor", "antigravity", "opencode", "gemini", "command", "simulated"}
	providerAliases = map[string]string{
		"claude_agent":        "claude",
		"claude_agent_sdk":    "claude",
		"codex_sdk":           "codex",
		"amp_sdk":             "amp",
		"cursor_agent":        "cursor",
		"cursor_cli_sdk":      "cursor",
		"antigravity_cli_sdk": "antigravity",
		"simulation":          "simulated",
	}
)

// Providers are the canonical names of providers that packets can name.
func Providers() []string { return slices.Clone(providerNames) }

// canonicalProvider returns the provider that a name or alias means.
func canonicalProvider(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if canonical, ok := providerAliases[name]; ok {
		return canonical, true
	}
	return name, slices.Contains(providerNames, name)
}

// providerOf guesses the provider of a model when none is named anywhere.
func providerOf(model string) string {
	model = strings.ToLower(model)
	switch {
	case strings.Contains(model, "gpt"):
		return "codex"
	case strings.Contains(model, "amp"):
		return "amp"
	default:
		return "claude"
	}
}

const defaultPermissionMode = "default"

var (
	permissionModes   = []string{"default", "auto", "bypass", "plan"}
	permissionAliases = map[string]string{
		"full_auto":                    "auto",
		"accept_edits":                 "auto",
		"delegate":                     "auto",
		"dont_ask":                     "auto",
		"auto_edit":                    "auto",
		"dangerously_skip_permissions": "bypass",
		"bypass_permissions":           "bypass",
		"yolo":                         "bypass",
		"dangerously_allow_all":        "bypass",
	}
	// limitedModes are the modes of providers that lack some.
	limitedModes = map[string][]string{
		"cursor":      {"default", "bypass", "plan"},
		"antigravity": {"default", "bypass"},
	}
	humpPattern = regexp.MustCompile(`([a-z0-9])([A-Z])`)
)

// canonicalPermissionMode returns the mode that a name in any spelling means.
func canonicalPermissionMode(name string) (string, bool) {
	name = strings.ReplaceAll(strings.TrimSpace(name), "-", "_")
	name = strings.ToLower(humpPattern.ReplaceAllString(name, "${1}_${2}"))
	if canonical, ok := permissionAliases[name]; ok {
		return canonical, true
	}
	return name, slices.Contains(permissionModes, name)
}

// modesOf returns the permission modes that a provider has.
func modesOf(provider string) []string {
	if modes, ok := limitedModes[provider]; ok {
		return modes
	}
	return permissionModes
}
