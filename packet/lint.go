package packet

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Kinds of findings that only a linter makes: the packet runs with them, but
// probably not as its author thinks.
const (
	KindFilenameWithoutPrefix   = "prompt_filename_without_prefix"
	KindIDFilenameMismatch      = "prompt_id_filename_mismatch"
	KindPromptWithoutVerify     = "prompt_without_verify"
	KindContractWithoutCommands = "contract_without_commands"
	KindLegacyShellCommand      = "legacy_shell_command"
	KindCommandWithoutTimeout   = "verify_command_without_timeout"
	KindMarkdownFallback        = "markdown_fallback"
	KindMissingTemplate         = "missing_template"
	// KindAgentOwnedCommands and KindAgentOwnedEvidence are contracts that cannot
	// stand beside completion: agent_owned.
	KindAgentOwnedCommands = "agent_owned_verify_commands"
	KindAgentOwnedEvidence = "agent_owned_structural_evidence_required"
)

// LintReport is what Lint found. The JSON names are those of the Elixir tool.
type LintReport struct {
	Packet string `json:"packet"`
	Root   string `json:"root"`
	// Strict says that every warning counts as an error.
	Strict   bool      `json:"strict?"`
	Findings []Finding `json:"findings"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	// Pass says that there is no error.
	Pass bool `json:"pass?"`
}

// finishPrompt is what findings call the contract that ends a run under agent
// control, in place of a prompt's id.
const finishPrompt = "agent-control-finish"

// Lint reads the packet in directory root as far as it can be read and reports
// everything that [Load] refuses or warns about, and what is probably not meant.
// It looks at the packet's files alone. The error is of type [Errors] when there
// is no packet to look at.
func Lint(root string, opts Options, strict bool) (LintReport, error) {
	r := &report{}
	read := load(r, root, opts)
	if read.packet == nil && !exists(filepath.Join(root, ManifestName)) {
		return LintReport{}, r.failed()
	}
	result := LintReport{Strict: strict, Findings: []Finding{}}
	if read.packet != nil {
		result.Packet, result.Root = read.packet.Name, read.packet.Root
		lintSource(r, read)
		lintTemplate(r, read.manifest.display.template, opts.Template)
	} else if canonical, err := directory(root); err == nil {
		result.Packet, result.Root = filepath.Base(canonical), canonical
	}
	for _, finding := range sorted(slices.Concat(r.errors, r.warnings)) {
		if strict {
			finding.Severity = SeverityError
		}
		if finding.Severity == SeverityError {
			result.Errors++
		} else {
			result.Warnings++
		}
		result.Findings = append(result.Findings, finding)
	}
	result.Pass = result.Errors == 0
	return result, nil
}

// linter looks at contracts of one packet.
type linter struct {
	*report
	// again reads entries once more; what is wrong with them is reported already.
	again      contractReader
	agentOwned bool
}

func lintSource(r *report, read source) {
	l := linter{
		report:     r,
		again:      contractReader{report: &report{}, repos: repoNames(read.manifest.repos)},
		agentOwned: read.manifest.attrs.get("execution").get("completion").text == "agent_owned",
	}
	for _, prompt := range read.prompts {
		l.prompt(prompt)
	}
	if dir := read.manifest.promptDir; len(read.prompts) > 0 && !strings.HasSuffix(read.prompts[0].File, promptSuffix) {
		r.warnf(KindMarkdownFallback, read.manifest.promptsAt, "%s holds no *%s, so each of its %d Markdown files is a prompt; rename those that are meant", dir, promptSuffix, len(read.prompts))
	}
	l.finish(read.manifest.agentControl)
}

func lintTemplate(r *report, template setting[string], check func(name string) error) {
	if check == nil || !template.set {
		return
	}
	if err := check(strings.TrimSpace(template.value)); err != nil {
		r.warnf(KindMissingTemplate, template.at, "prompt new cannot use it: %v", err)
	}
}

func (l linter) prompt(prompt promptSource) {
	at := prompt.attrs.onLine(0)
	digits := leadingDigits(filepath.Base(prompt.File))
	switch {
	case digits == "":
		l.failf(KindFilenameWithoutPrefix, at, "the file name begins with no number, so the prompt sorts last; put its id in front: %s_%s", prompt.ID, filepath.Base(prompt.File))
	case strings.TrimLeft(digits, "0") != strings.TrimLeft(prompt.ID, "0"):
		l.failf(KindIDFilenameMismatch, prompt.idAt, "the id %q differs from the number of the file name, %q; the order goes by the file name, selection and state by the id", prompt.ID, padID(digits))
	}
	for _, text := range []struct{ name, value string }{{"name", prompt.Name}, {"commit", prompt.Commit}} {
		if !strings.Contains(text.value, PlaceholderMark) {
			continue
		}
		written := prompt.attrs.get(text.name)
		if before, _, inBody := strings.Cut(prompt.Body, PlaceholderMark); inBody && !written.given() {
			written.line = prompt.bodyLine + strings.Count(before, "\n")
		}
		l.warnf(KindPromptPlaceholder, written.place, "the %s of the prompt is still a placeholder; write it", text.name)
	}
	verify := prompt.attrs.get("verify").place
	if verify.line == 0 {
		verify = at
	}
	l.contract(prompt.Contract, prompt.commands, prompt.contractBroken, verify)
	l.attribute(prompt.attrs.file, prompt.ID)
}

// finish looks at the contract that ends a run under agent control.
func (l linter) finish(control node) {
	verify := control.get("completion_verify")
	if !verify.given() {
		return
	}
	inner := l
	inner.report, inner.agentOwned = &report{}, false
	before := len(l.again.errors)
	contract := l.again.read(verify)
	inner.contract(contract, verify.get("commands").elements(), len(l.again.errors) > before, verify.place)
	inner.attribute(verify.file, finishPrompt)
	l.warnings = append(l.warnings, inner.warnings...)
}

// contract looks for contracts that prove little, and for commands that should be
// written otherwise. One with an entry that is an error may prove more than can be
// read of it.
func (l linter) contract(contract Contract, commands []node, broken bool, at place) {
	switch {
	case l.agentOwned:
		if len(commands) > 0 {
			l.failf(KindAgentOwnedCommands, commands[0].place, "commands cannot complete a prompt under completion: agent_owned; have the agent run them, in the prompt's text")
		}
		if !broken && !contract.showsFiles() {
			l.failf(KindAgentOwnedEvidence, at, "completion: agent_owned needs an entry that looks at files, such as files_exist or contains; repos_clean and changed_paths_only are no evidence of work")
		}
	case broken:
	case contract.Items() == 0:
		l.warnf(KindPromptWithoutVerify, at, "the contract has no item, so the prompt is complete when the provider says so")
	case !contract.checksContent():
		l.warnf(KindContractWithoutCommands, at, "no command runs and no content is looked at, so empty files would satisfy the contract; add commands, contains, matches, doc, json, yaml, source_absent or a glob with non_empty")
	}
	for _, n := range commands {
		if command, ok := l.again.command(n); ok {
			l.command(n, command)
		}
	}
}

// showsFiles reports whether an item looks at files of the work tree.
func (c Contract) showsFiles() bool {
	return c.Items() > len(c.Commands)+len(c.ChangedPathsOnly)+len(c.ReposClean)
}

// checksContent reports whether an item looks at more than what is there.
func (c Contract) checksContent() bool {
	return len(c.Commands)+len(c.Contains)+len(c.Matches)+len(c.Doc)+len(c.YAML)+len(c.JSON)+len(c.SourceAbsent) > 0 ||
		slices.ContainsFunc(c.Glob, func(entry GlobEntry) bool { return entry.NonEmpty })
}

func (l linter) command(n node, command Command) {
	if command.Shell == "" {
		if !n.has("timeout_ms") {
			l.warnf(KindCommandWithoutTimeout, n.place, "%s sets no timeout_ms, so it has %d ms", quoteCommand(command), command.TimeoutMS)
		}
		return
	}
	l.warnf(KindLegacyShellCommand, n.place, "%q is a command line for a shell; write it as exec and args, so that it is run as it is written", command.Shell)
	if n.kind == kindMap && n.has("timeout_ms") || slices.ContainsFunc(segments(command.Shell), runsTimeout) {
		return
	}
	l.warnf(KindCommandWithoutTimeout, n.place, "%q sets no timeout_ms and no part of it begins with timeout, so it has %d ms", command.Shell, command.TimeoutMS)
}

// segments are the parts of a command line between its operators.
func segments(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ';' || r == '|' || r == '&' })
}

// runsTimeout reports whether the first word is timeout(1).
func runsTimeout(segment string) bool {
	words := strings.Fields(segment)
	return len(words) > 0 && (words[0] == "timeout" || strings.HasSuffix(words[0], "/timeout"))
}

func quoteCommand(command Command) string {
	words := []string{command.Exec}
	for _, argument := range command.Args {
		if argument == "" || strings.ContainsAny(argument, " \t\n\"'\\") {
			argument = strconv.Quote(argument)
		}
		words = append(words, argument)
	}
	return fmt.Sprintf("the command `%s`", strings.Join(words, " "))
}
