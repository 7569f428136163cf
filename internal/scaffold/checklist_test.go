package scaffold_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

func TestLabels(t *testing.T) {
	dir := tree(t, `-- prompt_runner_packet.md --
-- prompts/01_a.prompt.md --
---
verify:
  yaml: ["a.yaml"]
  source_absent: [{path: src, pattern: x}]
  repos_clean: [default, {pushed: true}]
  matches: [{path: m, pattern: x}]
  json: [j.json]
  glob: ["packet:*.md"]
  files_exist: ["a\tb", {repo: packet, path: c d}]
  files_absent: [gone]
  doc: [{path: d.md, min_lines: 9}]
  contains: [{path: c, text: x}]
  commands:
    - {exec: grep, args: [-q, "a  b", "it's", ""], timeout_ms: 1}
    - "echo a |\n  cat"
  changed_paths_only: [docs/]
---
`)
	p, err := packet.Load(dir, packet.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{
		"changed path allowed: docs/",
		`command: grep -q 'a  b' 'it'\''s' ''`,
		"command: echo a |   cat",
		"contains: c",
		"doc: d.md (non-blank; 9 lines advisory)",
		"file absent: gone",
		"file exists: a b",
		"file exists: packet:c d",
		"glob contract: packet:*.md",
		"JSON contract: j.json",
		"matches: m",
		"repo committed: default",
		"repo committed and pushed: the working repository",
		"forbidden source absent: src",
		"YAML parses: a.yaml",
	}, scaffold.Labels(p.Prompts[0].Contract))
}

func TestSyncChecklists(t *testing.T) {
	dir := tree(t, `-- prompt_runner_packet.md --
-- prompts/10_b.prompt.md --
---
verify: {files_exist: [x, y, x]}
---
-- prompts/2_a.prompt.md --
# A
-- prompts/3_c.prompt.md --
---
verify: {files_exist: [x]}
---
-- prompts/3_c.prompt.checklist.md --
My notes.
`)
	prompts := filepath.Join(dir, "prompts")
	sync := func(check bool) string {
		p, err := packet.Load(dir, packet.Options{})
		require.NoError(t, err)
		lists, err := scaffold.SyncChecklists(p, prompts, check)
		require.NoError(t, err)
		var states []string
		for _, list := range lists {
			states = append(states, strings.TrimSuffix(filepath.Base(list.Path), ".prompt.checklist.md")+" "+list.State)
		}
		return strings.Join(states, ", ")
	}
	require.Equal(t, "2_a missing, 3_c foreign, 10_b missing", sync(true))
	require.Equal(t, "2_a written, 3_c foreign, 10_b written", sync(false))
	require.Equal(t, "2_a current, 3_c foreign, 10_b current", sync(false))
	require.Equal(t, "My notes.\n", read(t, filepath.Join(prompts, "3_c.prompt.checklist.md")))

	// Of items with one label each keeps its own tick.
	list := filepath.Join(prompts, "10_b.prompt.checklist.md")
	text := read(t, list)
	require.True(t, strings.HasSuffix(text, "- [ ] file exists: x\n- [ ] file exists: y\n- [ ] file exists: x\n"), text)
	at := strings.LastIndex(text, "[ ]")
	require.NoError(t, os.WriteFile(list, []byte(text[:at]+"[x]"+text[at+3:]), 0o644))
	require.Equal(t, "2_a current, 3_c foreign, 10_b current", sync(true))
	require.NoError(t, os.WriteFile(filepath.Join(prompts, "10_b.prompt.md"), []byte("---\nverify: {files_exist: [x, x, z]}\n---\n"), 0o644))
	require.Equal(t, "2_a current, 3_c foreign, 10_b stale", sync(true))
	require.Equal(t, "2_a current, 3_c foreign, 10_b written", sync(false))
	require.Contains(t, read(t, list), "- [ ] file exists: x\n- [x] file exists: x\n- [ ] file exists: z\n")

	// A ticked list goes with its prompt; one that somebody wrote in stays.
	require.NoError(t, os.Remove(filepath.Join(prompts, "10_b.prompt.md")))
	require.NoError(t, os.Remove(filepath.Join(prompts, "2_a.prompt.md")))
	empty := filepath.Join(prompts, "2_a.prompt.checklist.md")
	require.NoError(t, os.WriteFile(empty, []byte(read(t, empty)+"But see the wiki.\n"), 0o644))
	require.Equal(t, "3_c foreign, 10_b orphaned, 2_a orphaned", sync(true))
	require.Equal(t, "3_c foreign, 10_b removed, 2_a orphaned", sync(false))
	require.NoFileExists(t, list)
	require.FileExists(t, empty)
}
