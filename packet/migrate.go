package packet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kinds of differences from the Elixir tool.
const (
	KindFrontMatterForm  = "front_matter_form"
	KindRunOrder         = "run_order"
	KindDependencyForm   = "dependency_form"
	KindPromptOverride   = "prompt_override"
	KindPathOutside      = "path_outside"
	KindStdoutOnly       = "stdout_only"
	KindRetryCap         = "retry_cap"
	KindRecoveryMerge    = "recovery_merge"
	KindIDForm           = "id_form"
	KindResumeSteps      = "resume_steps"
	KindQuotedChangePath = "quoted_change_path"
)

// MigrationReport lists what a packet does differently here than in the Elixir
// tool prompt_runner_sdk.
type MigrationReport struct {
	Packet string `json:"packet"`
	Root   string `json:"root"`
	// Findings say what differs and what to do. Errors are what is refused here.
	Findings []Finding `json:"findings"`
	// Pass says that there is none.
	Pass bool `json:"pass?"`
}

// Migrate reads the packet in directory root as far as it can be read. The error is
// of type [Errors] when there is no packet to look at.
func Migrate(root string, opts Options) (MigrationReport, error) {
	r := &report{}
	read := load(r, root, opts)
	if read.packet == nil {
		return MigrationReport{}, r.failed()
	}
	m := migration{report: r, source: read}
	m.form(read.manifestFile, filepath.Join(read.packet.Root, ManifestName))
	m.recovery()
	for _, prompt := range read.prompts {
		m.prompt(prompt)
	}
	m.order()
	result := MigrationReport{Packet: read.packet.Name, Root: read.packet.Root, Findings: []Finding{}}
	result.Findings = append(result.Findings, sorted(slices.Concat(r.errors, r.warnings))...)
	result.Pass = len(result.Findings) == 0
	return result, nil
}

type migration struct {
	*report
	source source
}

func (m migration) prompt(prompt promptSource) {
	m.form(prompt.attrs.file, prompt.File)
	m.id(prompt)
	m.dependencies(prompt)
	for _, key := range []string{"provider", "model"} {
		if n := prompt.attrs.get(key); n.given() {
			m.warnf(KindPromptOverride, n.place, "there it beats --%s of the command line, here the command line wins; nothing to do unless a script relies on it", key)
		}
	}
	if resume := prompt.attrs.get("simulate").get("resume"); resume.kind == kindList && len(resume.items) > 1 {
		m.warnf(KindResumeSteps, resume.place, "there every resume plays the first step, here the n-th resume plays the n-th; write one step for the old meaning")
	}
	m.commands(prompt)
	m.paths(prompt)
	m.attribute(prompt.attrs.file, prompt.ID)
}

// form finds front matter that the Elixir tool does not recognise, and takes for
// text that has no contract.
func (m migration) form(shown, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return // it has been reported
	}
	text := string(data)
	at := place{file: shown, line: 1}
	first, _, _ := strings.Cut(strings.TrimPrefix(text, byteOrderMark), "\n")
	switch {
	case !isMarker(first):
	case strings.HasPrefix(text, byteOrderMark):
		m.warnf(KindFrontMatterForm, at, "begins with a byte order mark: there the whole file is text and its settings are lost, here they count; remove the mark to be safe with both")
	case strings.Contains(first, "\r"):
		m.warnf(KindFrontMatterForm, at, "has Windows line ends: there the whole file is text and its settings are lost, here they count; save it with line feeds to be safe with both")
	case first != "---":
		m.warnf(KindFrontMatterForm, at, "has white space behind its marker: there the whole file is text and its settings are lost, here they count; remove it to be safe with both")
	}
}

func (m migration) id(prompt promptSource) {
	number := strings.TrimLeft(prompt.ID, "0")
	if there := padID(number); there != prompt.ID {
		m.warnf(KindIDForm, prompt.idAt, "there the id is %s, here it is what is written, %s; state of earlier runs under %s is not found", there, prompt.ID, there)
	}
}

func (m migration) dependencies(prompt promptSource) {
	n := prompt.attrs.get("depends_on")
	if n.kind == kindScalar {
		m.warnf(KindDependencyForm, n.place, "there a single value is ignored, here it counts; write a list, or remove it")
	}
	for _, item := range n.items {
		if item.kind == kindScalar && (!item.isString() || item.text != padID(item.text)) {
			m.warnf(KindDependencyForm, item.place, "there only the exact text of an id matches, so %s is unknown; here it means %q", item.describe(), padID(item.text))
		}
	}
}

