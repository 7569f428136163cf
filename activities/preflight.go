package activities

import (
	"context"
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/preflight"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// preflight refuses a run whose repositories are not there, or are no git work
// trees: that cannot be repaired by any session. It returns where the
// repositories keep git's files.
func (r *runs) preflight(ctx context.Context, loaded *packet.Packet, selected []string, request run.Request) (map[string]runstore.GitDirs, error) {
	report, err := preflight.Check(ctx, preflight.Targets(loaded, selected), preflight.Options{
		Env: r.Environ, Commits: commitMode(request) == run.CommitGit,
	})
	if err != nil {
		return nil, err
	}
	dirs := map[string]runstore.GitDirs{}
	for _, repo := range report.Repos {
		dirs[repo.Name] = runstore.GitDirs{Own: repo.Info.GitDir, Common: repo.Info.CommonDir}
	}
	if report.RuntimeReady || request.SkipPreflight {
		return dirs, nil
	}
	var problems []string
	for _, problem := range report.ReadinessErrors {
		problems = append(problems, fmt.Sprintf("repository %s (%s): %s", problem.Name, problem.Path, problem.Message))
	}
	return nil, &refusal{Type: run.FailurePreflight, Message: strings.Join(problems, "\n")}
}
