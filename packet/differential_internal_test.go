package packet

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// A spot is a place in a document where a schema says what may stand: a key, an
// item of a list, or a value of a map.
type spot struct {
	// key is the dotted key as findings have it.
	key string
	// within makes the smallest valid document around a value at the spot.
	within func(value any) any
	// keys are what the mapping at the spot takes; nil where it is none.
	keys    []string
	lenient bool
	// again marks a further description of the spot before.
	again bool
	// least and most bound the number at the spot; nil where none is taken.
	least, most *big.Int
}

// spots walks a schema.
func spots(schema map[string]any, key string, within func(any) any) []spot {
	found := []spot{{key: key, within: within}}
	if schema["maximum"] != nil {
		found[0].least, found[0].most = integer(schema["minimum"]), integer(schema["maximum"])
	}
	properties, _ := schema["properties"].(map[string]any)
	if properties != nil {
		found[0].keys = slices.Sorted(maps.Keys(properties))
		found[0].lenient = schema["additionalProperties"] == true
	}
	for _, name := range found[0].keys {
		around := sample(schema).(map[string]any)
		for _, rule := range listed(schema["allOf"]) {
			// A key and its alias exclude each other.
			if not, ok := rule["not"].(map[string]any); ok && slices.Contains(words(not["required"]), name) {
				for _, other := range words(not["required"]) {
					delete(around, other)
				}
			}
		}
		found = append(found, spots(properties[name].(map[string]any), strings.TrimPrefix(key+"."+name, "."), func(value any) any {
			document := maps.Clone(around)
			document[name] = value
			return within(document)
		})...)
	}
	if values, ok := schema["additionalProperties"].(map[string]any); ok {
		found = append(found, spots(values, key+".1", func(value any) any { return within(map[string]any{"1": value}) })...)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		found = append(found, spots(items, key+"[0]", func(value any) any { return within([]any{value}) })...)
	}
	branches := listed(schema["anyOf"])
	for _, branch := range branches {
		// One item that stands for a list of one is walked as part of the list.
		single := slices.ContainsFunc(branches, func(other map[string]any) bool {
			return other["items"] != nil && reflect.DeepEqual(other["items"], any(branch))
		})
		if !single {
			for i, at := range spots(branch, key, within) {
				at.again = at.again || i == 0
				found = append(found, at)
			}
		}
	}
	return found
}

func integer(value any) *big.Int {
	number, _ := new(big.Int).SetString(value.(json.Number).String(), 10)
	return number
}

func listed(value any) []map[string]any {
	list, _ := value.([]any)
	var found []map[string]any
	for _, item := range list {
		found = append(found, item.(map[string]any))
	}
	return found
}

func words(value any) []string {
	list, _ := value.([]any)
	var found []string
	for _, item := range list {
		found = append(found, item.(string))
	}
	return found
}

// sample is the smallest value that a schema takes.
func sample(schema map[string]any) any {
	if values, ok := schema["enum"].([]any); ok {
		return values[0]
	}
	if branches := listed(schema["anyOf"]); len(branches) > 0 {
		return sample(branches[0])
	}
	switch schema["type"] {
	case "object":
		value := map[string]any{}
		properties := schema["properties"].(map[string]any)
		for _, rule := range listed(schema["allOf"]) {
			if ways := listed(rule["anyOf"]); len(ways) > 0 {
				for _, name := range words(ways[0]["required"]) {
					value[name] = sample(properties[name].(map[string]any))
				}
			}
		}
		return value
	case "array":
		return []any{sample(schema["items"].(map[string]any))}
	case "boolean":
		return true
	case "integer":
		return schema["minimum"]
	}
	return "a"
}

