package packet

import (
	"regexp"
	"slices"
	"strings"
)

var (
	clauses = []string{"files_exist", "files_absent", "contains", "matches", "commands", "changed_paths_only"}
	// laterClauses are part of the format but not judged yet. A contract that
	// uses one is refused, never passed.
	laterClauses = []string{"doc", "yaml", "json", "glob", "source_absent", "repos_clean"}
)

// contractReader reads contracts of a packet with the given repositories.
type contractReader struct {
	*report
	// repos are the names an entry may use, PacketAlias included.
	repos []string
}

// read reads a verify block.
func (c contractReader) read(n node) Contract {
	var contract Contract
	if !c.block(n) {
		return contract
	}
	for _, field := range n.fields {
		elements := field.value.elements()
		switch field.name {
		case "files_exist":
			contract.FilesExist = readEach(elements, c.pathEntry)
		case "files_absent":
			contract.FilesAbsent = readEach(elements, c.pathEntry)
		case "contains":
			contract.Contains = readEach(elements, c.textEntry)
		case "matches":
			contract.Matches = readEach(elements, c.patternEntry)
		case "commands":
			contract.Commands = readEach(elements, c.command)
		case "changed_paths_only":
			contract.ChangedPathsOnly = readEach(elements, c.pathEntry)
		default:
			c.otherClause(field, len(elements) == 0)
		}
	}
	return contract
}

func (c contractReader) otherClause(field field, empty bool) {
	if !slices.Contains(laterClauses, field.name) {
		known := slices.Concat(clauses, laterClauses)
		c.errorf(field.value.place, "unknown clause%s; known are: %s", didYouMean(field.name, known), strings.Join(known, ", "))
		return
	}
	if !empty {
		c.errorf(field.value.place, "clause %s is not supported yet; check the same with a command", field.name)
	}
}

// empty reports whether the contract has no item to check.
func (c Contract) empty() bool {
	return len(c.FilesExist)+len(c.FilesAbsent)+len(c.Contains)+len(c.Matches)+len(c.Commands)+len(c.ChangedPathsOnly) == 0
}

func readEach[T any](elements []node, read func(node) (T, bool)) []T {
	var entries []T
	for _, element := range elements {
		if entry, ok := read(element); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// pathEntry reads "path", "repo:path", {path} or {repo, path}.
func (c contractReader) pathEntry(n node) (PathEntry, bool) {
	if n.kind == kindMap {
		c.only(n, "path", "repo")
	}
	return c.located(n)
}

// located reads the path and repo of an entry that may have further keys.
func (c contractReader) located(n node) (PathEntry, bool) {
	switch n.kind {
	case kindScalar:
		return c.pathText(n)
	case kindMap:
		repo, known := c.repo(n.get("repo"))
		path, ok := c.required(n.get("path"))
		return PathEntry{Repo: repo, Path: path}, ok && known
	default:
		c.errorf(n.place, "is %s; it must be a path or a map with path and repo", n.kind)
		return PathEntry{}, false
	}
}

func (c contractReader) pathText(n node) (PathEntry, bool) {
	if strings.HasPrefix(n.text, ArtifactPrefix) {
		return PathEntry{}, c.noArtifacts(n)
	}
	entry := PathEntry{Path: n.text}
	if prefix, rest, ok := strings.Cut(n.text, ":"); ok && slices.Contains(c.repos, prefix) {
		entry = PathEntry{Repo: prefix, Path: rest}
	}
	if strings.TrimSpace(entry.Path) == "" {
		c.errorf(n.place, "is %s, which names no path", n.describe())
		return PathEntry{}, false
	}
	return entry, true
}

func (c contractReader) textEntry(n node) (TextEntry, bool) {
	at, text, ok := c.withText(n, "text", "contains")
	return TextEntry{PathEntry: at, Text: text.text}, ok
}

func (c contractReader) patternEntry(n node) (PatternEntry, bool) {
	at, pattern, ok := c.withText(n, "pattern", "matches")
	if ok {
		ok = c.pattern(pattern)
	}
	return PatternEntry{PathEntry: at, Pattern: pattern.text}, ok
}

// withText reads an entry that demands something of a file's content. Without
// the text every file would do, so that is an error.
func (c contractReader) withText(n node, key, alias string) (PathEntry, node, bool) {
	if n.kind != kindMap {
		c.errorf(n.place, "is %s; it must be a map with path and %s", n.describe(), key)
		return PathEntry{}, node{}, false
	}
	c.only(n, "path", "repo", key, alias)
	at, ok := c.located(n)
	text := c.either(n, key, alias)
	if written, given := c.text(text); !given || written == "" {
		if text.kind != kindList && text.kind != kindMap {
			c.errorf(text.place, "is missing or empty; give the %s to look for", key)
		}
		return PathEntry{}, node{}, false
	}
	return at, text, ok
}

// pattern checks that a regular expression compiles.
func (c contractReader) pattern(n node) bool {
	if _, err := regexp.Compile(n.text); err != nil {
		c.errorf(n.place, "%v; patterns use RE2 syntax (https://github.com/google/re2/wiki/Syntax), Perl-style look-around and back-references are not supported yet", err)
		return false
	}
	return true
}

// repo reads the name of a repository; none is "".
func (c contractReader) repo(n node) (string, bool) {
	if !n.given() {
		return "", true
	}
	name, ok := c.word(n)
	switch {
	case !ok:
		return "", false
	case strings.HasPrefix(name, ArtifactPrefix):
		return "", c.noArtifacts(n)
	case !slices.Contains(c.repos, name):
		c.errorf(n.place, "unknown repository %q%s; known are: %s", name, didYouMean(name, c.repos), strings.Join(c.repos, ", "))
		return "", false
	}
	return name, true
}

// noArtifacts reports a reference to a workspace artifact, and returns false.
func (c contractReader) noArtifacts(n node) bool {
	c.errorf(n.place, "%s references are not supported yet", ArtifactPrefix)
	return false
}
