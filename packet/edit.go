package packet

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// FrontMatter is a file with its front matter taken off, as text.
type FrontMatter struct {
	// YAML is what stands between the markers.
	YAML string
	// Body is what follows the closing marker, byte for byte.
	Body string

	before, opening, closing string
}

// SplitFrontMatter takes the front matter off text by the rules of [Load]; file is
// what errors call it. Text without front matter is all body.
func SplitFrontMatter(file, text string) (FrontMatter, error) {
	r := &report{}
	doc, ok := splitDocument(r, place{file: file}, text)
	if !ok {
		return FrontMatter{}, r.failed()
	}
	split := FrontMatter{Body: doc.body, opening: "---\n", closing: "---\n"}
	if doc.bodyLine == 1 {
		return split, nil
	}
	rest := strings.TrimPrefix(text, byteOrderMark)
	split.before = text[:len(text)-len(rest)]
	lines := strings.SplitAfter(rest[:len(rest)-len(doc.body)], "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	split.opening, split.closing = lines[0], lines[len(lines)-1]
	split.YAML = strings.Join(lines[1:len(lines)-1], "")
	return split, nil
}

// String puts the file together again.
func (f FrontMatter) String() string { return f.before + f.opening + f.YAML + f.closing + f.Body }

// EditKey changes the value of one key at the top of the front matter and leaves
// every other byte as it is: comments, order, quotes and the body. edit gets nil
// for a key that is not there; what it returns is written in the key's place, or
// at the end. An edit that would change anything else is refused.
func (f FrontMatter) EditKey(key string, edit func(value *yaml.Node) (*yaml.Node, error)) (FrontMatter, error) {
	unixed := strings.ReplaceAll(f.YAML, "\r\n", "\n")
	if strings.ContainsAny(unixed, "\r\u0085\u2028\u2029") {
		return f, errors.New("front matter: it has line breaks that editors do not count as such; replace them by ordinary ones first")
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(unixed), &document); err != nil {
		return f, fmt.Errorf("front matter: %w", err)
	}
	root := &yaml.Node{Kind: yaml.MappingNode}
	if len(document.Content) > 0 {
		root = document.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return f, errors.New("front matter: it is no map of keys and values")
	}
	if root.Style&yaml.FlowStyle != 0 {
		return f, errors.New("front matter: it is written in braces; write each key on a line of its own first")
	}
	at := len(root.Content)
	var value *yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			at, value = i, root.Content[i+1]
		}
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Value: key}
	asIs := ""
	if value != nil {
		name.LineComment = root.Content[at].LineComment
		var err error
		if asIs, err = encodeYAML(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{name, value}}); err != nil {
			return f, err
		}
	}
	changed, err := edit(value)
	if err != nil {
		return f, err
	}
	block, err := encodeYAML(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{name, changed}})
	if err != nil {
		return f, err
	}
	lines := strings.SplitAfter(unixed, "\n")
	first, last := len(lines), len(lines)
	if value != nil {
		first = root.Content[at].Line - 1
		if at+2 < len(root.Content) {
			last = root.Content[at+2].Line - 1
		}
		// Comments and blank lines in front of the next key belong to it.
		for last > first+1 && belongsBelow(lines[last-1]) {
			last--
		}
	} else if n := len(unixed); n > 0 && unixed[n-1] != '\n' {
		block = "\n" + block
	}
	with := func(block string) string {
		return strings.Join(lines[:first], "") + block + strings.Join(lines[last:], "")
	}
	edited := with(keepLayout(lines[first:last], asIs, block))
	if sameBesides(key, root, changed, edited) != nil {
		edited = with(block)
	}
	if err := sameBesides(key, root, changed, edited); err != nil {
		return f, err
	}
	if f.YAML != unixed {
		edited = strings.ReplaceAll(edited, "\n", "\r\n")
	}
	f.YAML = edited
	return f, nil
}

// sameBesides reads what was written once more: it must be root with changed as
// the value of key. What an edit by lines cannot do, such as a key that is
// followed by another one on its line, is found here.
func sameBesides(key string, root, changed *yaml.Node, edited string) error {
	refused := fmt.Errorf("front matter: %s cannot be changed without touching the rest; change it by hand", key)
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(edited), &document); err != nil || len(document.Content) == 0 {
		return refused
	}
	values := map[string]*yaml.Node{key: changed}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if name := root.Content[i].Value; name != key {
			values[name] = root.Content[i+1]
		}
	}
	got := document.Content[0]
	if got.Kind != yaml.MappingNode || len(got.Content) != 2*len(values) {
		return refused
	}
	for i := 0; i+1 < len(got.Content); i += 2 {
		want := values[got.Content[i].Value]
		if want == nil || !sameNode(want, got.Content[i+1]) {
			return refused
		}
	}
	return nil
}

// sameNode reports whether two nodes say the same, in whatever style.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Value == b.Value && a.ShortTag() == b.ShortTag() && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, sameNode)
}

func belongsBelow(line string) bool {
	line = strings.TrimRight(line, "\n")
	return line == "" || strings.HasPrefix(line, "#")
}

// encodeYAML writes a node in the style of packets.
func encodeYAML(n *yaml.Node) (string, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(n); err != nil {
		return "", err
	}
	return text.String(), encoder.Close()
}

// EncodeYAML writes a value as YAML in the style of packets.
func EncodeYAML(value any) (string, error) {
	if n, ok := value.(*yaml.Node); ok {
		return encodeYAML(n) // encoding it once more would lose its comments
	}
	var n yaml.Node
	if err := n.Encode(value); err != nil {
		return "", err
	}
	return encodeYAML(&n)
}