// probes are put at every spot.
var probes = []any{
	nil, true, "true", "TRUE", "1", 0, 1, -1, 255, 256, 1.5, 3_000_000_000, int64(1) << 62, "5", "-5", " 7 ", "+7", "-0", "",
	" ", "a", ".", "default", "packet", "@artifact:x", "@artifact:", "Unbounded", "Off", "full", "map", "scalar",
	"bypass", "acceptEdits", "dont-ask", "YOLO", "Claude_Agent", "simulated-default", "rate_limit", "repeat",
	"verifier_owned", "fail", "123456789012345678901", "(", "Read",
	[]any{},
	[]any{"a"},
	[]any{"default"},
	[]any{nil},
	[]any{""},
	[]any{[]any{}},
	[]any{map[string]any{}},
	[]any{1},
	map[string]any{},
	map[string]any{"a": "a"},
	map[string]any{"a": nil},
	map[string]any{"1": "a"},
	map[string]any{"1": 1},
	map[string]any{"zz": map[string]any{}},
	map[string]any{"a=b": "c"},
	map[string]any{"path": "a", "text": "a"},
	map[string]any{"path": "a", "pattern": "a"},
	map[string]any{"path": "a", "field": "a"},
	map[string]any{"name": "a", "path": "a"},
	map[string]any{"repo": "@artifact:x"},
	map[string]any{"repo": "packet"},
	map[string]any{"path": "a"},
}

// beyond are the findings that no schema can make: they look at more than the
// shape of one value.
var beyond = []string{
	"^unknown repository", "an artifact is named", "^name an artifact in a map", "is a file of the workspace",
	"does not compile", "is not supported yet", "there is no profile", "cannot name a profile",
	"is no directory", "less than min_matches", "it must hold at least one item", "incomplete says nothing",
	"is a group, and packets have none", "means the packet root",
	// In quotes, where a schema counts no further.
	`^is "123456789012345678901"; it must be a whole number`,
}

// reader reads front matter of one kind of file, and returns what it holds.
func reader(t *testing.T) func(kind, front string) (any, *report) {
	t.Helper()
	root := t.TempDir()
	repos := []Repo{{Name: defaultRepo, Path: root, Default: true}}
	return func(kind, front string) (any, *report) {
		r := &report{}
		doc, ok := splitDocument(r, place{file: "f"}, "---\n"+front+"\n---\n")
		require.True(t, ok, "%s: %v", front, r.errors)
		switch kind {
		case "manifest":
			m := readManifest(r, doc.attrs, root, location{root: root}, Options{})
			m.attrs, m.agentControl = node{}, node{} // they hold unknown keys
			return m, r
		case "profile":
			return profileOf(r, doc.attrs), r
		default:
			read := promptReader{contractReader: contractReader{report: r, repos: repoNames(repos)}, packet: &Packet{Repos: repos}}
			return read.read("01_a.prompt.md", "f", doc).Prompt, r
		}
	}
}

// documents yields, for each kind of file, its compiled schema and its spots.
func documents(t *testing.T, each func(kind string, schema *jsonschema.Schema, spots []spot)) {
	t.Helper()
	generated, err := Schemas()
	require.NoError(t, err)
	compiled := schemas(t)
	for _, schema := range generated {
		var document map[string]any
		decoder := json.NewDecoder(bytes.NewReader(schema.Text))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&document))
		each(schema.Name, compiled[schema.Name], spots(document, "", func(value any) any { return value })[1:])
	}
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return data
}

func valid(t *testing.T, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return schema.Validate(value)
}

// anything are keys that take every value; inert ones are warned about instead.
var anything = regexp.MustCompile(`\.equals$`)

// refused are keys that nothing can be written at yet, or not alone.
var refused = regexp.MustCompile(`^(limits|agent_control|execution\.incomplete)\b`)

// Schema and parser judge every probe at every spot alike: what the schema
// refuses the parser refuses, and what the parser alone refuses is beyond a
// schema. At every key something is refused or warned about, by a finding at that
// key, and something else is accepted: so each key is read, and can be used.
func TestSchemaAndParserAgreeEverywhere(t *testing.T) {
	t.Parallel()
	read := reader(t)
	used := map[string]bool{}
	any := regexp.MustCompile("(" + strings.Join(beyond, ")|(") + ")")
	isBeyond := func(message string) bool {
		groups := any.FindStringSubmatch(message)
		for i, pattern := range beyond {
			used[pattern] = used[pattern] || groups != nil && groups[i+1] != ""
		}
		return groups != nil
	}
	documents(t, func(kind string, schema *jsonschema.Schema, all []spot) {
		found, accepted := map[string]bool{}, map[string]bool{}
		all = slices.DeleteFunc(all, func(at spot) bool { return at.again })
		for _, at := range all {
			for _, probe := range probes {
				data := encode(t, at.within(probe))
				invalid := valid(t, schema, data)
				_, r := read(kind, string(data))
				if invalid != nil && len(r.errors) == 0 {
					t.Errorf("%s: the parser takes %s, the schema does not: %v", kind, data, invalid)
				}
				for _, finding := range r.errors {
					if invalid == nil && !isBeyond(finding.Message) {
						t.Errorf("%s: the schema takes %s, the parser does not: %s", kind, data, finding)
					}
				}
				for _, finding := range slices.Concat(r.errors, r.warnings) {
					rest, isAt := strings.CutPrefix(finding.Key, at.key)
					found[at.key] = found[at.key] || isAt && (rest == "" || strings.ContainsAny(rest[:1], ".["))
				}
				accepted[at.key] = accepted[at.key] || probe != nil && len(r.errors) == 0
			}
		}
		for _, at := range all {
			if !found[at.key] && !anything.MatchString(at.key) {
				t.Errorf("%s: nothing is ever found at %s, so nothing reads it", kind, at.key)
			}
			if !accepted[at.key] && !refused.MatchString(at.key) {
				t.Errorf("%s: nothing is accepted at %s", kind, at.key)
			}
		}
	})
	for _, pattern := range beyond {
		require.True(t, used[pattern], "no finding is excused by %q any more", pattern)
	}
}

