package packet

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// schemas compiles the generated schemas.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	generated, err := Schemas()
	require.NoError(t, err)
	compiled := map[string]*jsonschema.Schema{}
	for _, schema := range generated {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Text))
		require.NoError(t, err)
		compiler := jsonschema.NewCompiler()
		require.NoError(t, compiler.AddResource(schema.File, document))
		compiled[schema.Name], err = compiler.Compile(schema.File)
		require.NoError(t, err)
	}
	return compiled
}

// verdicts reads front matter of one kind of file through the parser and the
// schema: the findings of the one, and the error of the other.
func verdicts(t *testing.T, schema *jsonschema.Schema, name, front string) ([]Finding, []Finding, error) {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	files := map[string]string{ManifestName: "", "prompts/01_a.prompt.md": "", "prompts/02_b.prompt.md": ""}
	if name == "manifest" {
		files[ManifestName] = front
	} else {
		files["prompts/02_b.prompt.md"] = front
	}
	for file, front := range files {
		write(file, "---\n"+front+"\n---\n")
	}
	r := &report{}
	if name == "profile" {
		doc, ok := splitDocument(r, place{file: "p"}, "---\n"+front+"\n---\n")
		require.True(t, ok)
		profileOf(r, doc.attrs)
	} else {
		load(r, root, Options{})
	}
	doc, ok := splitDocument(&report{}, place{file: "x"}, "---\n"+front+"\n---\n")
	require.True(t, ok, front)
	data, err := json.Marshal(doc.attrs.typed())
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return r.errors, r.warnings, schema.Validate(value)
}

// ill is a value that no key of the format takes.
const ill = "[{zzz: [[1]]}]"

// free are the keys that take any value: they are read by nobody, or by a
// comparison.
var free = []string{"template", "references", "required_reading", "context_files", "equals"}

// Every key that is defined is read by the parser, in every place where it may
// stand: an ill-typed value is found at that key, by parser and schema alike.
func TestEveryKeyIsRead(t *testing.T) {
	compiled := schemas(t)
	for _, place := range []struct {
		schema, before, after string
		object                object
	}{
		{"manifest", "", "", manifestObject},
		{"prompt", "", "", promptObject},
		{"profile", "", "", profileObject},
		{"prompt", "verify: {", "}", contractObject},
		{"prompt", "verify: {files_exist: [{path: a, ", "}]}", pathObject},
		{"prompt", "verify: {contains: [{path: a, text: b, ", "}]}", textObject},
		{"prompt", "verify: {matches: [{path: a, pattern: b, ", "}]}", patternObject},
		{"prompt", "verify: {doc: [{path: a, ", "}]}", docObject},
		{"prompt", "verify: {yaml: [{path: a, ", "}]}", yamlObject},
		{"prompt", "verify: {json: [{path: a, ", "}]}", jsonObject},
		{"prompt", "verify: {json: [{path: a, array_none_match: [{path: a, field: b, ", "}]}]}", noneMatchObject},
		{"prompt", "verify: {glob: [{path: a, ", "}]}", globObject},
		{"prompt", "verify: {source_absent: [{path: a, pattern: b, ", "}]}", sourceObject},
		{"prompt", "verify: {commands: [{exec: a, ", "}]}", programObject},
		{"prompt", "verify: {commands: [{run: a, ", "}]}", shellObject},
		{"prompt", "verify: {repos_clean: [{repo: default, ", "}]}", cleanObject},
		{"manifest", "recovery: {", "}", recoveryObject},
		{"prompt", "recovery: {retry: {", "}}", retryObject},
		{"profile", "recovery: {repair: {", "}}", repairObject},
		{"manifest", "agent_control: {enabled: false, ", "}", agentControlObject},
		{"manifest", "execution: {completion: verifier_owned, ", "}", executionObject},
		{"manifest", "repos: {app: {path: ., ", "}}", repoObject},
		{"manifest", "repos: [{name: app, path: ., ", "}]", repoObject},
		{"prompt", "simulate: {", "}", simulateObject},
		{"prompt", "simulate: {attempts: [{", "}]}", stepObject},
		{"prompt", "simulate: {resume: {", "}}", stepObject},
		{"prompt", "simulate: {resume: {writes: [{", "}]}}", writeObject},
		{"prompt", "simulate: {resume: {error: {", "}}}", errorObject},
		{"prompt", "simulate: {resume: {error: {recovery: {", "}}}}", envelopeObject},
	} {
		for _, name := range place.object.names() {
			// The name of a map's entry is its key, and a key that stands there
			// already is replaced.
			before := place.before
			for _, given := range []string{"path: a, ", "text: b, ", "pattern: b, ", "exec: a, ", "run: a, ", "repo: default, ", "path: ., ", "name: app, ", "completion: verifier_owned, ", "enabled: false, ", "field: b, "} {
				if strings.HasSuffix(before, given) && strings.HasPrefix(given, name+":") {
					before = strings.TrimSuffix(before, given)
				}
			}
			front := before + strconv.Quote(name) + ": " + ill + place.after
			if strings.Contains(place.before, "repos: {app") && name == "name" || slices.Contains(free, name) || strings.Contains(before, " "+name+":") || strings.Contains(before, "{"+name+":") {
				continue
			}
			errors, _, invalid := verdicts(t, compiled[place.schema], place.schema, front)
			if name == "limits" {
				require.NotEmpty(t, errors, front)
				continue
			}
			found := false
			for _, finding := range errors {
				found = found || strings.Contains("."+strings.NewReplacer("[", ".", "]", "").Replace(finding.Key)+".", "."+name+".")
			}
			require.True(t, found, "no finding at %s for %s: %v", name, front, errors)
			require.Error(t, invalid, "the schema accepts %s", front)
		}
	}
}

