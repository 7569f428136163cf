package verifier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/pattern"
	"github.com/prompt-runner/prompt-runner/packet"
)

const (
	// shownFindings bounds the lines that an item lists.
	shownFindings = 200
	// maxLine bounds how much of a line a finding quotes, in bytes.
	maxLine = 200
)

// defaultPrune are names that hold no sources of the project.
var defaultPrune = []string{".git", "_build", "deps", "node_modules", ".elixir_ls", "cover", packet.StateDir}

// sourceAbsent passes when no line of the file, or of the files below the
// directory, matches a pattern. Links to files are followed, those to directories
// are not.
func (s Scope) sourceAbsent(ctx context.Context, entry packet.SourceEntry) Item {
	check := &SourceCheck{Findings: []SourceFinding{}}
	item := Item{Kind: SourceAbsent, SourceCheck: check}
	at, ok := s.locate(&item, entry.PathEntry)
	if !ok {
		return item
	}
	search := &search{ctx: ctx, entry: entry, check: check, scope: s}
	for _, expression := range entry.Patterns {
		compiled, err := pattern.CompileLine(expression)
		if err != nil {
			item.Fault, item.Details = FaultVerifier, err.Error()
			return item
		}
		search.patterns = append(search.patterns, compiled)
	}
	if len(search.patterns) == 0 {
		item.Details = "the entry has no pattern to look for"
		return item
	}
	err := search.below(at)
	outside, isOutside := errors.AsType[*outsideError](err)
	switch {
	case isOutside:
		// A failure and no fault: the link may be the work of a session.
		item.Details = fmt.Sprintf("could not search %s: %v", at.path, outside)
	case isMissing(err):
		item.Details = fmt.Sprintf("missing: there is nothing at %s", at.path)
	case err != nil:
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not search %s: %v", at.path, err)
	case check.Found > 0:
		var lines []string
		for _, found := range check.Findings {
			lines = append(lines, fmt.Sprintf("%s:%d: %s (matches %q)", found.File, found.Line, found.Text, found.Pattern))
		}
		item.Details = fmt.Sprintf("%d forbidden source match(es) below %s:\n%s", check.Found, at.path, strings.Join(lines, "\n"))
	case check.FilesChecked == 0:
		item.Pass, item.Details = true, fmt.Sprintf("warning: no file below %s was looked at, so this proves nothing", at.path)
	default:
		item.Pass, item.Details = true, fmt.Sprintf("ok: %d file(s) checked", check.FilesChecked)
	}
	return item
}

// search looks for patterns in the files of one place.
type search struct {
	ctx      context.Context
	scope    Scope
	entry    packet.SourceEntry
	patterns []*pattern.Pattern
	check    *SourceCheck
}

// below searches a file, or walks a directory.
func (s *search) below(at place) error {
	root, err := os.OpenRoot(at.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(at.relative)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return s.file(at, filepath.Base(at.path))
	}
	tree, err := fs.Sub(root.FS(), filepath.ToSlash(at.relative))
	if err != nil {
		return err
	}
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		case name != "." && s.pruned(entry.Name()):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !s.wanted(name):
			return nil
		case entry.Type().IsRegular():
			return s.file(place{path: filepath.Join(at.path, name), root: at.root, relative: filepath.Join(at.relative, name)}, name)
		case entry.Type() == fs.ModeSymlink:
			return s.link(at, name)
		}
		return nil
	})
}

// link searches the file that a link leads to, inside of the same bounds as any
// other path.
func (s *search) link(at place, name string) error {
	target, info, err := s.scope.follow(filepath.Join(at.path, name), name)
	switch {
	case err != nil:
		return skipMissing(err)
	case !info.Mode().IsRegular():
		return nil
	}
	return s.file(target, name)
}

func (s *search) pruned(name string) bool {
	return slices.Contains(defaultPrune, name) || slices.Contains(s.entry.Prune, name)
}

func (s *search) wanted(name string) bool {
	return len(s.entry.Extensions) == 0 || slices.ContainsFunc(s.entry.Extensions, func(extension string) bool {
		return strings.HasSuffix(path.Base(name), extension)
	})
}

// file searches one file, which findings call name.
func (s *search) file(at place, name string) error {
	text, err := at.read()
	if err != nil {
		if failure, ok := errors.AsType[*fs.PathError](err); ok {
			err = failure.Err
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	s.check.FilesChecked++
	number := 0
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		number++
		for i, compiled := range s.patterns {
			matched, err := compiled.Match(line)
			// Where lines end as on Windows, "$" is meant before the carriage return.
			if text, cut := bytes.CutSuffix(line, []byte{'\r'}); cut && !matched && err == nil {
				matched, err = compiled.Match(text)
			}
			if err != nil {
				return fmt.Errorf("%s:%d: %w", name, number, err)
			}
			if matched {
				s.found(name, number, s.entry.Patterns[i], line)
			}
		}
	}
	return nil
}

func (s *search) found(name string, number int, expression string, line []byte) {
	s.check.Found++
	if len(s.check.Findings) == shownFindings {
		return
	}
	text := readable(string(bytes.TrimSpace(line)))
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "..."
	}
	s.check.Findings = append(s.check.Findings, SourceFinding{
		File: readable(filepath.ToSlash(name)), Line: number, Pattern: readable(expression), Text: text,
	})
}