// An unknown key is an error or a warning as its mapping says, with a suggestion
// when it is a mistyped one. Where it is a warning, nothing else changes.
func TestUnknownKeysEverywhere(t *testing.T) {
	t.Parallel()
	read := reader(t)
	documents(t, func(kind string, schema *jsonschema.Schema, all []spot) {
		for _, at := range all {
			if at.keys == nil {
				continue
			}
			around := smallest(t, schema, kind, at, read)
			plain, _ := read(kind, string(encode(t, at.within(around))))
			for _, name := range at.keys {
				mistyped := name + "q"
				with := maps.Clone(around)
				with[mistyped] = "x"
				data := encode(t, at.within(with))
				got, r := read(kind, string(data))
				list := r.errors
				if at.lenient {
					require.Equal(t, plain, got, "%s", data)
					list = r.warnings
				}
				i := slices.IndexFunc(list, func(f Finding) bool { return f.Key == strings.TrimPrefix(at.key+"."+mistyped, ".") })
				require.GreaterOrEqual(t, i, 0, "%s: nothing at %s: %v", data, mistyped, list)
				require.Regexp(t, `^unknown (key|clause) \(did you mean "`, list[i].Message)
				require.Equal(t, at.lenient, valid(t, schema, data) == nil, "%s", data)
			}
		}
	})
}

// smallest is a mapping at the spot that is valid.
func smallest(t *testing.T, schema *jsonschema.Schema, kind string, at spot, read func(string, string) (any, *report)) map[string]any {
	t.Helper()
	for _, try := range []map[string]any{
		{},
		{"path": "a"},
		{"name": "b", "path": "a"},
		{"exec": "a"},
		{"run": "a"},
		{"path": "a", "text": "a"},
		{"path": "a", "pattern": "a"},
		{"path": "a", "field": "a"},
	} {
		subset := !slices.ContainsFunc(slices.Collect(maps.Keys(try)), func(name string) bool { return !slices.Contains(at.keys, name) })
		if subset && valid(t, schema, encode(t, at.within(try))) == nil {
			return try
		}
	}
	t.Fatalf("%s: no valid mapping at %s with %v", kind, at.key, at.keys)
	return nil
}

// Bounds are exact, in the parser and in the schema.
func TestBoundsOfNumbers(t *testing.T) {
	t.Parallel()
	read := reader(t)
	numbers := 0
	documents(t, func(kind string, schema *jsonschema.Schema, all []spot) {
		for _, at := range all {
			if at.most == nil {
				continue
			}
			numbers++
			above := new(big.Int).Add(at.most, big.NewInt(1))
			below := new(big.Int).Sub(at.least, big.NewInt(1))
			for value, good := range map[*big.Int]bool{at.least: true, at.most: true, above: false, below: false} {
				data := encode(t, at.within(value))
				_, r := read(kind, string(data))
				refused := slices.ContainsFunc(r.errors, func(f Finding) bool { return strings.Contains(f.Message, "whole number") })
				require.Equal(t, good, !refused, "%s: %v", data, r.errors)
				require.Equal(t, good, valid(t, schema, data) == nil, "%s", data)
			}
		}
	})
	require.Greater(t, numbers, 20)
}
