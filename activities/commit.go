package activities

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"go.temporal.io/sdk/activity"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/worktree"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// commits commits the work of completed prompts.
type commits struct{ host }

// commit commits what the sessions of a prompt changed, in every target
// repository. Executed again after its worker died, it finds the commits that
// were made by their trailers and makes the missing ones. What a person has to
// mend (a hook that refuses, a missing identity) is part of the result.
func (c *commits) commit(ctx context.Context, in run.CommitInput) (run.CommitResult, error) {
	plan, prompt, err := c.plan(in.Run, in.Prompt)
	if err != nil {
		return run.CommitResult{}, err
	}
	if reason, skipped := skips[plan.Commit]; skipped {
		var result run.CommitResult
		for _, repo := range targets(plan, prompt) {
			result.Repos = append(result.Repos, run.RepoCommit{Repo: repo.Name, Status: run.CommitStatusSkip, Reason: reason})
		}
		return result, nil
	}
	baselines, err := c.baselines(ctx, in.Run, plan, prompt, in.Iteration)
	if err != nil {
		return run.CommitResult{}, err
	}
	task := run.TaskValue(in.Run.ID, in.Prompt, in.Seq, "commit")
	environ := append(append([]string(nil), c.Environ...), run.TaskVariable+"="+task)

	changes, err := c.store.Changes(in.Run.ID, in.Prompt, in.Seq)
	if err != nil {
		return run.CommitResult{}, fmt.Errorf("what attempt %d of prompt %s changed: %w", in.Seq, in.Prompt, err)
	}

	jobs := make([]*commitJob, 0, len(prompt.Targets))
	for _, repo := range targets(plan, prompt) {
		jobs = append(jobs, &commitJob{
			in:       in,
			target:   repo,
			dirs:     plan.GitDirs[repo.Name],
			git:      gitcmd.Repo{Dir: repo.Path, Env: environ},
			baseline: baselines[repo.Name],
			changed:  changes[repo.Name].Uncommitted,
			message:  prompt.Commit,
		})
	}
	planned, err := c.planCommit(in)
	if err != nil {
		return run.CommitResult{}, err
	}
	if planned != nil || activity.GetInfo(ctx).Attempt > 1 {
		if err := proc.EndMarked(run.TaskVariable, task); err != nil {
			return run.CommitResult{}, err
		}
	}
	return c.commitAll(ctx, in, jobs, planned)
}

// skips says how the ledger spells the commit modes that make no commit.
var skips = map[run.CommitMode]string{run.CommitNone: run.SkipNoCommit, run.CommitNoop: run.SkipNoop}

// planCommit returns the commit plan that an earlier execution left for this
// attempt, or nil.
func (c *commits) planCommit(in run.CommitInput) (*runstore.Entry, error) {
	entries, err := c.store.Ledger(in.Run.ID).Read()
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.Type == runstore.EntryCommitPlan && entry.Prompt == in.Prompt && entry.Seq == in.Seq {
			return &entry, nil
		}
	}
	return nil, nil
}

// commitAll looks at every repository first, writes the commit plan, and only
// then commits, so that after a crash the plan names what was still to do.
func (c *commits) commitAll(ctx context.Context, in run.CommitInput, jobs []*commitJob, planned *runstore.Entry) (run.CommitResult, error) {
	for _, common := range commonDirs(jobs) {
		lock, err := c.lockRepository(ctx, common)
		if err != nil {
			return run.CommitResult{}, err
		}
		defer func() { _ = lock.Close() }()
	}
	for _, job := range jobs {
		if planned != nil {
			if err := job.removeOwnLocks(planned.At); err != nil {
				return run.CommitResult{}, err
			}
		}
		if err := job.look(ctx); err != nil {
			return run.CommitResult{}, err
		}
	}
	if planned == nil {
		if err := c.writePlan(in, jobs); err != nil {
			return run.CommitResult{}, err
		}
	}
	var result run.CommitResult
	for _, job := range jobs {
		outcome, err := job.commit(ctx)
		if err != nil {
			return run.CommitResult{}, err
		}
		if outcome.Status == run.CommitStatusError && result.Failed == "" {
			result.Failed = run.Cut(fmt.Sprintf("commit in repository %s (%s): %s", job.target.Name, job.target.Path, outcome.Reason), run.MaxMessage, "")
		}
		outcome.Reason = run.Cut(outcome.Reason, maxReasons/len(jobs), "")
		result.Repos = append(result.Repos, outcome)
	}
	return result, nil
}

