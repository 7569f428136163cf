package packet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

func TestFrontMatterForms(t *testing.T) {
	tests := []struct{ name, text, title, body string }{
		{"plain", "---\nname: n\n---\nbody\n", "n", "body\n"},
		{"closed at the end of the file", "---\nname: n\n---", "n", ""},
		{"blank lines are kept", "---\nname: n\n---\n\n\nbody\n\n", "n", "\n\nbody\n\n"},
		{"empty", "---\n---\nbody", "A", "body"},
		{"blank", "---\n\n---\nbody", "A", "body"},
		{"comment", "---\n# nothing\n---\nbody", "A", "body"},
		{"none", "body\n---\nname: n\n---\n", "A", "body\n---\nname: n\n---\n"},
		{"byte order mark", "\ufeff---\nname: n\n---\nbody", "n", "body"},
		{"CRLF", "---\r\nname: n\r\n---\r\nbody\r\n", "n", "body\r\n"},
		{"spaces behind markers", "--- \nname: n\n---\t \nbody", "n", "body"},
		{"only a whole line closes", "---\nname: |-\n  n\n  ---foo\n---\nbody", "n\n---foo", "body"},
		{"a rule is no marker", "-----\nbody", "A", "-----\nbody"},
		{"empty file", "", "A", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := files{"prompts/01_a.prompt.md": test.text}.load(t, packet.Options{}).Prompts[0]
			require.Equal(t, test.title, got.Name)
			require.Equal(t, test.body, got.Body)
		})
	}
}

func TestFrontMatterErrors(t *testing.T) {
	deep := strings.Repeat("{a: ", 101) + strings.Repeat("}", 101)
	tests := []struct{ name, text, want string }{
		{"never closed", "---\nname: n\n", ":1: the front matter is never closed; end it with a line ---"},
		{"closer with text", "---\nname: n\n---foo\n", ":1: the front matter is never closed; end it with a line ---"},
		{"below a blank line", "\n---\nname: n\n---\n", ":2: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"text behind the marker", "--- name: n\n---\n", ":1: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"indented", " ---\nname: n\n---\n", ":1: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"an invisible character before it", "\u200b---\nname: n\n---\n", ":1: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"a dash too many, before keys", "----\nname: n\n---\n", ":1: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"TOML", "+++\nname: n\n---\n", ":1: looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file"},
		{"list", "---\n- a\n---\n", ":2: the front matter is a list; it must be a map of keys and values"},
		{"scalar", "---\nname\n---\n", ":2: the front matter is a single value; it must be a map of keys and values"},
		{"open list", "---\nid: 1\ntargets: [a\nname: n\n---\n", ":3: the front matter is not valid YAML: did not find expected ',' or ']'"},
		{"bad indentation", "---\nid: 1\nverify:\n  a: 1\n b: 2\n---\n", ":5: the front matter is not valid YAML: did not find expected key"},
		{"two colons", "---\nname: a: b\n---\n", ":2: the front matter is not valid YAML: mapping values are not allowed in this context"},
		{"tab", "---\nverify:\n\ta: 1\n---\n", ":3: the front matter is not valid YAML: found character that cannot start any token"},
		{"unknown anchor", "---\nid: 1\nname: *n\n---\n", ":3: the front matter is not valid YAML: unknown anchor 'n' referenced"},
		{"duplicate key", "---\nname: a\nid: 1\nname: b\n---\n", ":4: name: the key occurs twice; keep one"},
		{"nested duplicate key", "---\nrecovery:\n  retry:\n    jitter: true\n    jitter: false\n---\n", ":5: recovery.retry.jitter: the key occurs twice; keep one"},
		{"two documents", "---\nname: a\n--- # more\nname: b\n---\n", ":3: the front matter holds more than one YAML document; keep one"},
		{"tag", "---\nname: !env NAME\n---\n", ":2: name: the YAML tag !env is not supported; remove it"},
		{"key that is a list", "---\n[a]: b\n---\n", ":2: a key must be a single value of at most 1024 bytes"},
		{"alias to itself", "---\nsdk_opts: &a [*a]\n---\n", ":2: sdk_opts[0][0]: the alias *a contains itself"},
		{"merge with itself", "---\nsdk_opts: &a\n  <<: *a\n---\n", ":3: sdk_opts: the alias *a contains itself"},
		{"merge of a scalar", "---\n<<: a\n---\n", ":2: a merge key (<<) takes a map or a list of maps"},
		{"deep", "---\nsdk_opts: " + deep + "\n---\n", ":2: sdk_opts" + strings.Repeat(".a", 100) + ": is nested deeper than 100 levels"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, []string{"prompts/01_a.prompt.md" + test.want},
				files{"prompts/01_a.prompt.md": test.text}.errors(t, packet.Options{}))
			crlf := strings.ReplaceAll(test.text, "\n", "\r\n")
			require.Equal(t, []string{"prompts/01_a.prompt.md" + test.want},
				files{"prompts/01_a.prompt.md": crlf}.errors(t, packet.Options{}))
			require.Equal(t, []string{manifest + test.want},
				files{manifest: test.text, "prompts/01_a.prompt.md": ""}.errors(t, packet.Options{}))
		})
	}
}

