package activities

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// preflight refuses a run whose repositories are not there, or are no git work
// trees: that cannot be repaired by any session.
func (r *runs) preflight(ctx context.Context, loaded *packet.Packet, selected []string) error {
	var names, problems []string
	for _, id := range selected {
		prompt, _ := loaded.Prompt(id)
		names = append(names, prompt.Targets...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		repo, _ := loaded.Repo(name)
		problem, err := r.unready(ctx, repo)
		if err != nil {
			return err
		}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("repository %s (%s): %s", repo.Name, repo.Path, problem))
		}
	}
	if len(problems) > 0 {
		return &refusal{Type: run.FailurePreflight, Message: strings.Join(problems, "\n")}
	}
	return nil
}

// unready says why a repository cannot be worked in; empty when it can.
func (r *runs) unready(ctx context.Context, repo packet.Repo) (string, error) {
	info, err := os.Stat(repo.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "the path does not exist; clone the repository there, or correct the path in " + packet.ManifestName, nil
	case err != nil:
		return err.Error(), nil
	case !info.IsDir():
		return "the path is not a directory", nil
	}
	_, err = r.git(repo).Inspect(ctx)
	if _, failed := errors.AsType[*gitcmd.Error](err); failed {
		return "this is no git work tree; run git init there, or correct the path in " + packet.ManifestName, nil
	}
	return "", err
}