// commands proposes structured entries for command lines, and names what the
// output checks see.
func (m migration) commands(prompt promptSource) {
	if len(prompt.Contract.Commands) != len(prompt.commands) {
		return
	}
	for i, command := range prompt.Contract.Commands {
		at := prompt.commands[i].place
		if command.StdoutContains != "" || command.StdoutMatches != "" {
			m.warnf(KindStdoutOnly, at, "there the checks of stdout also see what goes to stderr, and stdout_matches is ignored beside stdout_contains; here they see stdout alone and both count; add 2>&1 in a script of its own if stderr is meant")
		}
		if command.Shell == "" {
			continue
		}
		entry, err := structured(command.Shell)
		if err != nil {
			m.warnf(KindLegacyShellCommand, at, "%q needs a shell, because %v; it runs here as there, but ends after %d ms: set timeout_ms, or put it into a script", command.Shell, err, command.TimeoutMS)
			continue
		}
		m.warnf(KindLegacyShellCommand, at, "%q runs in a shell as there, but ends after %d ms; the same without a shell: %s", command.Shell, command.TimeoutMS, entry)
	}
}

// paths finds entries that lead out of what contracts may look at.
func (m migration) paths(prompt promptSource) {
	verify := prompt.attrs.get("verify")
	for _, clause := range verify.fields {
		if clause.name == "commands" || clause.name == "repos_clean" {
			continue
		}
		for _, element := range clause.value.elements() {
			quiet := contractReader{report: &report{}, repos: repoNames(m.source.packet.Repos)}
			entry, ok := quiet.entry(element, pathObject)
			if !ok {
				continue
			}
			if clause.name == "changed_paths_only" && (strings.Contains(entry.Path, " -> ") || strings.HasPrefix(entry.Path, `"`)) {
				m.warnf(KindQuotedChangePath, element.place, "is written as git's short status prints it; here both sides of a rename are names of their own, as they are on disk")
			}
			if outside := m.outside(prompt, entry); outside != "" {
				m.warnf(KindPathOutside, element.place, "leads to %s, where contracts may not look here: the item fails; name its directory in verify_roots of the manifest", outside)
			}
		}
	}
}

// outside is where an entry leads when that is in none of the packet's places.
func (m migration) outside(prompt promptSource, entry PathEntry) string {
	base := prompt.WorkDir
	if entry.Repo != "" {
		repo, known := m.source.packet.Repo(entry.Repo)
		if !known {
			return ""
		}
		base = repo.Path
	}
	path := entry.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	roots := append([]string{m.source.packet.Root}, m.source.packet.VerifyRoots...)
	for _, repo := range m.source.packet.Repos {
		roots = append(roots, repo.Path)
	}
	for _, root := range roots {
		if relative, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(relative) {
			return ""
		}
	}
	return path
}

// recovery finds settings of the manifest that mean more here.
func (m migration) recovery() {
	attrs := m.source.manifest.attrs
	recovery := attrs.get("recovery")
	if most := recovery.get("retry").get("max_attempts"); most.given() {
		m.warnf(KindRetryCap, most.place, "there it only counts for classes without a limit of their own, which all have one; here it caps every class that class_attempts does not name")
	}
	if recovery.given() && attrs.get("profile").given() {
		m.warnf(KindRecoveryMerge, recovery.place, "there the block replaces the profile's, here the two are merged key by key; write out what the profile must not decide")
	}
}

// order compares the order of a run of all prompts.
func (m migration) order() {
	packet := m.source.packet
	var here []string
	for _, prompt := range packet.Prompts {
		here = append(here, prompt.ID)
	}
	there := slices.Clone(here)
	slices.Sort(there)
	sortedHere, err := dependencyOrder(packet, here)
	if err != nil {
		return // a circle has been reported
	}
	sortedThere, err := dependencyOrder(packet, there)
	if err == nil && !slices.Equal(sortedHere, sortedThere) {
		m.warnf(KindRunOrder, place{file: m.source.manifestFile}, "there all prompts run in the order of their ids as texts, %s; here in the order of their files, %s; rename the files for another order",
			fmt.Sprint(sortedThere), fmt.Sprint(sortedHere))
	}
}
