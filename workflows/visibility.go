package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
)

var (
	packetAttribute = temporal.NewSearchAttributeKeyKeyword(run.AttributePacket)
	runAttribute    = temporal.NewSearchAttributeKeyKeyword(run.AttributeRun)
	statusAttribute = temporal.NewSearchAttributeKeyKeyword(run.AttributeStatus)
	classAttribute  = temporal.NewSearchAttributeKeyKeyword(run.AttributeFailureClass)
	promptAttribute = temporal.NewSearchAttributeKeyKeywordList(run.AttributePrompt)

	providerAttribute = temporal.NewSearchAttributeKeyKeywordList(run.AttributeProvider)
)

// publish shows operators where the leg stands: the current details of the
// workflow page, and the search attributes where the namespace has them.
func (p *packetRun) publish(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, details(p.snapshot))
	if !p.opened.SearchAttributes || !p.changesStatus() {
		return
	}
	updates := []temporal.SearchAttributeUpdate{statusAttribute.ValueSet(string(p.snapshot.State))}
	if p.snapshot.State == run.RunOpen {
		updates = append(updates, packetAttribute.ValueSet(p.opened.Name), runAttribute.ValueSet(p.opened.Run.ID))
	}
	for _, prompt := range p.snapshot.Prompts {
		if prompt.FailureClass != "" && prompt.Status != run.StatusCompleted {
			updates = append(updates, classAttribute.ValueSet(string(prompt.FailureClass)))
			break
		}
	}
	if err := workflow.UpsertTypedSearchAttributes(ctx, updates...); err != nil {
		workflow.GetLogger(ctx).Warn("search attributes were not updated", "error", err)
	}
}

// changesStatus reports whether the status attribute is due: once when the run
// has been opened, and once at the end.
func (p *packetRun) changesStatus() bool {
	if p.snapshot.State != run.RunOpen {
		return true
	}
	for _, prompt := range p.snapshot.Prompts {
		if prompt.Status != run.StatusPending {
			return false
		}
	}
	return true
}

func (p *packetRun) promptAttributes(prompt run.PlannedPrompt) temporal.SearchAttributes {
	if !p.opened.SearchAttributes {
		return temporal.NewSearchAttributes()
	}
	return temporal.NewSearchAttributes(
		packetAttribute.ValueSet(p.opened.Name),
		runAttribute.ValueSet(p.opened.Run.ID),
		promptAttribute.ValueSet([]string{prompt.ID}),
		providerAttribute.ValueSet([]string{prompt.Provider}),
	)
}

// maxDetailRows bounds the table on the workflow page.
const maxDetailRows = 200

// details renders a snapshot as the Markdown that Temporal Web shows. Lines are
// joined, not written to a builder: writing through an interface is something
// that the determinism check cannot follow.
func details(s run.Snapshot) string {
	lines := []string{fmt.Sprintf("**%s** %s · run `%s` · leg %d", s.Name, s.State, s.Run, s.Leg), ""}
	if s.Done > 0 {
		lines = append(lines, fmt.Sprintf("%d prompt(s) were completed by earlier legs.", s.Done), "")
	}
	lines = append(lines, "| prompt | status | attempts | note |", "| --- | --- | --- | --- |")
	for i, prompt := range s.Prompts {
		if i == maxDetailRows {
			lines = append(lines, "", fmt.Sprintf("%d more prompts.", len(s.Prompts)-i))
			break
		}
		modes := make([]string, len(prompt.Modes))
		for j, mode := range prompt.Modes {
			modes[j] = string(mode)
		}
		note, _, _ := strings.Cut(prompt.Message, "\n")
		lines = append(lines, fmt.Sprintf("| %s %s | %s | %s | %s |",
			prompt.Prompt, cell(prompt.Name), prompt.Status, strings.Join(modes, ", "), cell(run.Cut(note, 200, ""))))
	}
	return strings.Join(lines, "\n") + "\n"
}

// cell keeps a text from ending its table cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
