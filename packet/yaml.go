package packet

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	// maxDepth bounds how deep front matter may nest.
	maxDepth = 100
	// maxShared bounds how many values aliases may expand to, so that a few
	// lines cannot stand for gigabytes.
	maxShared = 100_000
	// maxKey bounds the length of a key, in bytes.
	maxKey = 1024
)

// decodeYAML reads text as one YAML mapping. Its first line must be line 1 of
// the file, so that YAML's own line numbers are those of the file. It returns
// false after an error.
func decodeYAML(r *report, top place, text string) (value node, ok bool) {
	r.within(KindInvalidFrontMatter, func() { value, ok = decode(r, top, text) })
	return value, ok
}

func decode(r *report, top place, text string) (node, bool) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return node{place: top.onLine(1), kind: kindMap}, true
	case err != nil:
		line, problem := syntaxError(text, err)
		r.errorf(top.onLine(line), "the front matter is not valid YAML: %s", problem)
		return node{}, false
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		line := second.Line
		if err != nil {
			line, _ = syntaxError(text, err)
		}
		r.errorf(top.onLine(line), "the front matter holds more than one YAML document; keep one")
		return node{}, false
	}
	c := converter{report: r, open: map[*yaml.Node]bool{}}
	before := len(r.errors)
	value := c.convert(document.Content[0], top.onLine(document.Content[0].Line), 0, false)
	if len(r.errors) > before {
		return node{}, false
	}
	switch value.kind {
	case kindMap:
		return value, true
	case kindNull:
		return node{place: value.place, kind: kindMap}, true
	default:
		r.errorf(value.place, "the front matter is %s; it must be a map of keys and values", value.kind)
		return node{}, false
	}
}

// converter turns YAML nodes into ours: aliases and merge keys resolved, every
// key a string.
type converter struct {
	report *report
	// open are the aliased nodes being converted, to notice an alias to itself.
	open   map[*yaml.Node]bool
	shared int
	// over is set once maxShared was reported.
	over bool
}

func (c *converter) convert(y *yaml.Node, at place, depth int, shared bool) node {
	if shared {
		if c.shared++; c.shared > maxShared {
			if !c.over {
				c.over = true
				c.report.errorf(at, "aliases expand to more than %d values; write them out", maxShared)
			}
			return node{place: at}
		}
	}
	if depth > maxDepth {
		c.report.errorf(at.onLine(y.Line), "is nested deeper than %d levels", maxDepth)
		return node{place: at}
	}
	switch y.Kind {
	case yaml.AliasNode:
		if c.open[y.Alias] {
			c.report.errorf(at.onLine(y.Line), "the alias *%s contains itself", y.Value)
			return node{place: at}
		}
		c.open[y.Alias] = true
		defer delete(c.open, y.Alias)
		return c.convert(y.Alias, at, depth+1, true)
	case yaml.ScalarNode:
		return c.scalar(y, at)
	case yaml.SequenceNode:
		c.checkTag(y, at, "!!seq")
		value := node{place: at, kind: kindList, items: make([]node, 0, len(y.Content))}
		for i, item := range y.Content {
			value.items = append(value.items, c.convert(item, at.item(i).onLine(item.Line), depth+1, shared))
		}
		return value
	case yaml.MappingNode:
		c.checkTag(y, at, "!!map")
		value := node{place: at, kind: kindMap}
		c.fill(&value, y, map[string]bool{}, depth, shared)
		return value
	default:
		c.report.errorf(at.onLine(y.Line), "cannot be read as YAML")
		return node{place: at}
	}
}

