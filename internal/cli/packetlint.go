package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

type lintOptions struct {
	dir    string
	strict bool
	json   bool
}

func (a *app) packetLintCommand() *cobra.Command {
	var opts lintOptions
	cmd := &cobra.Command{
		Use:   "lint [PACKET]",
		Short: "Find what is wrong with a packet, or probably not meant",
		Long: `Find what is wrong with a packet, or probably not meant.

Only the packet's own files are looked at. Errors are what a run would refuse;
warnings are what it would do although it is probably not meant. Exit code 1 when
an error is found, with --strict also for a warning.`,
		Example: `  prompt-runner packet lint path/to/packet
  prompt-runner packet lint path/to/packet --strict --json`,
	}
	cmd.Flags().BoolVar(&opts.strict, "strict", false, "count every warning as an error")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return a.onPacket(cmd, &opts.dir, &opts.json, func(context.Context) error { return a.runLint(opts) })
}

func (a *app) runLint(opts lintOptions) error {
	options := a.loadOptions()
	options.Template = func(name string) error {
		_, err := scaffold.FindTemplate(name, a.places(opts.dir))
		return err
	}
	report, err := packet.Lint(opts.dir, options, opts.strict)
	if err != nil {
		return err
	}
	if opts.json {
		err = a.printJSON(report)
	} else {
		a.printLint(report)
	}
	if err == nil && !report.Pass {
		return outcomeError(exitFailed)
	}
	return err
}

func (a *app) printLint(report packet.LintReport) {
	a.say("Packet lint: %s", render.OneLine(report.Packet))
	a.say("%s", report.Root)
	a.say("")
	if len(report.Findings) == 0 {
		a.say("  nothing found")
	}
	style := a.style()
	for _, finding := range report.Findings {
		a.printFinding(style, report.Root, finding)
	}
	a.say("")
	a.say("%s, %s", render.Count(report.Errors, "error"), render.Count(report.Warnings, "warning"))
}

// printFinding prints a finding in two lines; files below root without it.
func (a *app) printFinding(style render.Style, root string, finding packet.Finding) {
	where := below(root, finding.File)
	if finding.Line > 0 {
		where += fmt.Sprintf(":%d", finding.Line)
	}
	a.say("  %s %s  %s", style.Severity(string(finding.Severity)), where, finding.Kind)
	message := finding.Message
	if finding.Key != "" {
		message = finding.Key + ": " + message
	}
	a.say("          %s", render.OneLine(message))
}
