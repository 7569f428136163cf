package verifier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"

	"github.com/prompt-runner/prompt-runner/packet"
)

// json passes when the file parses and holds what is demanded.
func (s Scope) json(entry packet.JSONEntry) Item {
	check := &JSONCheck{Problems: []string{}}
	item := Item{Kind: JSON, JSONCheck: check}
	text, ok := s.text(&item, entry.PathEntry)
	if !ok {
		return item
	}
	document, err := parseJSON(text)
	if err != nil {
		check.Problems = append(check.Problems, err.Error())
		item.Details = fmt.Sprintf("expected %s to parse as JSON: %v", item.ResolvedPath, err)
		return item
	}
	check.Problems = append(check.Problems, jsonProblems(document, entry)...)
	if len(check.Problems) > 0 {
		item.Details = fmt.Sprintf("%s (in %s)", strings.Join(check.Problems, "; "), item.ResolvedPath)
		return item
	}
	item.Pass, item.Details = true, "ok"
	return item
}

// parseJSON reads exactly one value, its numbers as they are written.
func parseJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document any
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it holds no value")
	}
	if err != nil {
		line := 1 + bytes.Count(text[:min(int(decoder.InputOffset()), len(text))], []byte{'\n'})
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line = 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte{'\n'})
		}
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	end := decoder.InputOffset()
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: something follows the value", 1+bytes.Count(text[:end], []byte{'\n'}))
	}
	return document, nil
}

// jsonProblems lists what the document lacks, in the order of the entry's keys.
func jsonProblems(document any, entry packet.JSONEntry) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, readable(fmt.Sprintf(format, args...))) }
	if shape := jsonShape(document); entry.Root != "" && shape != entry.Root {
		add("expected root %s, got %s", entry.Root, shape)
	}
	for _, path := range entry.RequiredPaths {
		if _, found := lookup(document, path); !found {
			add("missing path %s", path)
		}
	}
	for _, path := range entry.NonEmptyPaths {
		if value, found := lookup(document, path); !found || isEmpty(value) {
			add("empty path %s", path)
		}
	}
	for _, demanded := range entry.ArrayItemsRequire {
		value, _ := lookup(document, demanded.Path)
		items, ok := value.([]any)
		if !ok {
			add("%s is not an array", demanded.Path)
			continue
		}
		var lacking []string
		for i, item := range items {
			if missing := missingKeys(item, demanded.Keys); missing != "" {
				lacking = append(lacking, fmt.Sprintf("[%d] lacks %s", i, missing))
			}
		}
		if len(lacking) > 0 {
			add("%s has %d item(s) missing required keys: %s", demanded.Path, len(lacking), listing(lacking))
		}
	}
	for _, none := range entry.ArrayNoneMatch {
		unwanted, err := parseJSON(none.Equals)
		if err != nil {
			add("array_none_match: the value to compare with is no JSON: %v", err)
			continue
		}
		value, _ := lookup(document, none.Path)
		items, _ := value.([]any)
		var hits []string
		for i, item := range items {
			if object, ok := item.(map[string]any); ok && equalJSON(object[none.Field], unwanted) {
				hits = append(hits, fmt.Sprintf("[%d]", i))
			}
		}
		if len(hits) > 0 {
			add("%s has %d item(s) where %s=%s: %s", none.Path, len(hits), none.Field, none.Equals, listing(hits))
		}
	}
	return problems
}

// lookup follows a dotted path of object keys; empty elements do not count.
func lookup(value any, path string) (any, bool) {
	for key := range strings.SplitSeq(path, ".") {
		if key == "" {
			continue
		}
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[key]; !ok {
			return nil, false
		}
	}
	return value, true
}

func jsonShape(value any) packet.Shape {
	switch value.(type) {
	case map[string]any:
		return packet.ShapeMap
	case []any:
		return packet.ShapeList
	}
	return packet.ShapeScalar
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// missingKeys lists the keys that an item lacks.
func missingKeys(item any, keys []string) string {
	object, ok := item.(map[string]any)
	if !ok {
		return "every key: it is no object"
	}
	var missing []string
	for _, key := range keys {
		if _, found := object[key]; !found {
			missing = append(missing, key)
		}
	}
	return strings.Join(missing, ", ")
}

// maxExponent bounds the powers of ten that numbers are compared with exactly.
const maxExponent = 4096

// equalJSON compares by value: 1 and 1.0 are the same number.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		other, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, xok := rational(a)
		y, yok := rational(other)
		return xok && yok && x.Cmp(y) == 0 || a == other
	case []any:
		other, ok := b.([]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for i := range a {
			if !equalJSON(a[i], other[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for key, value := range a {
			if also, found := other[key]; !found || !equalJSON(value, also) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// rational is the exact value of a number whose exponent is not absurd.
func rational(n json.Number) (*big.Rat, bool) {
	if at := strings.IndexAny(string(n), "eE"); at >= 0 {
		exponent, ok := new(big.Int).SetString(strings.TrimPrefix(string(n)[at+1:], "+"), 10)
		if !ok || exponent.CmpAbs(big.NewInt(maxExponent)) > 0 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(n))
}
