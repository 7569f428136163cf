package packet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

func TestSplitFrontMatterKeepsEveryByte(t *testing.T) {
	for _, text := range []string{
		"", "body", "---\n---\n", "---\na: 1\n---", "---\na: 1\n---\n\n\nbody\n\n", "--- \r\na: 1\r\n---\r\nbody\r\n",
		"\ufeff---\na: 1\n---\nbody", "# no front matter\n---\nrule\n",
	} {
		split, err := packet.SplitFrontMatter("x.md", text)
		require.NoError(t, err, "%q", text)
		if split.YAML == "" && split.Body == text {
			continue
		}
		require.Equal(t, text, split.String())
	}
	_, err := packet.SplitFrontMatter("x.md", "---\na: 1\n")
	require.ErrorContains(t, err, "never closed")
}

func TestEditKey(t *testing.T) {
	const before = `---
# the name
name: "quoted"   # stays


repos: # where
  app: {path: ./app}   # flow
  # about lib
  lib:
    path: |-
      ../lib

# about the rest
simulate:
  - error: {kind: x, message: "a: b"}
    text: |
      block
---
# Body ---
`
	add := func(value *yaml.Node) (*yaml.Node, error) {
		if value == nil {
			value = &yaml.Node{Kind: yaml.MappingNode}
		}
		value.Content = append(value.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "new"}, &yaml.Node{Kind: yaml.ScalarNode, Value: "x"})
		return value, nil
	}
	edit := func(text, key string) string {
		split, err := packet.SplitFrontMatter("x.md", text)
		require.NoError(t, err)
		split, err = split.EditKey(key, add)
		require.NoError(t, err)
		return split.String()
	}
	want := strings.Replace(before, "      ../lib\n", "      ../lib\n  new: x\n", 1)
	require.Equal(t, want, edit(before, "repos"))
	require.Equal(t, strings.Replace(before, "\n---\n# Body", "\nother:\n  new: x\n---\n# Body", 1), edit(before, "other"))
	require.Equal(t, strings.ReplaceAll(want, "\n", "\r\n"), edit(strings.ReplaceAll(before, "\n", "\r\n"), "repos"))
	require.Equal(t, "---\nrepos:\n  new: x\n---\n", edit("---\n---\n", "repos"))
	require.Equal(t, "---\nrepos:\n  new: x\n---\nbody", edit("body", "repos"))

	split, err := packet.SplitFrontMatter("x.md", "---\n{a: 1}\n---\n")
	require.NoError(t, err)
	_, err = split.EditKey("repos", add)
	require.ErrorContains(t, err, "braces")
}

// Lines that an edit leaves alone stay as their author laid them out.
func TestEditKeyKeepsLayout(t *testing.T) {
	set := func(name, value string) func(*yaml.Node) (*yaml.Node, error) {
		return func(node *yaml.Node) (*yaml.Node, error) {
			for i := 0; i+1 < len(node.Content); i += 2 {
				if node.Content[i].Value == name {
					node.Content[i+1] = &yaml.Node{Kind: yaml.ScalarNode, Value: value}
					return node, nil
				}
			}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
			return node, nil
		}
	}
	addItem := func(node *yaml.Node) (*yaml.Node, error) {
		item := &yaml.Node{Kind: yaml.MappingNode}
		for _, word := range []string{"name", "new", "path", "x"} {
			item.Content = append(item.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: word})
		}
		node.Content = append(node.Content, item)
		return node, nil
	}
	for name, c := range map[string]struct {
		before, after string
		edit          func(*yaml.Node) (*yaml.Node, error)
	}{
		"blank lines and columns": {
			"r:   # all\n\n    app:     {path: a}    # one\n\n\n    library: {path: b}    # two\n\nz: 1\n",
			"r:   # all\n\n    app:     {path: a}    # one\n\n\n    library: {path: b}    # two\n    new: x\n\nz: 1\n",
			set("new", "x"),
		},
		"wide indentation": {
			"r:\n    app:\n        path: a\n\n        text: |\n            b\n\n              c\n    lib:\n        path: b\n",
			"r:\n    app: x\n    lib:\n        path: b\n",
			set("app", "x"),
		},
		"kept block scalars": {
			"r:\n    app:\n        text: |\n            b\n\n              c\n    lib: 1   # one\n",
			"r:\n    app:\n        text: |\n            b\n\n              c\n    lib: 2 # one\n",
			func(node *yaml.Node) (*yaml.Node, error) { node.Content[3].Value = "2"; return node, nil },
		},
		"list without indentation": {
			"r:\n-   name: a\n    path:  b\n\n-   name: c\n    path: d\nz: 1\n",
			"r:\n-   name: a\n    path:  b\n\n-   name: c\n    path: d\n-   name: new\n    path: x\nz: 1\n",
			addItem,
		},
		"flow over lines": {
			"r: {a: 1,\n    b: 2}\nz: 1\n",
			"r: {a: 1, b: 2, new: x}\nz: 1\n",
			set("new", "x"),
		},
		"comment above a key that goes": {
			"r:\n  # a\n  a: 1\n\n  # b\n  b: 2\n",
			"r:\n\n  # b\n  b: 2\n",
			func(node *yaml.Node) (*yaml.Node, error) { node.Content = node.Content[2:]; return node, nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			split, err := packet.SplitFrontMatter("x.md", "---\n"+c.before+"---\n")
			require.NoError(t, err)
			split, err = split.EditKey("r", c.edit)
			require.NoError(t, err)
			require.Equal(t, c.after, split.YAML)
		})
	}
}

// Whatever the front matter, an edit is refused or changes one key and nothing
// else; comments of other keys and the body stay.
func FuzzEditKey(f *testing.F) {
	for _, seed := range []string{
		"---\nr:   # all\n\n    app:     {path: a}    # one\n\n# z\nz: 1\n---\nbody\n",
		"---\nr:\n-   name: a\n    path: |\n      b\n\n      c\nz: &a [1, *b]\n---\n",
		"---\r\nr: {a: 1,\r\n   b: 2} # c\r\nz: \"x\r\n  y\"\r\n---\r\n",
		"---\n? r\n: a: 1\n? z\n---\n",
		"---\nz: |+\n  a\n\nr: x\n# end\n---",
		"---\nr:\r\r\r0:\n---",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		split, err := packet.SplitFrontMatter("x.md", text)
		if err != nil {
			return
		}
		edited, err := split.EditKey("r", func(*yaml.Node) (*yaml.Node, error) {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "new"}, nil
		})
		if err != nil {
			return
		}
		require.Equal(t, split.Body, edited.Body)
		again, err := packet.SplitFrontMatter("x.md", edited.String())
		require.NoError(t, err)
		require.Equal(t, edited.YAML, again.YAML)
		var before, after map[string]any
		if yaml.Unmarshal([]byte(split.YAML), &before) != nil {
			return
		}
		require.NoError(t, yaml.Unmarshal([]byte(edited.YAML), &after))
		require.Equal(t, "new", after["r"])
		delete(before, "r")
		delete(after, "r")
		if len(before)+len(after) > 0 {
			require.Equal(t, before, after)
		}
	})
}
