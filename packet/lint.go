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

// Lint reads the packet in directory root as far as it can be read and reports
// everything that [Load] refuses or warns about, and what is probably not meant.
// It looks at the packet's files alone. The error is of type [Errors] when there
// is no packet to look at.
func Lint(root string, opts Options, strict bool) (LintReport, error) {
	r := &report{}
	read := load(r, root, opts)
	if read.packet == nil {
		return LintReport{}, r.failed()
	}
	for _, prompt := range read.prompts {
		lintPrompt(r, prompt)
	}
	if dir := read.manifest.promptDir; len(read.prompts) > 0 && !strings.HasSuffix(read.prompts[0].File, promptSuffix) {
		r.warnf(KindMarkdownFallback, read.manifest.promptsAt, "%s holds no *%s, so each of its %d Markdown files is a prompt; rename those that are meant", dir, promptSuffix, len(read.prompts))
	}
	result := LintReport{Packet: read.packet.Name, Root: read.packet.Root, Strict: strict, Findings: []Finding{}}
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

func lintPrompt(r *report, prompt promptSource) {
	at := prompt.attrs.onLine(0)
	digits := leadingDigits(filepath.Base(prompt.File))
	switch {
	case digits == "":
		r.failf(KindFilenameWithoutPrefix, at, "the file name begins with no number, so the prompt sorts last; put its id in front: %s_%s", prompt.ID, filepath.Base(prompt.File))
	case strings.TrimLeft(digits, "0") != strings.TrimLeft(prompt.ID, "0"):
		r.failf(KindIDFilenameMismatch, prompt.idAt, "the id %q differs from the number of the file name, %q; the order goes by the file name, selection and state by the id", prompt.ID, padID(digits))
	}
	lintContract(r, prompt)
	r.attribute(prompt.attrs.file, prompt.ID)
}

// lintContract looks for contracts that prove little, and for commands that
// should be written otherwise.
func lintContract(r *report, prompt promptSource) {
	contract := prompt.Contract
	at := prompt.attrs.get("verify").place
	if at.line == 0 {
		at = prompt.attrs.onLine(0)
	}
	switch {
	case contract.Items() == 0:
		r.warnf(KindPromptWithoutVerify, at, "the contract has no item, so the prompt is complete when the provider says so")
	case !contract.checksContent():
		r.warnf(KindContractWithoutCommands, at, "no command runs and no content is looked at, so empty files would satisfy the contract; add commands, contains, matches, doc, json, yaml or source_absent")
	}
	if len(contract.Commands) != len(prompt.commands) {
		return // one of them could not be read, and is an error
	}
	for i, command := range contract.Commands {
		lintCommand(r, prompt.commands[i], command)
	}
}

// checksContent reports whether an item looks at more than what is there.
func (c Contract) checksContent() bool {
	return len(c.Commands)+len(c.Contains)+len(c.Matches)+len(c.Doc)+len(c.YAML)+len(c.JSON)+len(c.SourceAbsent) > 0 ||
		slices.ContainsFunc(c.Glob, func(entry GlobEntry) bool { return entry.NonEmpty })
}

func lintCommand(r *report, n node, command Command) {
	if command.Shell == "" {
		if !n.has("timeout_ms") {
			r.warnf(KindCommandWithoutTimeout, n.place, "%s sets no timeout_ms, so it has %d ms", quoteCommand(command), command.TimeoutMS)
		}
		return
	}
	r.warnf(KindLegacyShellCommand, n.place, "%q is a command line for a shell; write it as exec and args, so that it is run as it is written", command.Shell)
	if n.kind == kindMap && n.has("timeout_ms") || slices.ContainsFunc(segments(command.Shell), runsTimeout) {
		return
	}
	r.warnf(KindCommandWithoutTimeout, n.place, "%q sets no timeout_ms and no part of it begins with timeout, so it has %d ms", command.Shell, command.TimeoutMS)
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
