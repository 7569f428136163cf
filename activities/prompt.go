package activities

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/worktree"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/verifier"
)

type packetPrompt = packet.Prompt

// prompts prepares iterations and attempts, and projects their state.
type prompts struct{ host }

// prepareIteration returns what the workflow must know of a prompt, and records
// the baseline of its target repositories if none is recorded yet.
func (p *prompts) prepareIteration(ctx context.Context, in run.PrepareIterationInput) (run.PrepareIterationResult, error) {
	plan, prompt, err := p.plan(in.Run, in.Prompt)
	if err != nil {
		return run.PrepareIterationResult{}, err
	}
	if _, err := p.baselines(ctx, in.Run, plan, prompt, in.Iteration); err != nil {
		return run.PrepareIterationResult{}, err
	}
	provider, err := p.Providers.Lookup(prompt.Settings.Provider)
	if err != nil {
		return run.PrepareIterationResult{}, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	_, inWorker := provider.(providers.Local)
	return run.PrepareIterationResult{
		InWorker:  inWorker,
		Name:      run.Cut(prompt.Name, maxName, ""),
		Provider:  prompt.Settings.Provider,
		Model:     run.Cut(prompt.Settings.Model, maxName, ""),
		Policy:    prompt.Recovery,
		TimeoutMS: prompt.Settings.TimeoutMS,
	}, nil
}

// baselines returns the baseline of each target repository of a prompt, by name.
func (h host) baselines(ctx context.Context, ref run.Ref, plan *runstore.Plan, prompt *packet.Prompt, iteration int) (map[string]worktree.Baseline, error) {
	entries, err := h.store.Ledger(ref.ID).Read()
	if err != nil {
		return nil, err
	}
	baselines := map[string]worktree.Baseline{}
	err = h.store.Baseline(ref.ID, prompt.ID, runstore.Completions(entries, prompt.ID), iteration, &baselines, func() error {
		for _, repo := range targets(plan, prompt) {
			baseline, err := worktree.Take(ctx, h.git(repo))
			if err != nil {
				return err
			}
			baselines[repo.Name] = baseline
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, repo := range targets(plan, prompt) {
		if _, known := baselines[repo.Name]; !known {
			return nil, &refusal{Type: run.FailurePacketChanged, Message: fmt.Sprintf(
				"run %s knows no state that repository %s had before prompt %s; start over with: prompt-runner run %s --new-run",
				ref.ID, repo.Name, prompt.ID, ref.Packet)}
		}
	}
	return baselines, nil
}

// targets are the repositories that a prompt works on, in its order.
func targets(plan *runstore.Plan, prompt *packet.Prompt) []packet.Repo {
	var repos []packet.Repo
	for _, name := range prompt.Targets {
		if repo, ok := plan.Packet.Repo(name); ok {
			repos = append(repos, repo)
		}
	}
	return repos
}

func (h host) git(repo packet.Repo) gitcmd.Repo {
	return gitcmd.Repo{Dir: repo.Path, Env: h.Environ}
}

// prepareAttempt takes the attempt's sequence number. The same execution asking
// again for the same attempt gets the same number; a reset or a new leg does not.
func (p *prompts) prepareAttempt(_ context.Context, in run.PrepareAttemptInput) (run.PrepareAttemptResult, error) {
	_, prompt, err := p.plan(in.Run, in.Prompt)
	if err != nil {
		return run.PrepareAttemptResult{}, err
	}
	var taken runstore.Entry
	err = p.store.Ledger(in.Run.ID).Append(func(entries []runstore.Entry) (*runstore.Entry, error) {
		for _, entry := range entries {
			if entry.Type == runstore.EntryAttempt && entry.Prompt == in.Prompt && entry.Execution == in.Execution &&
				entry.Iteration == in.Iteration && entry.Number == in.Number {
				taken = entry
				return nil, nil
			}
		}
		seq := runstore.NextSeq(entries, in.Prompt)
		taken = runstore.Entry{
			Type:      runstore.EntryAttempt,
			Prompt:    in.Prompt,
			Seq:       seq,
			At:        in.At,
			Iteration: in.Iteration,
			Number:    in.Number,
			Mode:      in.Mode,
			Execution: in.Execution,
			Log:       p.placeLog(in, entries, seq),
		}
		return &taken, nil
	})
	if err != nil {
		return run.PrepareAttemptResult{}, err
	}
	// Both are projections: the run goes on without them.
	dir := projection.In(in.Run.Packet)
	_ = dir.StartAttempt(in, taken.Seq, prompt.Name, taken.Log)
	_ = dir.WritePid()
	return run.PrepareAttemptResult{Seq: taken.Seq, Log: taken.Log}, nil
}

// placeLog decides where the transcript of an attempt goes: into the packet's
// log directory, or beside the run where that cannot be made. Attempts that
// begin within one second get names of their own.
func (p *prompts) placeLog(in run.PrepareAttemptInput, entries []runstore.Entry, seq int) string {
	logs := projection.In(in.Run.Packet).LogDir()
	if err := projection.In(in.Run.Packet).Create(); err != nil {
		logs = filepath.Join(p.store.RunDir(in.Run.ID), "logs")
	}
	base := filepath.Join(logs, fmt.Sprintf("prompt-%s-%s", in.Prompt, in.At.UTC().Format("20060102-150405")))
	taken := slices.ContainsFunc(entries, func(entry runstore.Entry) bool { return entry.Log == base+".log" })
	if _, err := os.Lstat(base + ".log"); err == nil || taken {
		return fmt.Sprintf("%s-%d.log", base, seq)
	}
	return base + ".log"
}

// projectState records a completion in the ledger, and then shows the
// transition in the packet directory. Only the first can fail the activity.
func (p *prompts) projectState(_ context.Context, in run.ProjectStateInput) (run.ProjectStateResult, error) {
	if in.Status == run.StatusCompleted {
		if err := p.recordCompletion(in); err != nil {
			return run.ProjectStateResult{}, err
		}
	}
	var report any
	var problem error
	if in.Report != "" {
		full := new(verifier.Report)
		if problem = p.store.Report(in.Run.ID, in.Report, full); problem == nil {
			report = full
		}
	}
	problem = errors.Join(problem, projection.In(in.Run.Packet).Apply(in, report))
	if problem != nil {
		return run.ProjectStateResult{Warning: run.Cut(problem.Error(), run.MaxMessage, "")}, nil
	}
	return run.ProjectStateResult{}, nil
}

func (p *prompts) recordCompletion(in run.ProjectStateInput) error {
	return p.store.Ledger(in.Run.ID).Append(func(entries []runstore.Entry) (*runstore.Entry, error) {
		for _, entry := range entries {
			if entry.Type == runstore.EntryCompleted && entry.Prompt == in.Prompt && entry.Seq == in.Seq {
				return nil, nil
			}
		}
		return &runstore.Entry{Type: runstore.EntryCompleted, Prompt: in.Prompt, Seq: in.Seq, At: in.At, Commits: in.Commits}, nil
	})
}
