package packet_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestFingerprint(t *testing.T) {
	const control = "---\nagent_control: {enabled: false}\n---\n"
	base := func() files {
		return files{manifest: control, "prompts/01.prompt.md": prompt("phase: 1\nverify: {files_exist: [a]}"), "prompts/02.prompt.md": ""}
	}
	want := base().load(t, packet.Options{}).Fingerprint

	same := map[string]files{
		"another place": {},
		"comments":      {"prompts/01.prompt.md": prompt("# note\nphase: 1\nverify:\n  files_exist:\n    - a")},
		"key order":     {"prompts/01.prompt.md": prompt("verify: {files_exist: [a]}\nphase: 1")},
		"packet model":  {manifest: "---\nmodel: opus\nagent_control: {enabled: false}\n---\n"},
	}
	for name, change := range same {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, want, overlay(base(), change).load(t, packet.Options{}).Fingerprint)
		})
	}
	require.Equal(t, want, base().load(t, packet.Options{Overrides: run.Overrides{Provider: "simulated", Model: "m"}}).Fingerprint)

	different := map[string]files{
		"body":          {"prompts/02.prompt.md": "x"},
		"contract":      {"prompts/01.prompt.md": prompt("phase: 1\nverify: {files_exist: [b]}")},
		"phase":         {"prompts/01.prompt.md": prompt("phase: 2\nverify: {files_exist: [a]}")},
		"prompt model":  {"prompts/01.prompt.md": prompt("model: opus\nphase: 1\nverify: {files_exist: [a]}")},
		"another one":   {"prompts/03.prompt.md": ""},
		"agent control": {manifest: "---\nagent_control: {enabled: false, max_iterations: 3}\n---\n"},
		"default repo":  {manifest: "---\nrepos: {app: .}\nagent_control: {enabled: false}\n---\n"},
	}
	for name, change := range different {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, want, overlay(base(), change).load(t, packet.Options{}).Fingerprint)
		})
	}
}

func overlay(base, change files) files {
	maps.Copy(base, change)
	return base
}
