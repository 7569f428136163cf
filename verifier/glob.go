package verifier

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

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
// are matched only by patterns that spell the dot, and links to directories are
// not followed below "**".
func (s Scope) glob(ctx context.Context, entry packet.GlobEntry) Item {
	item := Item{Kind: Glob, GlobCheck: &GlobCheck{Matches: []string{}}}
	if !doublestar.ValidatePattern(filepath.ToSlash(entry.Path)) {
		item.Repo, item.FileCheck = s.label(entry.Repo), &FileCheck{Path: readable(entry.Path)}
		item.Fault, item.Details = FaultVerifier, fmt.Sprintf("the pattern %q is malformed; a bracket or brace is not closed", entry.Path)
		return item
	}
	dir, wildcard := doublestar.SplitPattern(filepath.ToSlash(entry.Path))
	at, ok := s.locate(&item, packet.PathEntry{Repo: entry.Repo, Path: dir})
	item.Path = readable(entry.Path)
	if !ok {
		return item
	}
	item.ResolvedPath = readable(filepath.Join(at.path, wildcard))
	var empty []string
	matches, err := s.match(ctx, at, wildcard, func(name string, info fs.FileInfo) {
		if entry.NonEmpty && (info == nil || !info.Mode().IsRegular() || info.Size() == 0) {
			empty = append(empty, readable(name))
		}
	})
	if err != nil {
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not look for %s below %s: %v", wildcard, at.path, err)
		return item
	}
	item.Matched = len(matches)
	for _, name := range matches[:min(len(matches), shownMatches)] {
		item.Matches = append(item.Matches, readable(filepath.Join(at.path, name)))
	}
	switch {
	case item.Matched < entry.MinMatches:
		item.Details = fmt.Sprintf("expected at least %d, found %d that match %s below %s", entry.MinMatches, item.Matched, wildcard, at.path)
	case entry.MaxMatches != nil && item.Matched > *entry.MaxMatches:
		item.Details = fmt.Sprintf("expected at most %d, found %d that match %s below %s: %s", *entry.MaxMatches, item.Matched, wildcard, at.path, listing(matches))
	case len(empty) > 0:
		item.Details = fmt.Sprintf("expected files with content, but of %d that match %s below %s these are empty or no files: %s", item.Matched, wildcard, at.path, listing(empty))
	default:
		item.Pass, item.Details = true, fmt.Sprintf("%d match(es)", item.Matched)
	}
	return item
}

// errTooMany says that a pattern matches more than can be judged.
var errTooMany = fmt.Errorf("more than %d paths match; name a smaller part of the tree", maxMatches)

// match lists what matches below the place, sorted, and shows each to see: with what
// it is, or nil for a link that leads where contracts may not look. A link that
// leads nowhere is nothing.
func (s Scope) match(ctx context.Context, at place, wildcard string, see func(name string, info fs.FileInfo)) ([]string, error) {
	root, err := os.OpenRoot(at.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	tree, err := fs.Sub(root.FS(), filepath.ToSlash(at.relative))
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	err = doublestar.GlobWalk(tree, wildcard, func(name string, entry fs.DirEntry) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
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
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	matches := make([]string, 0, len(found))
	for name := range found {
		matches = append(matches, name)
	}
	slices.Sort(matches)
	return matches, nil
}

// look returns what is at a path that a directory lists, links followed inside of
// the places where contracts may look; nil when one leads out of them.
func (s Scope) look(path string, entry fs.DirEntry) (info fs.FileInfo, exists bool, err error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		info, err = entry.Info()
		return info, err == nil, skipMissing(err)
	}
	resolved, err := resolve(path)
	if err != nil {
		return nil, false, skipMissing(err)
	}
	target, _, inside := s.within(resolved)
	if !inside {
		return nil, true, nil
	}
	info, err = target.stat()
	return info, err == nil, skipMissing(err)
}

// skipMissing forgives that nothing is there, such as a link in a circle.
func skipMissing(err error) error {
	if isMissing(err) || errors.Is(err, syscall.ELOOP) {
		return nil
	}
	return err
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
