package scaffold_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

var update = flag.Bool("update", false, "write the golden files")

// tree writes the files of an archive into a new directory and returns it.
func tree(t *testing.T, files string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, file := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, file.Data, 0o644))
	}
	return dir
}

// golden compares what is in dir with testdata/NAME.txtar.
func golden(t *testing.T, name, dir string) {
	t.Helper()
	archive := &txtar.Archive{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(dir, path)
		archive.Files = append(archive.Files, txtar.File{Name: filepath.ToSlash(relative), Data: text})
		return err
	}))
	file := filepath.Join("testdata", name+".txtar")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(txtar.Format(archive)))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// lintsClean loads a packet and demands that nothing is wrong with it beyond what
// is still to be written.
func lintsClean(t *testing.T, dir string, opts packet.Options) {
	t.Helper()
	_, err := packet.Load(dir, opts)
	require.NoError(t, err)
	report, err := packet.Lint(dir, opts, false)
	require.NoError(t, err)
	for _, finding := range report.Findings {
		require.Equal(t, "prompt_without_verify", finding.Kind, "%v", finding)
	}
}

func TestInit(t *testing.T) {
	home := t.TempDir()
	files, err := scaffold.Init(home, "claude-default", false)
	require.NoError(t, err)
	require.Len(t, files, 6)
	golden(t, "home", home)
	for _, name := range packet.BuiltInProfiles() {
		require.NoError(t, packet.CheckProfile(name, packet.Options{ConfigHome: home}))
	}

	path := packet.ProfilePath(home, "codex-default")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o644))
	files, err = scaffold.Init(home, "codex-default", false)
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, file.Kept, file.Path)
	}
	require.Equal(t, "mine", read(t, path))
	name, err := scaffold.DefaultProfile(home)
	require.NoError(t, err)
	require.Equal(t, "claude-default", name)

	_, err = scaffold.Init(t.TempDir(), "nope", false)
	require.ErrorContains(t, err, `no profile "nope"`)
	_, err = scaffold.Init(home, "codex-default", true)
	require.NoError(t, err)
	require.NotEqual(t, "mine", read(t, path))
}

const decisions = `-- app/docs/adr/0007.md --
---
title: Search
status: accepted
---
# Search

Why.

## Index the *notes* & ` + "`tags`" + `

Build an index.

` + "```md" + `
## no heading
` + "```" + `

### Detail

Keep it small.

Query it
--------

<!--
## nor this
-->
One line.

## Empty \#1
-- outside.md --
## Elsewhere
Do it.
`

func TestPacketTree(t *testing.T) {
	dir := tree(t, decisions)
	root := filepath.Join(dir, "nightly")
	attempts, jitter := 2, false
	_, err := scaffold.NewPacket(root, scaffold.Packet{
		Name: "nightly", Profile: "simulated-default", DefaultRepo: "app",
		Repos: []scaffold.Repo{{Name: "lib", Path: "/srv/lib"}, {Name: "app", Path: filepath.Join(dir, "app")}, {Name: "home", Path: "~/src"}},
		Settings: scaffold.Settings{
			Provider: "simulated", Model: "01", AllowedTools: []string{"Read", "*"}, Confirmation: "off",
			RepairAttempts: &attempts, RetryJitter: &jitter,
		},
	}, false)
	require.NoError(t, err)
	opts := packet.Options{HomeDir: "/home/somebody"}
	manifest, err := scaffold.Open(root, opts)
	require.NoError(t, err)
	sections, err := scaffold.Sections([]string{filepath.Join(dir, "app/docs/adr/0007.md"), filepath.Join(dir, "outside.md")})
	require.NoError(t, err)
	written, err := scaffold.FromSections(manifest, sections, "from-adr", scaffold.Places{Packet: root}, false)
	require.NoError(t, err)
	require.Len(t, written, 4)
	golden(t, "packet", root)
	lintsClean(t, root, opts)

	_, err = scaffold.FromSections(manifest, sections, "from-adr", scaffold.Places{Packet: root}, false)
	var exists *scaffold.ExistsError
	require.ErrorAs(t, err, &exists)
	_, err = scaffold.NewPacket(root, scaffold.Packet{Name: "nightly"}, false)
	require.ErrorContains(t, err, "exists already")
}