// fill adds the fields of mapping y that are not in seen to value, its merged
// ones last.
func (c *converter) fill(value *node, y *yaml.Node, seen map[string]bool, depth int, shared bool) {
	own := make(map[string]bool, len(y.Content)/2)
	var merge *yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, content := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		at := value.onLine(y.Content[i].Line)
		if key.Kind != yaml.ScalarNode || len(key.Value) > maxKey {
			c.report.errorf(at, "a key must be a single value of at most %d bytes", maxKey)
			continue
		}
		if own[key.Value] {
			c.report.errorf(at.key(key.Value), "the key occurs twice; keep one")
			continue
		}
		own[key.Value] = true
		if key.ShortTag() == "!!merge" {
			merge = content
			continue
		}
		if seen[key.Value] {
			continue
		}
		seen[key.Value] = true
		value.fields = append(value.fields, field{
			name:  key.Value,
			value: c.convert(content, at.key(key.Value), depth+1, shared),
		})
	}
	if merge != nil {
		c.merge(value, merge, seen, depth+1)
	}
}

// merge applies the value of a "<<" key. The first of several mappings wins.
func (c *converter) merge(value *node, y *yaml.Node, seen map[string]bool, depth int) {
	if c.shared++; c.shared > maxShared || depth > maxDepth {
		c.report.errorf(value.onLine(y.Line), "merge keys expand to too many values; write them out")
		return
	}
	source := y
	if y.Kind == yaml.AliasNode {
		source = y.Alias
		if c.open[source] {
			c.report.errorf(value.onLine(y.Line), "the alias *%s contains itself", y.Value)
			return
		}
		c.open[source] = true
		defer delete(c.open, source)
	}
	switch source.Kind {
	case yaml.MappingNode:
		c.fill(value, source, seen, depth, true)
	case yaml.SequenceNode:
		for _, item := range source.Content {
			c.merge(value, item, seen, depth+1)
		}
	default:
		c.report.errorf(value.onLine(y.Line), "a merge key (<<) takes a map or a list of maps")
	}
}

func (c *converter) scalar(y *yaml.Node, at place) node {
	quoted := y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if y.Style&yaml.TaggedStyle != 0 {
		c.checkTag(y, at, "!!str", "!!int", "!!float", "!!bool", "!!null")
		quoted = quoted || y.ShortTag() == "!!str"
	}
	if !quoted {
		switch y.Value {
		case "", "~", "null", "Null", "NULL":
			return node{place: at, kind: kindNull}
		}
	}
	return node{place: at, kind: kindScalar, text: y.Value, quoted: quoted}
}

// checkTag refuses tags that the author wrote and that nothing here gives a
// meaning.
func (c *converter) checkTag(y *yaml.Node, at place, known ...string) {
	if y.Style&yaml.TaggedStyle == 0 || slices.Contains(known, y.ShortTag()) {
		return
	}
	c.report.errorf(at.onLine(y.Line), "the YAML tag %s is not supported; remove it", y.Tag)
}

var (
	yamlErrorPattern = regexp.MustCompile(`(?s)^yaml: (?:line ([0-9]+): )?(.*)$`)
	anchorPattern    = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// syntaxError finds line and problem in an error of the YAML parser. For
// problems of structure the parser names, counting from 0, the line that the
// surrounding block starts on; the line sought is then the last one of the
// shortest beginning of the text that has the same problem.
func syntaxError(text string, err error) (int, string) {
	match := yamlErrorPattern.FindStringSubmatch(err.Error())
	if match == nil {
		return 1, err.Error()
	}
	line, _ := strconv.Atoi(match[1]) // 0 when the parser names no line
	problem := match[2]
	lines := strings.SplitAfter(text, "\n")
	if anchor := anchorPattern.FindStringSubmatch(problem); anchor != nil {
		for i, content := range lines {
			if strings.Contains(content, "*"+anchor[1]) {
				return i + 1, problem
			}
		}
	}
	if strings.HasPrefix(problem, "did not find expected") {
		line = 1 + sort.Search(len(lines)-1, func(i int) bool {
			var ignored yaml.Node
			beginning := yaml.Unmarshal([]byte(strings.Join(lines[:i+1], "")), &ignored)
			return beginning != nil && strings.HasSuffix(beginning.Error(), problem)
		})
	}
	return min(max(line, 1), len(lines)), problem
}
