package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/worktree"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

type diffOptions struct {
	dir    string
	prompt string
	stat   bool
}

func (a *app) diffCommand() *cobra.Command {
	var (
		opts      diffOptions
		packetDir string
	)
	cmd := &cobra.Command{
		Use:   "diff [PACKET] ID",
		Short: "Show what the sessions of a prompt changed",
		Long: `Show what the sessions of a prompt changed, for each repository: from the state
before its first session in the newest run that worked on it, to the commit that
completed it, or to the work tree as it is now when there is none.`,
		Example: `  prompt-runner diff path/to/packet 03
  prompt-runner diff path/to/packet 03 --stat`,
		RunE: func(cmd *cobra.Command, args []string) error {
			resolved, err := a.resolveTarget(packetDir, args)
			switch {
			case err != nil:
				return err
			case !resolved.Exists:
				return usagef("no such directory: %s", resolved.Dir)
			case len(resolved.Prompts) != 1:
				return usagef("diff takes one prompt id, got %d", len(resolved.Prompts))
			}
			opts.dir, opts.prompt = resolved.Dir, resolved.Prompts[0]
			state, _, err := a.openState()
			if err != nil {
				return err
			}
			return a.runDiff(cmd.Context(), runstore.New(state), opts)
		},
		ValidArgsFunction: a.completePacketThenIDs(&packetDir),
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory; the argument is a prompt id then")
	cmd.Flags().BoolVar(&opts.stat, "stat", false, "show which files changed, and how much")
	return cmd
}

func (a *app) runDiff(ctx context.Context, store *runstore.Store, opts diffOptions) error {
	work, err := findWork(store, opts.dir, opts.prompt)
	if errors.Is(err, errNoWork) {
		return withNext(usagef("no run of %s has worked on a prompt %s", opts.dir, opts.prompt),
			step{"see the prompts", "prompt-runner list " + shellWord(opts.dir)})
	}
	if err != nil {
		return err
	}
	options := gitcmd.DiffOptions{Stat: opts.stat, Colour: a.style().Colour}
	empty := true
	for _, target := range work.targets {
		text, err := a.diffOf(ctx, target, options)
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		empty = false
		if len(work.targets) > 1 {
			a.say("# %s: %s", target.repo.Name, target.repo.Path)
		}
		if _, err := io.WriteString(a.env.Stdout, text); err != nil {
			return err
		}
	}
	if empty {
		a.say("the sessions of prompt %s changed nothing", opts.prompt)
	}
	return nil
}

// showChanges prints what the prompts that completed in a followed run changed,
// where that is asked for.
// The outcome of the run stands, whether they can be shown or not.
func (a *app) showChanges(ctx context.Context, w watched, end ending) {
	if w.display.diff != "stat" && w.display.diff != "full" {
		return
	}
	store := runstore.New(w.state)
	for _, prompt := range end.snapshot.Prompts {
		if prompt.Status != run.StatusCompleted {
			continue
		}
		a.say("")
		a.say("Changes of prompt %s:", prompt.Prompt)
		if err := a.runDiff(ctx, store, diffOptions{dir: w.dir, prompt: prompt.Prompt, stat: w.display.diff == "stat"}); err != nil {
			a.note("they cannot be shown: %v", err)
		}
	}
}

// errNoWork says that no run has worked on a prompt.
var errNoWork = errors.New("no run has worked on the prompt")

// promptWork is what a run did for a prompt.
type promptWork struct{ targets []targetWork }

type targetWork struct {
	repo     packet.Repo
	baseline worktree.Baseline
	// commit is what completed the prompt there; empty when nothing was committed.
	commit string
}

// findWork finds the newest run of a packet that has worked on a prompt.
func findWork(store *runstore.Store, dir, prompt string) (promptWork, error) {
	record, ok, err := store.Current(dir)
	if err != nil {
		return promptWork{}, err
	}
	for ok {
		entries, err := store.Ledger(record.ID).Read()
		if err != nil {
			return promptWork{}, err
		}
		entries = slices.DeleteFunc(entries, func(entry runstore.Entry) bool { return entry.Prompt != prompt })
		if len(entries) > 0 {
			return workOf(store, record, prompt, entries)
		}
		if ok = record.Previous != ""; ok {
			if record, err = store.Record(record.Previous); err != nil {
				return promptWork{}, err
			}
		}
	}
	return promptWork{}, errNoWork
}

// workOf reads what a run recorded of a prompt; entries are the prompt's.
func workOf(store *runstore.Store, record runstore.Record, prompt string, entries []runstore.Entry) (promptWork, error) {
	last := entries[len(entries)-1]
	completed := last.Type == runstore.EntryCompleted
	pass := runstore.Completions(entries, prompt)
	if completed {
		pass--
	}
	iteration := 1
	for _, entry := range entries {
		iteration = max(iteration, entry.Iteration)
	}
	baselines := map[string]worktree.Baseline{}
	err := store.Baseline(record.ID, prompt, pass, iteration, &baselines, func() error { return errNoWork })
	if err != nil {
		return promptWork{}, err
	}
	plan, err := store.Plan(run.Ref{ID: record.ID, Plan: record.Legs[len(record.Legs)-1].Plan})
	if err != nil {
		return promptWork{}, err
	}
	var work promptWork
	for name, baseline := range baselines {
		repo, known := plan.Packet.Repo(name)
		if !known {
			continue
		}
		target := targetWork{repo: repo, baseline: baseline}
		for _, commit := range last.Commits {
			if commit.Repo == name && commit.Status == run.CommitStatusOK {
				target.commit = commit.SHA
			}
		}
		work.targets = append(work.targets, target)
	}
	slices.SortFunc(work.targets, func(a, b targetWork) int { return cmp.Compare(a.repo.Name, b.repo.Name) })
	return work, nil
}

// diffOf writes what changed in one repository.
func (a *app) diffOf(ctx context.Context, target targetWork, options gitcmd.DiffOptions) (string, error) {
	git := gitcmd.Repo{Dir: target.repo.Path, Env: a.env.Environ}
	if target.commit != "" {
		return git.Diff(ctx, target.baseline.Head, target.commit, nil, options)
	}
	diff, err := worktree.Compare(ctx, git, target.baseline)
	if err != nil {
		return "", err
	}
	paths, err := worktree.Paths(ctx, git, target.baseline, diff)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	text, err := git.Diff(ctx, target.baseline.Head, "", paths, options)
	if err != nil {
		return "", err
	}
	status, err := git.Status(ctx)
	if err != nil {
		return "", err
	}
	for _, change := range status.Changes {
		if !change.Untracked || change.Submodule || !slices.Contains(paths, change.Path) {
			continue
		}
		added, err := git.DiffNew(ctx, change.Path, options)
		if err != nil {
			return "", err
		}
		text += added
	}
	return text, nil
}