// All prompts are made before one is written.
func TestSectionsAreWrittenTogether(t *testing.T) {
	dir := tree(t, "-- p/prompt_runner_packet.md --\n-- p/prompts/02_taken.prompt.md --\n# Taken\n-- a.md --\n## One\n## Two\n")
	manifest, err := scaffold.Open(filepath.Join(dir, "p"), packet.Options{})
	require.NoError(t, err)
	sections, err := scaffold.Sections([]string{filepath.Join(dir, "a.md")})
	require.NoError(t, err)
	_, err = scaffold.FromSections(manifest, sections, "from-adr", scaffold.Places{}, false)
	require.ErrorContains(t, err, "the id 02 is taken by")
	require.NoFileExists(t, filepath.Join(dir, "p/prompts/01_one.prompt.md"))
}

func TestSections(t *testing.T) {
	dir := t.TempDir()
	headings := func(text string) []string {
		path := filepath.Join(dir, "x.md")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		sections, err := scaffold.Sections([]string{path})
		if err != nil {
			require.ErrorContains(t, err, path)
			return nil
		}
		var found []string
		for _, section := range sections {
			found = append(found, section.Heading)
		}
		return found
	}
	for text, want := range map[string][]string{
		"# a\n## b\n### c\n## d ##\n":                       {"b", "d"},
		"---\nstatus: x\n---\n## b\n":                       {"b"},
		"\ufeff---\r\nstatus: x\r\n---\r\n## b\r\n":         {"b"},
		"~~~\n## b\n~~~\n\n    ## c\n\n<div>\n## d\n</div>": nil,
		"> ## quoted\n\n- ## listed\n":                      nil,
		"b\n-\n\nc\n===\n":                                  {"b"},
		"two\nlines\n---\n":                                 {"two lines"},
		"## [a](b) <http://c> &lt; `&lt;` \\*":              {"a http://c < &lt; *"},
		"##\n## b":                                          {"b"},
		"# only a title\n":                                  nil,
		"":                                                  nil,
	} {
		require.Equal(t, want, headings(text), "%q", text)
	}
	_, err := scaffold.Sections([]string{filepath.Join(dir, "none.md")})
	require.ErrorContains(t, err, "none.md")
	require.Nil(t, headings("## \xff\n"))
}

func TestNewPrompt(t *testing.T) {
	dir := tree(t, `-- prompt_runner_packet.md --
---
prompt_dir: work/items
repos: {b: ., a: {path: ., default: true}}
---
-- work/items/05_x.prompt.md --
---
id: 7
---
-- templates/default.prompt.md --
---
# yaml-language-server: $schema=../prompt_runner.prompt.schema.json
# About all of it.

sp: 8   # points

phase: 9 # why
verify:

  commands:
    # deep
    - {exec: go, args: ["a b"]}
  matches:
    - path: x
      pattern: |-
        a
        # no comment
targets: [b, c]
template: mine # by hand
# the end
---
{{id}} {{phase}} {{name}} {{commit}} {{targets_csv}} {{unknown}}
{{targets_bullets}}
`)
	places := scaffold.Places{Packet: dir, WorkDir: dir}
	make := func(prompt scaffold.Prompt) (string, error) {
		manifest, err := scaffold.Open(dir, packet.Options{})
		require.NoError(t, err)
		return scaffold.NewPrompt(manifest, prompt, places, false)
	}
	path, err := make(scaffold.Prompt{ID: " 0003 ", Phase: 2, Name: "A\n{{id}}: \"b\""})
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "work/items/03_a_id_b.prompt.md"), path)
	require.Equal(t, `---
# yaml-language-server: $schema=../../prompt_runner.prompt.schema.json
id: "03"
name: "A {{id}}: \"b\""
commit: "chore: a-id-b"
# About all of it.

sp: 8   # points

phase: 2 # why
verify:

  commands:
    # deep
    - {exec: go, args: ["a b"]}
  matches:
    - path: x
      pattern: |-
        a
        # no comment
targets:
  - a
template: mine # by hand
# the end
---
03 2 A {{id}}: "b" chore: a-id-b a {{unknown}}
- `+"`a`\n", read(t, path))

	for _, refused := range []struct {
		prompt scaffold.Prompt
		want   string
	}{
		{scaffold.Prompt{ID: "3"}, "the id 03 is taken by " + path},
		{scaffold.Prompt{ID: "05"}, "taken by " + filepath.Join(dir, "work/items/05_x.prompt.md")},
		{scaffold.Prompt{ID: "07"}, "taken by " + filepath.Join(dir, "work/items/05_x.prompt.md")},
		{scaffold.Prompt{ID: "x1"}, "no prompt id"},
		{scaffold.Prompt{ID: ""}, "no prompt id"},
		{scaffold.Prompt{ID: "-1"}, "no prompt id"},
		{scaffold.Prompt{ID: "10", Phase: -1}, "phases are numbers"},
		{scaffold.Prompt{ID: "10", Targets: []string{"c"}}, "the packet has: a, b"},
		{scaffold.Prompt{ID: "10", Template: "./nope.md"}, "nope.md"},
	} {
		_, err := make(refused.prompt)
		require.ErrorContains(t, err, refused.want)
	}

	require.NoError(t, os.WriteFile(filepath.Join(dir, "flow.md"), []byte("---\r\n{sp: 3, phase: 8}\r\n---\r\n{{id}}\r\n"), 0o644))
	path, err = make(scaffold.Prompt{ID: "100", Phase: 1, Name: "Füße", Targets: []string{"b"}, Commit: "x", Template: "flow.md"})
	require.NoError(t, err)
	require.Equal(t, "100_f_e.prompt.md", filepath.Base(path))
	require.Equal(t, "---\nid: \"100\"\nname: \"Füße\"\ntargets:\n  - b\ncommit: \"x\"\ntemplate: flow.md\nsp: 3\nphase: 1\n---\n100\n", read(t, path))
}

