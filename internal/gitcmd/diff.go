package gitcmd

import "context"

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
