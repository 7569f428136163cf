package gitcmd

import (
	"context"
	"errors"
	"strings"
)

// ChangedBetween lists the paths that differ between two commits, both sides of
// a rename. An empty from or to means the time before the first commit.
func (r Repo) ChangedBetween(ctx context.Context, from, to string) ([]string, error) {
	var args []string
	switch {
	case from == to:
		return nil, nil
	case from == "":
		args = []string{"ls-tree", "-r", "-z", "--name-only", to}
	case to == "":
		args = []string{"ls-tree", "-r", "-z", "--name-only", from}
	default:
		args = []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--relative", from, to, "--"}
	}
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, err
	}
	return records(out), nil
}

// DiffOptions say how differences are written.
type DiffOptions struct {
	// Stat writes a summary of files instead of their lines.
	Stat bool
	// Colour writes ANSI colours.
	Colour bool
}

func (o DiffOptions) args() []string {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--relative", "--find-renames"}
	if o.Stat {
		args = append(args, "--stat")
	}
	if o.Colour {
		return append(args, "--color=always")
	}
	return append(args, "--no-color")
}

// Diff writes what differs between two commits at the given paths; none means
// everywhere. An empty from means the time before the first commit, an empty to
// the work tree, of which only tracked paths are looked at.
func (r Repo) Diff(ctx context.Context, from, to string, paths []string, o DiffOptions) (string, error) {
	if from == "" {
		empty, err := r.read(ctx, "hash-object", "-t", "tree", "/dev/null")
		if err != nil {
			return "", err
		}
		from = strings.TrimSpace(empty)
	}
	args := append([]string{"--literal-pathspecs"}, o.args()...)
	args = append(args, from)
	if to != "" {
		args = append(args, to)
	}
	return r.read(ctx, append(append(args, "--"), paths...)...)
}

// DiffNew writes an untracked file as what was added.
func (r Repo) DiffNew(ctx context.Context, path string, o DiffOptions) (string, error) {
	args := append(o.args(), "--no-index", "--", "/dev/null", path)
	out, err := r.read(ctx, args...)
	// Files that differ are exit code 1 here.
	if failure, ok := errors.AsType[*Error](err); ok && failure.ExitCode == 1 && out != "" {
		return out, nil
	}
	return out, err
}
