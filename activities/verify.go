package activities

import (
	"context"
	"errors"
	"io/fs"

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
	task := run.TaskValue(in.Run.ID, in.Prompt, in.Seq, "verify")
	again := activity.GetInfo(ctx).Attempt > 1
	if again {
		if err := proc.EndMarked(run.TaskVariable, task); err != nil {
			return run.VerifyResult{}, err
		}
	}
	changes, err := c.changes(ctx, in, plan, prompt)
	if err != nil {
		return run.VerifyResult{}, err
	}
	scope := verifier.ScopeOf(&plan.Packet, prompt)
	scope.Env, scope.Task, scope.Resumed = c.Environ, task, again
	scope.Changed = func(ctx context.Context, repo packet.Repo) ([]string, error) {
		if recorded, ok := changes[repo.Name]; ok {
			return recorded.Paths, nil
		}
		return c.uncommitted(ctx, repo)
	}
	report, err := verifier.Evaluate(ctx, prompt.Contract, scope)
	if err != nil {
		return run.VerifyResult{}, err
	}
	name := runstore.ReportName(in.Prompt, in.Seq)
	if err := c.store.SaveReport(in.Run.ID, name, report); err != nil {
		return run.VerifyResult{}, err
	}
	result := run.VerifyResult{Report: verifier.Summarize(report, name)}
	for _, repo := range changes {
		result.Changed = result.Changed || repo.Changed
	}
	return result, nil
}

// changes is what the attempt changed, from before the contract's commands ran
// first: what they leave behind is not the session's work, and neither judged nor
// committed as such, also when a killed worker makes them run again.
func (c *contracts) changes(ctx context.Context, in run.VerifyInput, plan *runstore.Plan, prompt *packet.Prompt) (runstore.Changes, error) {
	recorded, err := c.store.Changes(in.Run.ID, in.Prompt, in.Seq)
	if !errors.Is(err, fs.ErrNotExist) {
		return recorded, err
	}
	baselines, err := c.baselines(ctx, in.Run, plan, prompt, in.Iteration)
	if err != nil {
		return nil, err
	}
	changes := runstore.Changes{}
	for _, repo := range targets(plan, prompt) {
		git, baseline := c.git(repo), baselines[repo.Name]
		diff, err := worktree.Compare(ctx, git, baseline)
		if err != nil {
			return nil, err
		}
		paths, err := worktree.Paths(ctx, git, baseline, diff)
		if err != nil {
			return nil, err
		}
		changes[repo.Name] = runstore.RepoChanges{Uncommitted: diff.Changed, Paths: paths, Changed: diff.Any(baseline)}
	}
	for _, entry := range prompt.Contract.ChangedPathsOnly {
		repo, known := plan.Packet.Repo(entry.Repo)
		if _, done := changes[repo.Name]; !known || done {
			continue
		}
		paths, err := c.uncommitted(ctx, repo)
		if err != nil {
			return nil, err
		}
		changes[repo.Name] = runstore.RepoChanges{Paths: paths}
	}
	return changes, c.store.SaveChanges(in.Run.ID, in.Prompt, in.Seq, changes)
}

// uncommitted are the paths that count as changed in a repository that is no
// target: it has no baseline.
func (c *contracts) uncommitted(ctx context.Context, repo packet.Repo) ([]string, error) {
	diff, err := worktree.Compare(ctx, c.git(repo), worktree.Baseline{})
	return diff.Changed, err
}
