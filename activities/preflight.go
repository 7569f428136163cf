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
func (r *runs) preflight(ctx context.Context, loaded *packet.Packet, selected []string) (map[string]runstore.GitDirs, error) {
	dirs := map[string]runstore.GitDirs{}
	var names, problems []string
	for _, id := range selected {
		prompt, _ := loaded.Prompt(id)
		names = append(names, prompt.Targets...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		repo, _ := loaded.Repo(name)
		info, problem, err := r.inspect(ctx, repo)
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

// inspect looks at a repository; problem says why it cannot be worked in, and is
// empty when it can.
func (r *runs) inspect(ctx context.Context, repo packet.Repo) (info gitcmd.Info, problem string, err error) {
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
	if _, failed := errors.AsType[*gitcmd.Error](err); failed {
		return info, "this is no git work tree; run git init there, or correct the path in " + packet.ManifestName, nil
	}
	return info, "", err
}
