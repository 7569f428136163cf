package packet

import (
	"encoding/json"
	"iter"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// kind is the shape of a node.
type kind uint8

const (
	// kindAbsent is the zero node: the key is not there.
	kindAbsent kind = iota
	kindNull
	kindScalar
	kindList
	kindMap
)

func (k kind) String() string {
	switch k {
	case kindNull:
		return "null"
	case kindScalar:
		return "a single value"
	case kindList:
		return "a list"
	case kindMap:
		return "a map"
	default:
		return "missing"
	}
}

// node is a value of the front matter. A scalar is the text that the author
// wrote: "08" stays "08" and dates stay text; what it means is decided by the
// key that reads it.
type node struct {
	place
	kind kind
	text string
	// quoted scalars are always strings.
	quoted bool
	items  []node
	fields []field
}

type field struct {
	name  string
	value node
}

// get returns the field of that name, or an absent node that knows its place.
func (n node) get(name string) node {
	for _, field := range n.fields {
		if field.name == name {
			return field.value
		}
	}
	return node{place: n.key(name)}
}

func (n node) has(name string) bool { return n.get(name).kind != kindAbsent }

// given reports whether the author wrote a value. A null is none.
func (n node) given() bool { return n.kind != kindAbsent && n.kind != kindNull }

// elements reads a value where one element may stand for a list of one.
func (n node) elements() []node {
	switch n.kind {
	case kindList:
		return n.items
	case kindScalar, kindMap:
		return []node{n}
	default:
		return nil
	}
}

var numberPattern = regexp.MustCompile(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)

// boolean resolves a scalar by YAML's core schema.
func (n node) boolean() (value, ok bool) {
	if n.kind != kindScalar || n.quoted {
		return false, false
	}
	switch n.text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// isString reports whether YAML's core schema makes the scalar a string.
func (n node) isString() bool {
	if n.kind != kindScalar {
		return false
	}
	_, boolean := n.boolean()
	return n.quoted || !boolean && !numberPattern.MatchString(n.text)
}

// describe names a value in a message.
func (n node) describe() string {
	if n.kind != kindScalar {
		return n.kind.String()
	}
	const limit = 60
	text := n.text
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return strconv.Quote(text)
}

// scalars yields every single value in the node.
func (n node) scalars() iter.Seq[node] {
	return func(yield func(node) bool) { n.eachScalar(yield) }
}

func (n node) eachScalar(yield func(node) bool) bool {
	if n.kind == kindScalar {
		return yield(n)
	}
	for _, item := range n.items {
		if !item.eachScalar(yield) {
			return false
		}
	}
	for _, field := range n.fields {
		if !field.value.eachScalar(yield) {
			return false
		}
	}
	return true
}

// plain is the node as values that encoding/json writes canonically.
func (n node) plain() any {
	switch n.kind {
	case kindScalar:
		if value, ok := n.boolean(); ok {
			return value
		}
		return n.text
	case kindList:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.plain()
		}
		return list
	case kindMap:
		fields := make(map[string]any, len(n.fields))
		for _, field := range n.fields {
			fields[field.name] = field.value.plain()
		}
		return fields
	default:
		return nil
	}
}

// typed is the node as the values that YAML's core schema gives it, for
// encoding/json.
func (n node) typed() any {
	switch n.kind {
	case kindScalar:
		if value, ok := n.boolean(); ok {
			return value
		}
		if n.isString() {
			return n.text
		}
		return number(n.text)
	case kindList:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.typed()
		}
		return list
	case kindMap:
		fields := make(map[string]any, len(n.fields))
		for _, field := range n.fields {
			fields[field.name] = field.value.typed()
		}
		return fields
	default:
		return nil
	}
}

// number is a number of YAML's core schema for encoding/json; what JSON has no
// number for stays the text.
func number(text string) any {
	base := map[string]int{"0o": 8, "0x": 16}[text[:min(2, len(text))]]
	if base != 0 {
		if value, ok := new(big.Int).SetString(text[2:], base); ok {
			return json.Number(value.String())
		}
		return text
	}
	if value, ok := new(big.Int).SetString(text, 10); ok {
		return json.Number(value.String())
	}
	if value, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(value, 0) && !math.IsNaN(value) {
		return value
	}
	return text
}

// text reads any scalar as the text that the author wrote. An absent or null
// value is "" and false without an error.
func (r *report) text(n node) (string, bool) {
	if !n.given() {
		return "", false
	}
	if n.kind != kindScalar {
		r.errorf(n.place, "is %s; it must be a text", n.kind)
		return "", false
	}
	return n.text, true
}

// word reads a scalar that must not be blank.
func (r *report) word(n node) (string, bool) {
	text, ok := r.text(n)
	if ok && strings.TrimSpace(text) == "" {
		r.errorf(n.place, "is empty; give a value or remove the key")
		return "", false
	}
	return text, ok
}

// whole reads a decimal integer; quotes around it do not matter.
func (r *report) whole(n node, b bounds) (int64, bool) {
	if !n.given() {
		return 0, false
	}
	if n.kind == kindScalar {
		value, err := strconv.ParseInt(strings.TrimSpace(n.text), 10, 64)
		if err == nil && value >= b.least && value <= b.most {
			return value, true
		}
	}
	r.errorf(n.place, "is %s; it must be a whole number from %d to %d", n.describe(), b.least, b.most)
	return 0, false
}

// truth reads a boolean.
func (r *report) truth(n node) (value, ok bool) {
	if !n.given() {
		return false, false
	}
	if value, ok = n.boolean(); !ok {
		r.errorf(n.place, "is %s; it must be true or false", n.describe())
	}
	return value, ok
}

// looseTruth also reads the quoted and numeric spellings of a boolean.
func (r *report) looseTruth(n node) (value, ok bool) {
	if n.kind == kindScalar {
		switch n.text {
		case "true", "True", "TRUE", "1":
			return true, true
		case "false", "False", "FALSE", "0":
			return false, true
		}
	}
	return r.truth(n)
}

// texts reads a list of scalars, or one scalar as a list of one.
func (r *report) texts(n node) []string {
	if n.kind == kindMap {
		r.errorf(n.place, "is a map; it must be a list of texts")
		return nil
	}
	var list []string
	for _, item := range n.elements() {
		if item.kind == kindNull {
			r.errorf(item.place, "is null; write a text, in quotes if it is meant to be empty or \"~\"")
			continue
		}
		if text, ok := r.text(item); ok {
			list = append(list, text)
		}
	}
	return list
}

// block reports whether n is a map; something else that was given is an error.
func (r *report) block(n node) bool {
	if n.given() && n.kind != kindMap {
		r.errorf(n.place, "is %s; it must be a map", n.describe())
	}
	return n.kind == kindMap
}

// words is texts whose elements must not be blank.
func (r *report) words(n node) []string {
	list := r.texts(n)
	for _, item := range n.elements() {
		if item.kind == kindScalar && strings.TrimSpace(item.text) == "" {
			r.errorf(item.place, "is empty; give a value or remove it")
		}
	}
	return list
}

// required reads a word that must be there.
func (r *report) required(n node) (string, bool) {
	if !n.given() {
		r.errorf(n.place, "is missing")
		return "", false
	}
	return r.word(n)
}

// either reads a key of o that has an alias; two at once are an error.
func (r *report) either(n node, o object, name string) node {
	found := n.get(name)
	for _, alias := range o.key(name).aliases {
		switch {
		case !n.has(alias):
		case found.kind == kindAbsent:
			found = n.get(alias)
		default:
			r.errorf(n.get(alias).place, "means the same as %s, which is there too; keep one", name)
		}
	}
	return found
}
