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
	want = strings.Replace(want, "./app}   # flow", "./app} # flow", 1)
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
