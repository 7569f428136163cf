package packet

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/pattern"
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
		case "doc":
			contract.Doc = readEach(elements, c.docEntry)
		case "yaml":
			contract.YAML = readEach(elements, c.yamlEntry)
		case "json":
			contract.JSON = readEach(elements, c.jsonEntry)
		case "glob":
			contract.Glob = readEach(elements, c.globEntry)
		case "source_absent":
			contract.SourceAbsent = readEach(elements, c.sourceEntry)
		case "commands":
			contract.Commands = readEach(elements, c.command)
		case "changed_paths_only":
			contract.ChangedPathsOnly = readEach(elements, c.changedEntry)
		case "repos_clean":
			contract.ReposClean = readEach(elements, c.cleanEntry)
		default:
			known := contractObject.names()
			c.failf(KindUnknownClause, field.value.place, "unknown clause%s; known are: %s", didYouMean(field.name, known), strings.Join(known, ", "))
		}
	}
	return contract
}

// Items counts the entries of the contract.
func (c Contract) Items() int {
	return len(c.FilesExist) + len(c.FilesAbsent) + len(c.Contains) + len(c.Matches) + len(c.Doc) + len(c.YAML) +
		len(c.JSON) + len(c.Glob) + len(c.SourceAbsent) + len(c.Commands) + len(c.ChangedPathsOnly) + len(c.ReposClean)
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
func (c contractReader) pathEntry(n node) (PathEntry, bool) { return c.entry(n, pathObject) }

// changedEntry reads a path that may change, which an artifact has none of.
func (c contractReader) changedEntry(n node) (PathEntry, bool) {
	if repo := n.get("repo"); strings.HasPrefix(repo.text, ArtifactPrefix) {
		c.errorf(repo.place, "%s is a file of the workspace, not a repository", repo.text)
		return PathEntry{}, false
	}
	return c.entry(n, changedObject)
}

// entry reads an entry that is a path, or a map of the keys of o with one.
func (c contractReader) entry(n node, o object) (PathEntry, bool) {
	switch n.kind {
	case kindScalar:
		return c.pathText(n)
	case kindMap:
		c.only(n, o)
		repo, known := c.placeName(n.get("repo"))
		if o.artifacts && strings.HasPrefix(repo, ArtifactPrefix) && !n.has("path") {
			return PathEntry{Repo: repo}, known
		}
		path, ok := c.required(n.get("path"))
		return PathEntry{Repo: repo, Path: path}, ok && known
	default:
		c.errorf(n.place, "is %s; it must be a path or a map with path and repo", n.kind)
		return PathEntry{}, false
	}
}

// bareName matches what may be meant as the name of a repository.
var bareName = regexp.MustCompile(`^[A-Za-z0-9_-]{2,}$`)

func (c contractReader) pathText(n node) (PathEntry, bool) {
	if strings.HasPrefix(n.text, ArtifactPrefix) {
		c.errorf(n.place, "name an artifact in a map: {repo: %q}", n.text)
		return PathEntry{}, false
	}
	entry := PathEntry{Path: n.text}
	if prefix, rest, ok := strings.Cut(n.text, ":"); ok {
		switch {
		case slices.Contains(c.repos, prefix):
			entry = PathEntry{Repo: prefix, Path: rest}
		case bareName.MatchString(prefix) && !strings.HasPrefix(rest, "//"):
			c.warnf(KindUnknownRepo, n.place, "%q is no repository%s, so the whole is taken for a path; known are: %s",
				prefix, didYouMean(prefix, c.repos), strings.Join(c.repos, ", "))
		}
	}
	if strings.TrimSpace(entry.Path) == "" {
		c.errorf(n.place, "is %s, which names no path", n.describe())
		return PathEntry{}, false
	}
	return entry, true
}

func (c contractReader) textEntry(n node) (TextEntry, bool) {
	at, text, ok := c.withText(n, textObject, "text")
	return TextEntry{PathEntry: at, Text: text.text}, ok
}

func (c contractReader) patternEntry(n node) (PatternEntry, bool) {
	at, expression, ok := c.withText(n, patternObject, "pattern")
	if ok {
		ok = c.pattern(expression)
	}
	return PatternEntry{PathEntry: at, Pattern: expression.text}, ok
}

// withText reads an entry that demands something of a file's content. Without
// the text every file would do, so that is an error.
func (c contractReader) withText(n node, o object, key string) (PathEntry, node, bool) {
	if n.kind != kindMap {
		c.errorf(n.place, "is %s; it must be a map with path and %s", n.describe(), key)
		return PathEntry{}, node{}, false
	}
	at, ok := c.entry(n, o)
	text := c.either(n, o, key)
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
	if _, err := pattern.Compile(n.text); err != nil {
		c.failf(KindInvalidPattern, n.place, "%v", err)
		return false
	}
	return true
}

// repo reads the name of a repository; none is "".
func (c contractReader) repo(n node) (string, bool) {
	name, ok := c.word(n)
	switch {
	case !n.given():
		return "", true
	case !ok:
		return "", false
	case !slices.Contains(c.repos, name):
		c.failf(KindUnknownRepo, n.place, "unknown repository %q%s; known are: %s", name, didYouMean(name, c.repos), strings.Join(c.repos, ", "))
		return "", false
	}
	return name, true
}

// artifactName matches references to the artifacts of a workspace. Whether an
// artifact exists is only known where a contract is judged.
var artifactName = regexp.MustCompile(`^@artifact:[A-Za-z0-9_.-]+$`)

// placeName reads the name of a repository or an artifact; none is "".
func (c contractReader) placeName(n node) (string, bool) {
	if n.kind != kindScalar || !strings.HasPrefix(n.text, ArtifactPrefix) {
		return c.repo(n)
	}
	return n.text, c.artifact(n)
}

// checkArtifacts refuses artifacts that no contract could name.
func checkArtifacts(r *report, artifacts map[string]string, shown string) {
	for _, id := range slices.Sorted(maps.Keys(artifacts)) {
		if !artifactName.MatchString(ArtifactPrefix + id) {
			r.errorf(place{file: shown}, "%q cannot name an artifact: an id has letters, digits, dots, dashes and underscores", id)
		}
	}
}

func (c contractReader) artifact(n node) bool {
	if !artifactName.MatchString(n.text) {
		c.errorf(n.place, "is %s; an artifact is named %sID with letters, digits, dots, dashes and underscores", n.describe(), ArtifactPrefix)
		return false
	}
	return true
}
