package gitcmd

import (
	"context"
	"strconv"
	"strings"
)

// Log lists the newest commits of HEAD, newest first and at most limit, each as
// its short hash and subject.
func (r Repo) Log(ctx context.Context, limit int) ([]string, error) {
	output, err := r.read(ctx, "log", "--no-color", "--no-decorate", "--oneline", "--max-count="+strconv.Itoa(limit))
	if err != nil {
		return nil, err
	}
	var commits []string
	for commit := range strings.SplitSeq(strings.TrimRight(output, "\n"), "\n") {
		if commit != "" {
			commits = append(commits, commit)
		}
	}
	return commits, nil
}