// A file ending in .prompt.md beside prompts that end in .md would hide them.
func TestNewPromptHidesNone(t *testing.T) {
	dir := tree(t, "-- prompt_runner_packet.md --\n-- prompts/01_a.md --\n# A\n")
	manifest, err := scaffold.Open(dir, packet.Options{})
	require.NoError(t, err)
	_, err = scaffold.NewPrompt(manifest, scaffold.Prompt{ID: "02"}, scaffold.Places{Packet: dir}, false)
	require.ErrorContains(t, err, "01_a.md")
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", ".hidden", "a/b", `a\b`, "a:b", " a", "a\tb", "a\x1b[2J"} {
		_, err := scaffold.NewPacket(filepath.Join(t.TempDir(), "x"), scaffold.Packet{Name: name}, false)
		require.ErrorContains(t, err, "cannot name a packet", "%q", name)
		_, err = scaffold.NewProfile(t.TempDir(), name, scaffold.Settings{}, false)
		require.ErrorContains(t, err, "cannot name a profile", "%q", name)
		_, err = scaffold.FindProfile(t.TempDir(), name)
		require.ErrorContains(t, err, "cannot name a profile", "%q", name)
	}
}

// Paths mean the same whatever links lead to the packet.
func TestRepoPathsThroughLinks(t *testing.T) {
	dir := tree(t, "-- real/deep/.keep --\n-- other/app/.keep --\n")
	require.NoError(t, os.Symlink(filepath.Join(dir, "real/deep"), filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(dir, "other/app"), filepath.Join(dir, "current")))
	root := filepath.Join(dir, "link", "p")
	_, err := scaffold.NewPacket(root, scaffold.Packet{Name: "p", Repos: []scaffold.Repo{
		{Name: "app", Path: filepath.Join(dir, "other/app")}, {Name: "current", Path: filepath.Join(dir, "current")}, {Name: "near", Path: filepath.Join(dir, "link/near")},
	}}, false)
	require.NoError(t, err)
	text := read(t, filepath.Join(root, packet.ManifestName))
	require.Contains(t, text, "current: {path: ../../../current}")
	require.Contains(t, text, "near: {path: ../near}")
	found, err := packet.Diagnose(root, packet.Options{})
	require.NoError(t, err)
	for _, repo := range found.Packet.Repos {
		want := filepath.Join(dir, "other/app")
		if repo.Name == "near" {
			want = filepath.Join(dir, "real/deep/near")
		}
		require.Equal(t, want, repo.Path)
	}
}

func TestTemplates(t *testing.T) {
	dir := tree(t, "-- home/templates/default.prompt.md --\nhome\n-- p/templates/own.prompt.md --\nown\n-- file.md --\nfile\n")
	places := scaffold.Places{Packet: filepath.Join(dir, "p"), Home: filepath.Join(dir, "home"), WorkDir: dir, HomeDir: dir}
	var lines []string
	templates, err := scaffold.Templates(places)
	require.NoError(t, err)
	for _, template := range templates {
		lines = append(lines, template.Name+" "+template.Source+" "+strings.TrimPrefix(template.Location, dir))
	}
	require.Equal(t, []string{
		"default home /home/templates/default.prompt.md", "from-adr builtin ", "own packet /p/templates/own.prompt.md",
	}, lines)
	for _, name := range []string{"file.md", "./file.md", "~/file.md", filepath.Join(dir, "file.md")} {
		template, err := scaffold.FindTemplate(name, places)
		require.NoError(t, err, name)
		require.Equal(t, "file\n", template.Text())
	}
	_, err = scaffold.FindTemplate("nope", places)
	require.ErrorContains(t, err, "there are: default, from-adr, own")
}