// commonDirs are the git directories to lock, each once: two targets can be in
// one repository. Their order is the same for all, so that two commits with the
// same targets never wait for each other.
func commonDirs(jobs []*commitJob) []string {
	dirs := make([]string, len(jobs))
	for i, job := range jobs {
		dirs[i] = job.dirs.Common
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// lockRepository excludes every other commit of ours in a repository until the
// lock is closed.
func (c *commits) lockRepository(ctx context.Context, gitCommonDir string) (*flock.Flock, error) {
	lock := flock.New(c.State.RepoLock(gitCommonDir))
	if err := os.MkdirAll(filepath.Dir(lock.Path()), 0o700); err != nil {
		return nil, err
	}
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	return lock, nil
}

// writePlan records which repositories are about to be committed. Without any
// there is nothing a crash could tear.
func (c *commits) writePlan(in run.CommitInput, jobs []*commitJob) error {
	entry := &runstore.Entry{
		Type:      runstore.EntryCommitPlan,
		Prompt:    in.Prompt,
		Seq:       in.Seq,
		At:        time.Now().UTC(),
		Iteration: in.Iteration,
	}
	for _, job := range jobs {
		if len(job.diff.Changed) > 0 {
			entry.Repos = append(entry.Repos, job.target.Name)
		}
	}
	if len(entry.Repos) == 0 {
		return nil
	}
	return c.store.Ledger(in.Run.ID).Append(func([]runstore.Entry) (*runstore.Entry, error) { return entry, nil })
}

// commitJob is the commit of one prompt in one repository.
type commitJob struct {
	in       run.CommitInput
	target   packet.Repo
	git      gitcmd.Repo
	baseline worktree.Baseline
	message  string
	// changed is what the attempt changed, before its verification.
	changed []string

	dirs runstore.GitDirs
	diff worktree.Diff
	// found are this attempt's commits, by trailer value.
	found map[string]string
	// refusal says why nothing may be committed here; empty when it may.
	refusal string
}

// look finds out what is to be staged, what was committed already, and whether
// the repository is in a state that a commit may be made in.
func (j *commitJob) look(ctx context.Context) error {
	operation, err := gitcmd.Info{GitDir: j.dirs.Own}.InProgress()
	if err != nil {
		return err
	}
	if err := j.compare(ctx); err != nil {
		return err
	}
	switch lock := j.foreignLock(); {
	case operation != "":
		j.refusal = "a " + operation + " is in progress; finish or abort it, then run again"
	case j.diff.Branch == "":
		j.refusal = "HEAD is detached; check out a branch, then run again"
	case j.diff.Branch != j.baseline.Branch:
		j.refusal = fmt.Sprintf("the branch is %q now, it was %q when the prompt began; check it out, then run again", j.diff.Branch, j.baseline.Branch)
	case lock != "":
		j.refusal = lock + " exists: another git process is at work, or one died; when none is, remove the file and run again"
	}
	return j.search(ctx)
}

// compare finds out what is uncommitted, and leaves out what the sessions did not
// change.
func (j *commitJob) compare(ctx context.Context) (err error) {
	if j.diff, err = worktree.Compare(ctx, j.git, j.baseline); err != nil {
		return err
	}
	var ours []string
	for _, path := range j.diff.Changed {
		if slices.Contains(j.changed, path) {
			ours = append(ours, path)
		} else {
			j.diff.LeftOut = append(j.diff.LeftOut, path)
		}
	}
	j.diff.Changed = ours
	return nil
}

// search finds the commits of this attempt between baseline and HEAD.
func (j *commitJob) search(ctx context.Context) error {
	j.found = map[string]string{}
	if j.diff.Head == j.baseline.Head {
		return nil
	}
	trailers, err := j.git.FindTrailers(ctx, j.baseline.Head, run.TrailerCommit)
	if err != nil {
		return err
	}
	own := run.CommitTrailer(j.in.Run.ID, j.in.Prompt, j.in.Seq, 1)
	for value, sha := range trailers {
		if value == own || strings.HasPrefix(value, own+".") {
			j.found[value] = sha
		}
	}
	return nil
}

// newest returns the last commit of this attempt, and how many there are.
func (j *commitJob) newest() (sha string, count int) {
	for count < len(j.found) {
		next, ok := j.found[run.CommitTrailer(j.in.Run.ID, j.in.Prompt, j.in.Seq, count+1)]
		if !ok {
			break
		}
		sha, count = next, count+1
	}
	return sha, count
}

// commit makes the commit unless it stands there already.
func (j *commitJob) commit(ctx context.Context) (run.RepoCommit, error) {
	outcome := run.RepoCommit{Repo: j.target.Name, LeftOut: len(j.diff.LeftOut)}
	sha, count := j.newest()
	if len(j.diff.Changed) == 0 {
		if count > 0 {
			outcome.Status, outcome.SHA = run.CommitStatusOK, sha
		} else {
			outcome.Status, outcome.Reason = run.CommitStatusSkip, run.SkipNoChanges
		}
		return outcome, nil
	}
	if j.refusal != "" {
		outcome.Status, outcome.Reason = run.CommitStatusError, j.refusal
		return outcome, nil
	}
	if err := j.git.Stage(ctx, j.diff.Changed); err != nil {
		return j.refused(ctx, outcome, err)
	}
	trailers := []string{
		run.TrailerRun + ": " + j.in.Run.ID,
		run.TrailerPrompt + ": " + j.in.Prompt,
		run.TrailerCommit + ": " + run.CommitTrailer(j.in.Run.ID, j.in.Prompt, j.in.Seq, count+1),
	}
	made, err := j.git.CommitOnly(ctx, j.message, trailers, j.diff.Changed)
	if err != nil {
		return j.refused(ctx, outcome, err)
	}
	outcome.Status, outcome.SHA = run.CommitStatusOK, made
	return outcome, nil
}

// refused turns a failed git command into the repository's outcome. git may
// have committed before it failed, so the trailer is searched once more.
func (j *commitJob) refused(ctx context.Context, outcome run.RepoCommit, cause error) (run.RepoCommit, error) {
	if ctx.Err() != nil {
		return outcome, context.Cause(ctx)
	}
	_, before := j.newest()
	if err := j.compare(ctx); err != nil {
		return outcome, err
	}
	if err := j.search(ctx); err != nil {
		return outcome, err
	}
	if sha, count := j.newest(); count > before && len(j.diff.Changed) == 0 {
		outcome.Status, outcome.SHA = run.CommitStatusOK, sha
		return outcome, nil
	}
	if errors.Is(cause, gitcmd.ErrNothingStaged) && before == 0 && len(j.diff.Changed) == 0 {
		// What git took for a change was none, such as line endings that it
		// converts.
		outcome.Status, outcome.Reason = run.CommitStatusSkip, run.SkipNoChanges
		return outcome, nil
	}
	reason := cause.Error()
	failure, failed := errors.AsType[*gitcmd.Error](cause)
	identity := j.git.Identity(ctx)
	switch {
	case errors.Is(cause, gitcmd.ErrNothingStaged):
		reason = fmt.Sprintf("nothing of what changed can be committed here: %s; changes inside a submodule or a nested repository have to be committed there, by the session",
			strings.Join(j.diff.Changed, ", "))
	case identity != nil:
		reason = identity.Error()
	case failed && strings.TrimSpace(failure.Stderr) != "":
		// The words of git or of a hook, without our command line.
		reason = strings.TrimSpace(failure.Stderr)
	}
	outcome.Status, outcome.Reason = run.CommitStatusError, run.Cut(reason, run.MaxMessage, "")
	return outcome, nil
}
