package gitcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stagedEntry is a path, relative to the root of the work tree, whose index entry
// differs from the commit checked out, with that commit's mode and object. The
// mode is zero when the commit has no such path.
type stagedEntry struct{ path, mode, object string }

// staged lists what is staged, at these paths and elsewhere.
func (r Repo) staged(ctx context.Context, paths []string) (ours, others []stagedEntry, err error) {
	prefix, err := r.prefix(ctx)
	if err != nil {
		return nil, nil, err
	}
	wanted := make(map[string]bool, len(paths))
	for _, name := range paths {
		wanted[prefix+name] = true
	}
	out, err := r.read(ctx, "diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff",
		"--no-relative", "--ignore-submodules=none")
	if err != nil {
		return nil, nil, err
	}
	fields := records(out)
	if len(fields)%2 != 0 {
		return nil, nil, fmt.Errorf("git diff in %s: %d fields are no pairs of entry and path", r.Dir, len(fields))
	}
	for i := 0; i < len(fields); i += 2 {
		// :oldmode newmode oldobject newobject status
		parts := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(parts) != 5 {
			return nil, nil, fmt.Errorf("git diff in %s: entry %q has %d fields instead of 5", r.Dir, fields[i], len(parts))
		}
		entry := stagedEntry{path: fields[i+1], mode: parts[0], object: parts[2]}
		switch {
		case parts[4] == "U":
			return nil, nil, fmt.Errorf("commit in %s: %s has a merge conflict; resolve it first", r.Dir, entry.path)
		case wanted[entry.path]:
			ours = append(ours, entry)
		default:
			others = append(others, entry)
		}
	}
	return ours, others, nil
}

// indexWithout copies the index into dir, takes the entries back in the copy,
// and returns its path.
func (r Repo) indexWithout(ctx context.Context, entries []stagedEntry, dir string) (string, error) {
	out, err := r.read(ctx, "rev-parse", "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(strings.TrimSuffix(out, "\n"))
	if err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	index := filepath.Join(dir, "index")
	if err := os.WriteFile(index, content, 0o600); err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	// Removals first: an added file may stand where a directory was.
	var removals, restorals strings.Builder
	for _, entry := range entries {
		into := &restorals
		if strings.Trim(entry.mode, "0") == "" {
			into = &removals
		}
		fmt.Fprintf(into, "%s %s\t%s\x00", entry.mode, entry.object, entry.path)
	}
	_, err = r.run(ctx, removals.String()+restorals.String(), append(r.environment(), "GIT_INDEX_FILE="+index),
		[]string{"update-index", "-z", "--index-info"})
	return index, err
}
