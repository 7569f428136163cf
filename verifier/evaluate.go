package verifier

import (
	"context"
	"fmt"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Evaluate judges every item of the contract, whatever the others say. It
// returns an error only when ctx ended.
func Evaluate(ctx context.Context, c packet.Contract, s Scope) (Report, error) {
	report := newReport(s.Prompt)
	for _, entry := range c.FilesExist {
		report.add(s.fileExists(entry))
	}
	for _, entry := range c.FilesAbsent {
		report.add(s.fileAbsent(entry))
	}
	for _, entry := range c.Contains {
		report.add(s.contains(entry))
	}
	for _, entry := range c.Matches {
		report.add(s.matches(entry))
	}
	for _, entry := range c.Doc {
		report.add(s.doc(entry))
	}
	for _, entry := range c.YAML {
		report.add(s.yaml(entry))
	}
	for _, entry := range c.JSON {
		report.add(s.json(entry))
	}
	for _, entry := range c.Glob {
		report.add(s.glob(ctx, entry))
	}
	for _, entry := range c.SourceAbsent {
		report.add(s.sourceAbsent(ctx, entry))
	}
	for _, command := range c.Commands {
		if ctx.Err() != nil {
			break
		}
		report.add(s.command(ctx, command))
	}
	for _, item := range s.changedPathsOnly(ctx, c.ChangedPathsOnly) {
		report.add(item)
	}
	for _, entry := range c.ReposClean {
		report.add(s.repoClean(ctx, entry))
	}
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("verify prompt %s: %w", s.Prompt, err)
	}
	report.Pass = len(report.Failures) == 0
	return report, nil
}