// Parser and schema agree on what is valid.
func TestSchemaAgreesWithTheParser(t *testing.T) {
	compiled := schemas(t)
	for _, tc := range []struct {
		schema, front string
		valid         bool
	}{
		{"manifest", "name: a\nrepos: {app: ., lib: {path: ., default: true}}\nphases: {1: One}\nverify_roots: [.]", true},
		{"manifest", "repos: [{name: app, path: .}]\ntimeout: unbounded\nallowed_tools: Bash\nsdk_opts: {a: {b: 1}}", true},
		{"manifest", "timeout: \"5\"\nmax_turns: 3\nsystem_prompt: 5\nlog_mode: verbose\nunknown: 1", true},
		{"manifest", "profile: simulated-default\nrecovery: {resume_attempts: 1, retry: {jitter: \"1\", class_attempts: {unknown: 0}}, repair: {enabled: 0}}", true},
		{"manifest", "agent_control: {enabled: false, default_action: repeat, max_iterations: 2, completion_verify: {files_exist: [a]}}", true},
		{"manifest", "execution: {completion: verifier_owned, incomplete: fail}", true},
		{"manifest", "name:\nprofile: ~\nrepos: ~\nrecovery: ~", true},
		{"manifest", "repos: app", false},
		{"manifest", "repos: [app]", false},
		{"manifest", "max_turns: 0", false},
		{"manifest", "timeout: soon", false},
		{"manifest", "sdk_opts: [a]", false},
		{"manifest", "recovery: {retries: 1}", false},
		{"manifest", "recovery: {retry: {max_attempts: -1}}", false},
		{"manifest", "agent_control: {enabled: no}", false},
		{"manifest", "execution: {completion: nobody}", false},
		{"prompt", "id: 08\nphase: \"2\"\nsp: 3\ntargets: default\ndepends_on: 1\ncommit: \"fix: a\"", true},
		{"prompt", "verify: {files_exist: a, files_absent: [{path: b, repo: packet}], contains: {path: a, contains: 5}, matches: [{path: a, pattern: 'a(?!b)$'}]}", true},
		{"prompt", "verify: {doc: [a, {path: b, min_lines: \"3\", requires_sections: x, forbids_markers: []}], yaml: {path: c, root: scalar}}", true},
		{"prompt", "verify: {json: [a, {path: b, root: list, required_paths: a.b, non_empty_paths: [c], array_items_require: {d: e}, array_none_match: {path: a, field: b, equals: [1]}}]}", true},
		{"prompt", "verify: {glob: ['*.md', {path: a, min_matches: 0, max_matches: 0, non_empty: true}], source_absent: {path: ., pattern: a, extensions: .go, prune: [x]}}", true},
		{"prompt", "verify: {commands: [make, {run: make, cwd: a, timeout_ms: 5}, {program: a, argv: [1, true, b], env: {A: 1, B: ~}, fault_exit_codes: 3, stdout_contains: a, stdout_matches: b, regenerates: c}]}", true},
		{"prompt", "verify: {changed_paths_only: [a, 'packet:b'], repos_clean: [default, {repo: packet, pushed: true, network: false, fetch_timeout_ms: 5}]}", true},
		{"prompt", "verify: {commands: [], files_exist: ~, doc: []}\nvalidation: [make]", true},
		{"prompt", "simulate: {attempts: [{label: a, messages: [b, 1], writes: [{path: a, text: b, append: \"true\"}], delay_ms: 5, error: {kind: rate_limit, recovery: {class: x, \"retryable?\": true}}}], resume: [{}, {}]}", true},
		{"prompt", "verify: [a]", false},
		{"prompt", "verify: {file_exists: [a]}", false},
		{"prompt", "verify: {files_exist: [{repo: packet}]}", false},
		{"prompt", "verify: {files_exist: ['']}", false},
		{"prompt", "verify: {files_exist: [{path: a, x: b}]}", false},
		{"prompt", "verify: {contains: [a]}", false},
		{"prompt", "verify: {contains: [{path: a}]}", false},
		{"prompt", "verify: {matches: [{path: a}]}", false},
		{"prompt", "verify: {doc: [{path: a, min_lines: -1}]}", false},
		{"prompt", "verify: {yaml: [{path: a, root: dict}]}", false},
		{"prompt", "verify: {json: [{path: a, root: scalar}]}", false},
		{"prompt", "verify: {json: [{path: a, array_none_match: [{path: a}]}]}", false},
		{"prompt", "verify: {glob: [{path: a, non_empty: yes}]}", false},
		{"prompt", "verify: {source_absent: [a]}", false},
		{"prompt", "verify: {source_absent: [{path: a}]}", false},
		{"prompt", "verify: {commands: [true]}", false},
		{"prompt", "verify: {commands: ['']}", false},
		{"prompt", "verify: {commands: [{exec: true}]}", false},
		{"prompt", "verify: {commands: [{repo: packet}]}", false},
		{"prompt", "verify: {commands: [{exec: a, run: b}]}", false},
		{"prompt", "verify: {commands: [{exec: a, timeout_ms: 0}]}", false},
		{"prompt", "verify: {commands: [{exec: a, fault_exit_codes: [256]}]}", false},
		{"prompt", "verify: {repos_clean: [{repo: packet, push: true}]}", false},
		{"prompt", "commit: 5", false},
		{"prompt", "phase: one", false},
		{"prompt", "simulate: {attempts: {}}", false},
		{"prompt", "simulate: {attempts: [{mesages: []}]}", false},
		{"prompt", "simulate: {resume: {error: {kind: nope}}}", false},
		{"profile", "provider: codex\nprompt_template: a\ndiff: none", true},
		{"profile", "codex_opts: x", false},
	} {
		errors, _, invalid := verdicts(t, compiled[tc.schema], tc.schema, tc.front)
		require.Equal(t, tc.valid, len(errors) == 0, "%s %s: %v", tc.schema, tc.front, errors)
		require.Equal(t, tc.valid, invalid == nil, "%s %s: the schema says %v", tc.schema, tc.front, invalid)
	}
}

// An unknown key is warned about, is an error where it would lose a check, and
// never takes the others with it.
func TestUnknownKeysLoseNothing(t *testing.T) {
	compiled := schemas(t)
	errors, warnings, invalid := verdicts(t, compiled["prompt"], "prompt", "verfy: {files_exist: [a]}\nname: kept")
	require.Empty(t, errors)
	require.NoError(t, invalid)
	require.Len(t, warnings, 1)
	require.Equal(t, KindUnknownKey, warnings[0].Kind)
	require.Contains(t, warnings[0].Message, `did you mean "verify"`)
	split, err := SplitFrontMatter("x", "---\nverfy: 1\nname: kept\n---\n")
	require.NoError(t, err)
	require.Contains(t, split.String(), "verfy: 1")
}

func TestEveryKeyIsDescribed(t *testing.T) {
	for _, o := range []object{manifestObject, promptObject, profileObject, contractObject} {
		for _, k := range o.keys {
			require.True(t, strings.HasSuffix(k.doc, "."), "%s: %q", k.name, k.doc)
			require.NotNil(t, k.value, k.name)
		}
	}
}
