package gitcmd

import (
	"context"
	"fmt"
	"strings"
)

// Status is what differs from the commit checked out.
type Status struct {
	// Head is the commit checked out; empty before the first commit.
	Head string
	// Branch is the branch checked out; empty when HEAD is detached.
	Branch string
	// Changes are in git's order. Ignored files are not among them.
	Changes []Change
}

// Change is one changed path.
type Change struct {
	// Path is relative to the Repo's Dir.
	Path string
	// Orig is where a renamed or copied path came from; empty when it is no
	// rename or came from outside of Dir.
	Orig string
	// Code is git's two letters, index then work tree: ".M", "A.", "R.", "UU";
	// "??" for an untracked path.
	Code      string
	Untracked bool
	Unmerged  bool
	// Submodule marks a path that is a repository of its own: a submodule, or an
	// untracked repository inside this one.
	Submodule bool
}

// Paths are the paths that changed: both sides of a rename.
func (c Change) Paths() []string {
	if c.Orig == "" || strings.Contains(c.Code, "C") {
		return []string{c.Path}
	}
	return []string{c.Path, c.Orig}
}

// Status compares HEAD, index and work tree. A directory of untracked files is
// reported file by file.
func (r Repo) Status(ctx context.Context) (Status, error) {
	prefix, err := r.prefix(ctx)
	if err != nil {
		return Status{}, err
	}
	out, err := r.read(ctx, "status", "--porcelain=v2", "-z", "--branch",
		"--untracked-files=all", "--ignore-submodules=none", "--", ".")
	if err != nil {
		return Status{}, err
	}
	status, err := parseStatus(out, prefix)
	if err != nil {
		return Status{}, fmt.Errorf("git status in %s: %w", r.Dir, err)
	}
	return status, nil
}

// parseStatus reads `git status --porcelain=v2 -z --branch`, whose paths are
// relative to the root of the work tree.
func parseStatus(out, prefix string) (Status, error) {
	status := Status{}
	entries := records(out)
	for i := 0; i < len(entries); i++ {
		entry := entries[i]
		kind, rest, _ := strings.Cut(entry, " ")
		change := Change{}
		var fields int
		switch kind {
		case "#":
			status.header(rest)
			continue
		case "1": // XY sub mH mI mW hH hI path
			fields = 8
		case "2": // XY sub mH mI mW hH hI Xscore path NUL origPath
			fields = 9
		case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
			fields, change.Unmerged = 10, true
		case "?":
			change.Code, change.Untracked = "??", true
			change.Path, change.Submodule = strings.CutSuffix(rest, "/")
			if change.Path == "" {
				return Status{}, fmt.Errorf("entry %q names no path", entry)
			}
			status.add(change, prefix)
			continue
		default:
			return Status{}, fmt.Errorf("unknown entry %q", entry)
		}
		parts := strings.SplitN(rest, " ", fields)
		if len(parts) != fields {
			return Status{}, fmt.Errorf("entry %q has %d fields instead of %d", entry, len(parts), fields)
		}
		change.Code, change.Path = parts[0], parts[fields-1]
		if len(change.Code) != 2 || change.Path == "" {
			return Status{}, fmt.Errorf("entry %q names no path or no change", entry)
		}
		change.Submodule = strings.HasPrefix(parts[1], "S")
		if kind == "2" {
			if i++; i == len(entries) {
				return Status{}, fmt.Errorf("entry %q lacks the path it was renamed from", entry)
			}
			change.Orig = entries[i]
		}
		status.add(change, prefix)
	}
	return status, nil
}

func (s *Status) header(text string) {
	name, value, _ := strings.Cut(text, " ")
	switch {
	case name == "branch.oid" && value != "(initial)":
		s.Head = value
	case name == "branch.head" && value != "(detached)":
		s.Branch = value
	}
}

// add makes the change relative to prefix, and drops what is outside of it.
func (s *Status) add(change Change, prefix string) {
	path, inside := strings.CutPrefix(change.Path, prefix)
	orig, origInside := strings.CutPrefix(change.Orig, prefix)
	if !origInside {
		orig = ""
	}
	change.Path, change.Orig = path, orig
	if inside {
		s.Changes = append(s.Changes, change)
	}
}
