package activities

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// preflight refuses a run whose repositories are not there, or are no git work
// trees: that cannot be repaired by any session. It returns where the
// repositories keep git's files.
func (r *runs) preflight(ctx context.Context, loaded *packet.Packet, selected []string, mode run.CommitMode) (map[string]runstore.GitDirs, error) {
	dirs := map[string]runstore.GitDirs{}
	var names, problems []string
	for _, id := range selected {
		prompt, _ := loaded.Prompt(id)
		names = append(names, prompt.Targets...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		repo, _ := loaded.Repo(name)
		info, problem, err := r.inspect(ctx, repo, mode == run.CommitGit)
		if err != nil {
			return nil, err
		}
		dirs[name] = runstore.GitDirs{Own: info.GitDir, Common: info.CommonDir}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("repository %s (%s): %s", repo.Name, repo.Path, problem))
		}
	}
	if len(problems) > 0 {
		return nil, &refusal{Type: run.FailurePreflight, Message: strings.Join(problems, "\n")}
	}
	return dirs, nil
}

// inspect looks at a repository; problem says why it cannot be worked in, or not
// be committed to where commits are wanted, and is empty when it can.
func (r *runs) inspect(ctx context.Context, repo packet.Repo, commits bool) (info gitcmd.Info, problem string, err error) {
	stat, err := os.Stat(repo.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return info, "the path does not exist; clone the repository there, or correct the path in " + packet.ManifestName, nil
	case err != nil:
		return info, err.Error(), nil
	case !stat.IsDir():
		return info, "the path is not a directory", nil
	}
	info, err = r.git(repo).Inspect(ctx)
	if failure, failed := errors.AsType[*gitcmd.Error](err); failed {
		return info, fmt.Sprintf("git finds no work tree it will use here: %s; run git init there, or correct the path in %s",
			strings.TrimSpace(failure.Stderr), packet.ManifestName), nil
	}
	if err != nil || !commits {
		return info, "", err
	}
	operation, err := info.InProgress()
	switch {
	case err != nil:
		return info, "", err
	case operation != "":
		problem = "a " + operation + " is in progress; finish or abort it, then run again"
	case info.Branch == "":
		problem = "HEAD is detached, so commits would belong to no branch; check out a branch, then run again (or use --no-commit)"
	}
	return info, problem, nil
}
