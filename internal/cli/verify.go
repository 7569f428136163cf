package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// verifySchema names the document that verify --json prints.
const verifySchema = "prompt_runner.verify/v1"

type verifyOptions struct {
	target    target
	artifacts map[string]string
	json      bool
}

// verifyDocument is the result of verify. The JSON names are those of the Elixir
// tool.
type verifyDocument struct {
	Schema  string `json:"schema"`
	Pass    bool   `json:"pass?"`
	Prompts int    `json:"prompts"`
	// Failures counts the prompts that fail without a fault, Faults those with
	// one, Unverified those whose contract has no item.
	Failures   int               `json:"failures"`
	Faults     int               `json:"faults"`
	Unverified int               `json:"unverified"`
	Reports    []verifier.Report `json:"reports"`
}

func (a *app) verifyCommand() *cobra.Command {
	var (
		opts      verifyOptions
		packetDir string
	)
	cmd := &cobra.Command{
		Use:   "verify [PACKET] [ID...]",
		Short: "Judge the contracts of a packet as the trees are now",
		Long: `Judge the contracts of a packet as the trees are now, without any session.

The commands of a contract are run; apart from what they do, nothing is written
and no run is touched. All uncommitted changes count as changed.

Exit codes: 0 when every contract passes, 1 when one fails, 4 when a check could
not run, 2 when the packet cannot be read.`,
		Example: `  prompt-runner verify path/to/packet
  prompt-runner verify path/to/packet 03 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if opts.target, err = a.resolveTarget(packetDir, args); err == nil {
				err = a.runVerify(cmd.Context(), opts)
			}
			return a.refused(opts.json, verifySchema, err)
		},
		ValidArgsFunction: a.completePacketThenIDs(&packetDir),
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory; all arguments are prompt ids then")
	cmd.Flags().StringToStringVar(&opts.artifacts, "artifact", nil, "`ID=PATH` of an artifact that contracts refer to; can be repeated")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return cmd
}

func (a *app) runVerify(ctx context.Context, opts verifyOptions) error {
	if !opts.target.Exists {
		return usagef("no such directory: %s", opts.target.Dir)
	}
	options := a.loadOptions()
	options.Artifacts = map[string]string{}
	for id, path := range opts.artifacts {
		options.Artifacts[id] = a.abs(path)
	}
	loaded, err := a.load(opts.target.Dir, options)
	if err != nil {
		return err
	}
	prompts, err := selected(loaded, opts.target.Prompts)
	if err != nil {
		return err
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	document := verifyDocument{Schema: verifySchema, Pass: true, Prompts: len(prompts), Reports: []verifier.Report{}}
	for _, prompt := range prompts {
		scope := verifier.ScopeOf(loaded, prompt)
		scope.Env = a.env.Environ
		report, err := verifier.Evaluate(ctx, prompt.Contract, scope)
		if errors.Is(context.Cause(ctx), errInterrupted) {
			return fmt.Errorf("%w while prompt %s was judged; what its commands had put aside is back", errInterrupted, prompt.ID)
		}
		if err != nil {
			return err
		}
		document.add(report)
		if !opts.json {
			a.printVerdict(prompt, report)
		}
	}
	if opts.json {
		if err := a.printJSON(document); err != nil {
			return err
		}
	} else {
		a.say("%s", document.summary())
	}
	switch {
	case document.Faults > 0:
		return outcomeError(exitInfrastructure)
	case document.Failures > 0:
		return outcomeError(exitFailed)
	}
	return nil
}

// selected are the prompts of the given ids, in the order given, or all of them
// in file order.
func selected(loaded *packet.Packet, ids []string) ([]*packet.Prompt, error) {
	if _, err := packet.Select(loaded, ids); err != nil {
		return nil, usagef("%v", err)
	}
	if len(ids) == 0 {
		for _, prompt := range loaded.Prompts {
			ids = append(ids, prompt.ID)
		}
	}
	var prompts []*packet.Prompt
	seen := map[string]bool{}
	for _, id := range ids {
		prompt, ok := loaded.Prompt(id)
		if !ok {
			return nil, errors.New("a selected prompt is gone: " + id)
		}
		if !seen[prompt.ID] {
			seen[prompt.ID] = true
			prompts = append(prompts, prompt)
		}
	}
	return prompts, nil
}

func (d *verifyDocument) add(report verifier.Report) {
	d.Reports = append(d.Reports, report)
	d.Pass = d.Pass && report.Pass
	switch {
	case len(report.Faults) > 0:
		d.Faults++
	case !report.Pass:
		d.Failures++
	case len(report.Items) == 0:
		d.Unverified++
	}
}

func (d *verifyDocument) summary() string {
	text := fmt.Sprintf("Verified %s: %s, %s", render.Count(d.Prompts, "prompt"), render.Count(d.Failures, "failure"), render.Count(d.Faults, "fault"))
	if d.Unverified > 0 {
		text += fmt.Sprintf("; %d with nothing to verify", d.Unverified)
	}
	return text
}

// printVerdict prints a prompt's verdict, and below it what is not met.
func (a *app) printVerdict(prompt *packet.Prompt, report verifier.Report) {
	verdict := fmt.Sprintf("pass (%s)", render.Count(len(report.Items), "item"))
	switch {
	case len(report.Faults) > 0:
		verdict = fmt.Sprintf("FAULT (%d of %s could not be judged)", len(report.Faults), render.Count(len(report.Items), "item"))
	case !report.Pass:
		verdict = fmt.Sprintf("FAIL (%d of %s not met)", len(report.Failures), render.Count(len(report.Items), "item"))
	case len(report.Items) == 0:
		verdict = "nothing to verify: the contract has no item"
	}
	a.say("%s %s: %s", prompt.ID, render.OneLine(prompt.Name), verdict)
	for _, item := range report.Failures {
		details := render.Printable(item.Details)
		subject := item.Subject()
		if item.Fault != "" {
			subject += " (" + string(item.Fault) + ")"
		}
		a.say("  %s: %s", render.OneLine(subject), strings.ReplaceAll(strings.TrimSpace(details), "\n", "\n    "))
	}
}
