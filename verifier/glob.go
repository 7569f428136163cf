package verifier

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prompt-runner/prompt-runner/packet"
)

const (
	// maxMatches bounds the paths that a pattern may match.
	maxMatches = 200_000
	// shownMatches bounds the paths that an item lists.
	shownMatches = 100
)

// glob passes when as many paths match as demanded. Names that begin with a dot
// are matched only by patterns that spell the dot, and wildcards do not follow
// links to directories. A path without wildcards is located like any other.
func (s Scope) glob(ctx context.Context, entry packet.GlobEntry) Item {
	item := Item{Kind: Glob, GlobCheck: &GlobCheck{Matches: []string{}}}
	written := filepath.ToSlash(entry.Path)
	refuse := func(reason string) Item {
		item.Repo, item.FileCheck = s.label(entry.Repo), &FileCheck{Path: readable(entry.Path)}
		item.Fault, item.Details = FaultVerifier, fmt.Sprintf("the pattern %q %s", entry.Path, reason)
		return item
	}
	if !doublestar.ValidatePattern(written) {
		return refuse("is malformed; a bracket or brace is not closed")
	}
	dir, wildcard := written, ""
	if strings.ContainsAny(written, `*?[{\`) {
		dir, wildcard = doublestar.SplitPattern(written)
	}
	if leavesOut(wildcard) {
		return refuse(`has "." or ".." behind a wildcard, where no path has one; write the pattern without`)
	}
	at, ok := s.locate(&item, packet.PathEntry{Repo: entry.Repo, Path: dir})
	item.Path = readable(entry.Path)
	if !ok {
		return item
	}
	top, shown := at.path, wildcard
	if wildcard == "" {
		top, shown = filepath.Dir(at.path), filepath.Base(at.path)
	} else {
		item.ResolvedPath = readable(filepath.Join(top, wildcard))
	}
	var empty []string
	matches, err := s.match(ctx, at, wildcard, func(name string, info fs.FileInfo) {
		if entry.NonEmpty && (info == nil || !info.Mode().IsRegular() || info.Size() == 0) {
			empty = append(empty, readable(name))
		}
	})
	if err != nil {
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not look for %s below %s: %v", shown, top, err)
		return item
	}
	item.Matched = len(matches)
	for _, name := range matches[:min(len(matches), shownMatches)] {
		item.Matches = append(item.Matches, readable(filepath.Join(top, name)))
	}
	switch {
	case item.Matched < entry.MinMatches:
		item.Details = fmt.Sprintf("expected at least %d, found %d that match %s below %s", entry.MinMatches, item.Matched, shown, top)
	case entry.MaxMatches != nil && item.Matched > *entry.MaxMatches:
		item.Details = fmt.Sprintf("expected at most %d, found %d that match %s below %s: %s", *entry.MaxMatches, item.Matched, shown, top, listing(matches))
	case len(empty) > 0:
		item.Details = fmt.Sprintf("expected files with content, but of %d that match %s below %s these are empty or no files: %s", item.Matched, shown, top, listing(empty))
	default:
		item.Pass, item.Details = true, fmt.Sprintf("%d match(es)", item.Matched)
	}
	return item
}

// leavesOut reports whether an element of the pattern is "." or "..", which the
// paths that a walk finds never have: the pattern would silently match nothing.
func leavesOut(pattern string) bool {
	alternatives := strings.NewReplacer("{", "/", "}", "/", ",", "/").Replace(pattern)
	return slices.Contains(strings.Split(pattern, "/"), ".") || slices.Contains(strings.Split(alternatives, "/"), "..")
}

// errTooMany says that a pattern matches more than can be judged.
var errTooMany = fmt.Errorf("more than %d paths match; name a smaller part of the tree", maxMatches)

// match lists what matches below the place, sorted, and shows each to see: with what
// it is, or nil for a link that leads where contracts may not look. A link that
// leads nowhere is nothing. Without a wildcard the place itself is what matches.
func (s Scope) match(ctx context.Context, at place, wildcard string, see func(name string, info fs.FileInfo)) ([]string, error) {
	if wildcard == "" {
		info, err := at.stat()
		if err != nil {
			return nil, skipMissing(err)
		}
		name := filepath.Base(at.path)
		see(name, info)
		return []string{name}, nil
	}
	root, err := os.OpenRoot(at.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	found := map[string]bool{}
	err = doublestar.GlobWalk(&tree{ctx: ctx, files: root.FS(), top: filepath.ToSlash(at.relative)}, wildcard, func(name string, entry fs.DirEntry) error {
		if name == "." || found[name] {
			return nil
		}
		info, exists, err := s.look(filepath.Join(at.path, name), entry)
		if err != nil || !exists {
			return err
		}
		if len(found) == maxMatches {
			return errTooMany
		}
		found[name] = true
		see(name, info)
		return nil
	}, doublestar.WithFailOnIOErrors(), doublestar.WithNoFollow(), doublestar.WithNoHidden())
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// tree is the part of a root that a pattern is looked for in. What is behind a
// file is missing there, nothing is opened just to look at it, which would wait
// for ever at a named pipe, and all ends with ctx.
type tree struct {
	ctx   context.Context
	files fs.FS
	top   string
}

func (t *tree) Open(name string) (fs.File, error) {
	return inTree(t, fs.FS.Open, name)
}

func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	return inTree(t, fs.ReadDir, name)
}

func (t *tree) Stat(name string) (fs.FileInfo, error) {
	return inTree(t, fs.Stat, name)
}

// inTree does something to a name of the tree.
func inTree[T any](t *tree, do func(fs.FS, string) (T, error), name string) (result T, err error) {
	if err := t.ctx.Err(); err != nil {
		return result, err
	}
	if !fs.ValidPath(name) {
		return result, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrInvalid}
	}
	result, err = do(t.files, path.Join(t.top, name))
	if leadsNowhere(err) {
		err = fs.ErrNotExist
	}
	return result, err
}

// look returns what is at a path that a directory lists, links followed inside of
// the places where contracts may look; nil when one leads out of them.
func (s Scope) look(path string, entry fs.DirEntry) (info fs.FileInfo, exists bool, err error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		info, err = entry.Info()
		return info, err == nil, skipMissing(err)
	}
	_, info, err = s.follow(path, path)
	if _, outside := errors.AsType[*outsideError](err); outside {
		return nil, true, nil
	}
	return info, err == nil, skipMissing(err)
}

// allows reports whether an allowed path, directory or glob covers name. What is
// spelled out is never read as a pattern, and a malformed pattern matches
// nothing.
func allows(allowed, name string) bool {
	if inDirectory(allowed, name) {
		return true
	}
	matched, err := doublestar.Match(allowed, name)
	return err == nil && matched
}
