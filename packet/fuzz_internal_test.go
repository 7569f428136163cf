package packet

import (
	"strings"
	"testing"
)

// FuzzFrontMatter splits and reads any text as a file. Nothing may panic, a body
// must be the end of the file, and a file put together again must read the same.
func FuzzFrontMatter(f *testing.F) {
	for _, text := range []string{
		"", "body", "---\n---\n", "---\na: 1\n---\nbody\n", "--- \r\na: 1\r\n---\r\nb", "\ufeff---\na: &x [1]\nb: *x\n---",
		"---\na: [\n---\n", "---\n<<: {a: 1}\nb: 2\n---\n", "----\na: 1\n", "+++\na = 1\n+++\n", " ---\nid: 1\n---\n", "---\n- a\n---\n",
		"---\na: !x 1\n---\n", "---\na: 1\n---\n---\nb: 2\n---\n", "---\na: 1\na: 2\n---\n", "---\n? [a]\n: b\n---\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := &report{}
		doc, ok := splitDocument(r, place{file: "fuzz.md"}, text)
		if ok != (len(r.errors) == 0) {
			t.Fatalf("accepted is %t with the errors %v", ok, r.errors)
		}
		if !ok {
			return
		}
		if !strings.HasSuffix(text, doc.body) {
			t.Errorf("the body %q is not the end of the file", doc.body)
		}
		split, err := SplitFrontMatter("fuzz.md", text)
		if err != nil {
			t.Fatalf("split differs: %v", err)
		}
		if split.Body != doc.body {
			t.Errorf("split has the body %q, load %q", split.Body, doc.body)
		}
		if split.YAML != "" && split.String() != text {
			t.Errorf("put together again it is %q", split.String())
		}
		for _, finding := range r.warnings {
			if finding.Line < 0 || finding.Line > strings.Count(text, "\n")+1 {
				t.Errorf("a finding at line %d", finding.Line)
			}
		}
	})
}

// FuzzContract reads any YAML as a verify block. Nothing may panic, and an entry
// that is accepted must be able to fail.
func FuzzContract(f *testing.F) {
	for _, block := range []string{
		"{}", "files_exist: [a, 'packet:b', {path: c, repo: packet}]", "contains: {path: a, text: b}", "matches: [{path: a, pattern: '(?<!a)b$'}]",
		"doc: [a]", "yaml: [{path: a, root: map}]", "json: [{path: a, array_none_match: [{path: b, field: c, equals: 08}]}]",
		"glob: [{path: '**', max_matches: 3}]", "source_absent: [{path: ., patterns: [a]}]", "commands: [make, {exec: a, args: [b]}, {run: c}]",
		"commands: [{exec: true}]", "commands: ['']", "changed_paths_only: [a]", "repos_clean: [packet, {pushed: true}]", "files_exist: [~]", "unknown: 1",
	} {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, block string) {
		text := "---\nverify:\n  " + strings.ReplaceAll(block, "\n", "\n  ") + "\n---\n"
		r := &report{}
		doc, ok := splitDocument(r, place{file: "fuzz.md"}, text)
		if !ok {
			return
		}
		c := contractReader{report: r, repos: []string{"app", PacketAlias}}
		contract := c.read(doc.attrs.get("verify"))
		if len(r.errors) > 0 {
			return
		}
		for _, entry := range append(append([]PathEntry{}, contract.FilesExist...), contract.FilesAbsent...) {
			if strings.TrimSpace(entry.Path) == "" && !strings.HasPrefix(entry.Repo, ArtifactPrefix) {
				t.Errorf("an entry without a path: %+v", entry)
			}
		}
		for _, entry := range contract.Contains {
			if entry.Text == "" {
				t.Errorf("an entry without a text: %+v", entry)
			}
		}
		for _, entry := range contract.Matches {
			if !c.pattern(node{kind: kindScalar, text: entry.Pattern}) {
				t.Errorf("a pattern that does not compile: %+v", entry)
			}
		}
		for _, entry := range contract.SourceAbsent {
			if len(entry.Patterns) == 0 {
				t.Errorf("an entry without patterns: %+v", entry)
			}
		}
		for _, command := range contract.Commands {
			if (strings.TrimSpace(command.Exec) == "") == (strings.TrimSpace(command.Shell) == "") || command.TimeoutMS <= 0 {
				t.Errorf("a command that runs nothing: %+v", command)
			}
		}
		for _, entry := range contract.Glob {
			if entry.MaxMatches != nil && *entry.MaxMatches < entry.MinMatches {
				t.Errorf("an entry that cannot pass: %+v", entry)
			}
		}
	})
}
