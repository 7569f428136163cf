package packet

import (
	"encoding/json"
	"slices"
)

const (
	// defaultMinLines and defaultMinMatches hold where an entry does not say.
	defaultMinLines   = 1
	defaultMinMatches = 1
	// cleanTimeoutMS bounds asking a remote when the entry does not.
	cleanTimeoutMS = 90_000
)

// DefaultMarkers are what a document must not have at the beginning of a line
// when its entry says nothing about markers.
var DefaultMarkers = []string{"TODO", "TBD", "FIXME", "XXX", "...placeholder", "<fill in>", "LOREM"}

func (c contractReader) docEntry(n node) (DocEntry, bool) {
	before := len(c.errors)
	at, _ := c.entry(n, docObject)
	entry := DocEntry{PathEntry: at, MinLines: defaultMinLines, ForbidsMarkers: slices.Clone(DefaultMarkers)}
	if lines, ok := c.whole(n.get("min_lines"), counts); ok {
		entry.MinLines = int(lines)
	}
	entry.RequiresSections = c.texts(n.get("requires_sections"))
	if markers := n.get("forbids_markers"); markers.given() {
		entry.ForbidsMarkers = c.texts(markers)
		if slices.Contains(entry.ForbidsMarkers, "") {
			c.errorf(markers.place, "holds an empty marker, which every line begins with")
		}
	}
	return entry, len(c.errors) == before
}

func (c contractReader) yamlEntry(n node) (YAMLEntry, bool) {
	before := len(c.errors)
	at, _ := c.entry(n, yamlObject)
	root := oneWord(c.report, n.get("root"), yamlShapes)
	return YAMLEntry{PathEntry: at, Root: root}, len(c.errors) == before
}

// jsonRoot reads the shape that a JSON document must have. A scalar has never
// been one: the Elixir tool fails every such entry.
func (c contractReader) jsonRoot(n node) Shape {
	if n.kind == kindScalar && Shape(n.text) == ShapeScalar {
		c.errorf(n.place, "is scalar, which no JSON document can satisfy here: the other keys look into maps and lists; use map or list, or leave root out")
		return ""
	}
	return oneWord(c.report, n, jsonShapes)
}

func (c contractReader) jsonEntry(n node) (JSONEntry, bool) {
	before := len(c.errors)
	at, _ := c.entry(n, jsonObject)
	entry := JSONEntry{
		PathEntry:     at,
		Root:          c.jsonRoot(n.get("root")),
		RequiredPaths: c.texts(n.get("required_paths")),
		NonEmptyPaths: c.texts(n.get("non_empty_paths")),
	}
	if items := n.get("array_items_require"); c.block(items) {
		for _, field := range items.fields {
			entry.ArrayItemsRequire = append(entry.ArrayItemsRequire, ItemKeys{Path: field.name, Keys: c.texts(field.value)})
		}
	}
	entry.ArrayNoneMatch = readEach(n.get("array_none_match").elements(), c.noneMatch)
	return entry, len(c.errors) == before
}

func (c contractReader) noneMatch(n node) (NoneMatch, bool) {
	if n.kind != kindMap {
		c.errorf(n.place, "is %s; it must be a map with path, field and equals", n.describe())
		return NoneMatch{}, false
	}
	before := len(c.errors)
	c.only(n, noneMatchObject)
	var match NoneMatch
	for _, part := range []struct {
		name  string
		value *string
	}{{"path", &match.Path}, {"field", &match.Field}} {
		text, ok := c.text(n.get(part.name))
		if !ok && !n.get(part.name).given() {
			c.errorf(n.get(part.name).place, "is missing")
		}
		*part.value = text
	}
	match.Equals = c.jsonValue(n.get("equals"))
	return match, len(c.errors) == before
}

// jsonValue is a value of YAML's core schema as JSON. Numbers that JSON has none
// for could equal nothing, so the check would always pass.
func (c contractReader) jsonValue(n node) json.RawMessage {
	for odd := range n.scalars() {
		if _, text := odd.typed().(string); text && !odd.isString() {
			c.errorf(odd.place, "is %s, a number that JSON does not have; put it in quotes if a text is meant", odd.text)
		}
	}
	value, err := json.Marshal(n.typed())
	if err != nil {
		c.errorf(n.place, "cannot be written as JSON: %v", err)
	}
	return value
}

func (c contractReader) globEntry(n node) (GlobEntry, bool) {
	before := len(c.errors)
	at, _ := c.entry(n, globObject)
	entry := GlobEntry{PathEntry: at, MinMatches: defaultMinMatches}
	if least, ok := c.whole(n.get("min_matches"), counts); ok {
		entry.MinMatches = int(least)
	}
	if most, ok := c.whole(n.get("max_matches"), counts); ok {
		limit := int(most)
		entry.MaxMatches = &limit
		if limit < entry.MinMatches {
			c.errorf(n.get("max_matches").place, "is %d, less than min_matches, %d; for no match at all write min_matches: 0 and max_matches: 0", limit, entry.MinMatches)
		}
	}
	entry.NonEmpty, _ = c.truth(n.get("non_empty"))
	return entry, len(c.errors) == before
}

func (c contractReader) sourceEntry(n node) (SourceEntry, bool) {
	if n.kind != kindMap {
		c.errorf(n.place, "is %s; it must be a map with path and patterns", n.describe())
		return SourceEntry{}, false
	}
	before := len(c.errors)
	at, _ := c.entry(n, sourceObject)
	entry := SourceEntry{PathEntry: at, Extensions: c.words(n.get("extensions")), Prune: c.words(n.get("prune"))}
	patterns := c.either(n, sourceObject, "patterns")
	entry.Patterns = c.words(patterns)
	if len(entry.Patterns) == 0 && len(c.errors) == before {
		c.errorf(patterns.place, "is missing or empty; give the pattern that no line may match")
	}
	for _, item := range patterns.elements() {
		if item.kind == kindScalar {
			c.pattern(item)
		}
	}
	return entry, len(c.errors) == before
}

func (c contractReader) cleanEntry(n node) (CleanEntry, bool) {
	entry := CleanEntry{TimeoutMS: cleanTimeoutMS}
	before := len(c.errors)
	switch n.kind {
	case kindScalar:
		entry.Repo, _ = c.repo(n)
	case kindMap:
		c.only(n, cleanObject)
		entry.Repo, _ = c.repo(n.get("repo"))
		entry.Pushed, _ = c.truth(n.get("pushed"))
		entry.Network, _ = c.truth(n.get("network"))
		if timeout, ok := c.whole(c.either(n, cleanObject, "remote_timeout_ms"), timeouts); ok {
			entry.TimeoutMS = timeout
		}
	default:
		c.errorf(n.place, "is %s; it must be the name of a repository or a map with repo", n.kind)
	}
	return entry, len(c.errors) == before
}
