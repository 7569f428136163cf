package verifier

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

// yaml passes when the file parses and its last document has the shape that is
// demanded.
func (s Scope) yaml(entry packet.YAMLEntry) Item {
	item := Item{Kind: YAML, YAMLCheck: &YAMLCheck{}}
	text, ok := s.text(&item, entry.PathEntry)
	if !ok {
		return item
	}
	shape, err := yamlShape(text)
	if err != nil {
		item.Details = fmt.Sprintf("expected %s to parse as YAML: %v", item.ResolvedPath, err)
		return item
	}
	item.Shape = shape
	if entry.Root != "" && entry.Root != shape {
		item.Details = fmt.Sprintf("expected root %s, got %s (in %s)", entry.Root, shape, item.ResolvedPath)
		return item
	}
	item.Pass, item.Details = true, "ok"
	return item
}

// yamlShape parses every document of the text and returns the shape of the last
// one. A file without any is an empty map.
func yamlShape(text []byte) (packet.Shape, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	shape := packet.ShapeMap
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return shape, nil
		}
		if err != nil {
			return "", err
		}
		if err := checkTags(&document); err != nil {
			return "", err
		}
		if len(document.Content) == 0 {
			continue
		}
		switch root := document.Content[0]; {
		case root.Kind == yaml.SequenceNode:
			shape = packet.ShapeList
		case root.Kind == yaml.MappingNode, root.Kind == yaml.ScalarNode && root.Value == "" && root.Tag == "!!null":
			shape = packet.ShapeMap
		default:
			shape = packet.ShapeScalar
		}
	}
}

// checkTags refuses tags that only some programs give a meaning.
func checkTags(n *yaml.Node) error {
	switch n.ShortTag() {
	case "", "!", "!!null", "!!bool", "!!str", "!!int", "!!float", "!!timestamp", "!!seq", "!!map", "!!binary", "!!merge":
	default:
		return fmt.Errorf("line %d: unknown tag %s", n.Line, n.Tag)
	}
	for _, child := range n.Content {
		if err := checkTags(child); err != nil {
			return err
		}
	}
	return nil
}