func TestAliasBombIsRefused(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("---\nl0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		alias := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i), 10), ", ")
		fmt.Fprintf(&bomb, "l%d: &l%d [%s]\n", i+1, i+1, alias)
	}
	bomb.WriteString("---\n")
	got := files{"prompts/01.prompt.md": bomb.String()}.errors(t, packet.Options{})
	require.Len(t, got, 1)
	require.Contains(t, got[0], "aliases expand to more than 100000 values; write them out")
}

func TestDialect(t *testing.T) {
	loaded := single(`
id: 08
name: 2026-01-01
model: 1_000
verify:
  contains:
    - {path: yes, text: off}
    - {path: a, text: 010}
    - {path: b, text: !!str 0x1F}
    - {path: c, text: "line\nbreak"}
  commands:
    - exec: env
      args: [1.10, true, 2026-01-01, "null", 0o10]
      env: {1: one, true: on, EMPTY: }
`).load(t, packet.Options{}).Prompts[0]
	require.Equal(t, "08", loaded.ID)
	require.Equal(t, "2026-01-01", loaded.Name)
	require.Equal(t, "1_000", loaded.Settings.Model)
	require.Equal(t, []packet.TextEntry{
		{PathEntry: packet.PathEntry{Path: "yes"}, Text: "off"},
		{PathEntry: packet.PathEntry{Path: "a"}, Text: "010"},
		{PathEntry: packet.PathEntry{Path: "b"}, Text: "0x1F"},
		{PathEntry: packet.PathEntry{Path: "c"}, Text: "line\nbreak"},
	}, loaded.Contract.Contains)
	require.Equal(t, []string{"1.10", "true", "2026-01-01", "null", "0o10"}, loaded.Contract.Commands[0].Args)
	require.Equal(t, map[string]string{"1": "one", "true": "on", "EMPTY": ""}, loaded.Contract.Commands[0].Env)
}

func TestIDs(t *testing.T) {
	for written, want := range map[string]string{
		"7": "07", `"7"`: "07", `" 007 "`: "007", "010": "010", "08": "08", "100": "100",
	} {
		require.Equal(t, want, single("id: "+written).load(t, packet.Options{}).Prompts[0].ID, written)
	}
}

func TestAliasesAndMergeKeys(t *testing.T) {
	contract := single(`
sdk_opts:
  base: &base {path: a.txt, text: from base}
  other: &other {text: from other, repo: default}
  list: &paths [x, y]
verify:
  files_exist: *paths
  contains:
    - *base
    - <<: *base
      path: b.txt
    - <<: [*other, *base]
    - "<<": *base
      path: never
`)
	require.Contains(t, strings.Join(contract.errors(t, packet.Options{}), "\n"), "prompts/01_a.prompt.md:14: verify.contains[3].<<: unknown key")

	f := files{}
	for name, text := range contract {
		f[name] = strings.Replace(text, "    - \"<<\": *base\n      path: never\n", "", 1)
	}
	got := f.load(t, packet.Options{}).Prompts[0].Contract
	require.Equal(t, []packet.PathEntry{{Path: "x"}, {Path: "y"}}, got.FilesExist)
	require.Equal(t, []packet.TextEntry{
		{PathEntry: packet.PathEntry{Path: "a.txt"}, Text: "from base"},
		{PathEntry: packet.PathEntry{Path: "b.txt"}, Text: "from base"},
		{PathEntry: packet.PathEntry{Repo: "default", Path: "a.txt"}, Text: "from other"},
	}, got.Contains)
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"---\nid: 08\n---\nbody", "---\r\nname: n\r\n---\r\n", "\ufeff--- \n---", "---\n<<: [&a {b: *a}]\n---\n",
		"---\nverify: {commands: [{exec: a, args: b}], matches: [{path: a, pattern: '('}]}\n---\n",
		"---\nsimulate: {attempts: [{error: {recovery: {class: A-b}}}], resume: {}}\n---\n",
		"---\nrepos: [{name: a, path: ~}]\nprofile: simulated-default\n---\n## Validation Commands\n- `x`\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root := files{manifest: text, "prompts/01_a.prompt.md": text}.write(t)
		loaded, err := packet.Load(root, packet.Options{})
		if err != nil {
			require.NotEmpty(t, findings(t, root, err))
			return
		}
		require.NotEmpty(t, loaded.Prompts)
		_, err = packet.Select(loaded, nil)
		require.NoError(t, err)
	})
}
