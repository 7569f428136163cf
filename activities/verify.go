package activities

import (
	"context"

	"go.temporal.io/sdk/activity"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/worktree"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// contracts judges contracts.
type contracts struct{ host }

// verify evaluates a prompt's contract, stores the report and returns its
// summary.
func (c *contracts) verify(ctx context.Context, in run.VerifyInput) (run.VerifyResult, error) {
	plan, prompt, err := c.plan(in.Run, in.Prompt)
	if err != nil {
		return run.VerifyResult{}, err
	}
	baselines, err := c.baselines(ctx, in.Run, plan, prompt, in.Iteration)
	if err != nil {
		return run.VerifyResult{}, err
	}
	task := run.TaskValue(in.Run.ID, in.Prompt, in.Seq, "verify")
	if activity.GetInfo(ctx).Attempt > 1 {
		if err := proc.EndMarked(run.TaskVariable, task); err != nil {
			return run.VerifyResult{}, err
		}
	}
	// Before the contract's commands run: what they leave behind is not the
	// session's work, and neither judged nor committed as such.
	diffs := map[string]worktree.Diff{}
	changes := runstore.Changes{}
	for _, repo := range targets(plan, prompt) {
		diff, err := worktree.Compare(ctx, c.git(repo), baselines[repo.Name])
		if err != nil {
			return run.VerifyResult{}, err
		}
		diffs[repo.Name], changes[repo.Name] = diff, diff.Changed
	}
	if err := c.store.SaveChanges(in.Run.ID, in.Prompt, in.Seq, changes); err != nil {
		return run.VerifyResult{}, err
	}
	report, err := verifier.Evaluate(ctx, prompt.Contract, verifier.Scope{
		Prompt:  prompt.ID,
		Root:    plan.Packet.Root,
		WorkDir: prompt.WorkDir,
		Repos:   plan.Packet.Repos,
		Env:     c.Environ,
		Task:    task,
		Changed: func(ctx context.Context, repo packet.Repo) ([]string, error) {
			if diff, target := diffs[repo.Name]; target {
				return worktree.Paths(ctx, c.git(repo), baselines[repo.Name], diff)
			}
			// No target, so no baseline: all uncommitted changes count.
			diff, err := worktree.Compare(ctx, c.git(repo), worktree.Baseline{})
			return diff.Changed, err
		},
	})
	if err != nil {
		return run.VerifyResult{}, err
	}
	name := runstore.ReportName(in.Prompt, in.Seq)
	if err := c.store.SaveReport(in.Run.ID, name, report); err != nil {
		return run.VerifyResult{}, err
	}
	result := run.VerifyResult{Report: verifier.Summarize(report, name)}
	for name, baseline := range baselines {
		result.Changed = result.Changed || diffs[name].Any(baseline)
	}
	return result, nil
}
