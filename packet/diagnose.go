package packet

import "strings"

// Kinds of authoring warnings, as the Elixir tool calls them.
const (
	KindNoPrompts            = "no_prompts"
	KindNoDefaultRepo        = "no_default_repo"
	KindMultipleDefaultRepos = "multiple_default_repos"
	KindPromptNoTargets      = "prompt_no_targets"
	KindPromptEmptyVerify    = "prompt_empty_verify"
	KindPromptPlaceholder    = "prompt_placeholder_body"
)

// PlaceholderMark stands in a prompt's text where something is to be written.
const PlaceholderMark = "prompt_runner:placeholder"

// Diagnosis is how far the writing of a packet has come.
type Diagnosis struct {
	// Packet has no prompts while there are none.
	Packet *Packet
	// PromptDir is the directory of the prompts, PromptFiles their paths in file
	// order.
	PromptDir   string
	PromptFiles []string
	// Warnings are what is still to be written or decided: of the packet first,
	// then of its prompts in file order.
	Warnings []Finding
}

// Diagnose reads the packet in directory root like [Load], but one without any
// prompts is a packet that is still to be written.
func Diagnose(root string, opts Options) (Diagnosis, error) {
	r := &report{}
	read := load(r, root, opts)
	unwritten := len(r.errors) == 1 && r.errors[0].Kind == KindNoPrompts
	if err := r.failed(); err != nil && !unwritten {
		return Diagnosis{}, err
	}
	found := &report{}
	d := Diagnosis{Packet: read.packet, PromptDir: read.manifest.promptDir, PromptFiles: []string{}}
	manifest := place{file: read.manifestFile}
	if len(read.prompts) == 0 {
		found.warnf(KindNoPrompts, manifest, "there is no prompt yet in %s", read.manifest.promptDir)
	}
	repos := read.manifest.attrs.get("repos")
	switch defaults := countDefaults(repos); {
	case len(repos.fields)+len(repos.items) > 1 && defaults == 0:
		found.warnf(KindNoDefaultRepo, repos.place, "none of the repositories is the default, so prompts without targets work in the first by name, %s", read.packet.Repos[0].Name)
	case defaults > 1:
		found.warnf(KindMultipleDefaultRepos, repos.place, "%d repositories are the default; the first by name counts", defaults)
	}
	for _, prompt := range read.prompts {
		d.PromptFiles = append(d.PromptFiles, prompt.File)
		at := prompt.attrs.onLine(0)
		if len(prompt.attrs.get("targets").elements()) == 0 {
			found.warnf(KindPromptNoTargets, at, "names no targets, so it works in %s", strings.Join(prompt.Targets, ", "))
		}
		if prompt.Contract.Items() == 0 {
			found.warnf(KindPromptEmptyVerify, at, "has no contract yet; add entries to verify")
		}
		if before, _, placeholder := strings.Cut(prompt.Body, PlaceholderMark); placeholder {
			line := prompt.bodyLine + strings.Count(before, "\n")
			found.warnf(KindPromptPlaceholder, at.onLine(line), "still has placeholders where its text is to be written")
		}
		found.attribute(prompt.attrs.file, prompt.ID)
	}
	d.Warnings = found.warnings
	if d.Warnings == nil {
		d.Warnings = []Finding{}
	}
	return d, nil
}

// countDefaults counts the repositories that say they are the default.
func countDefaults(repos node) int {
	entries := repos.items
	for _, field := range repos.fields {
		entries = append(entries, field.value)
	}
	count := 0
	for _, entry := range entries {
		if isDefault, _ := entry.get("default").boolean(); isDefault {
			count++
		}
	}
	return count
}
