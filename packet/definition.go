package packet

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// object defines a mapping of the format. It is what the parser knows of the
// mapping's keys and what the JSON Schemas are made of, so that neither can know
// a key that the other does not.
type object struct {
	// title names the mapping in schemas.
	title string
	keys  []key
	// lenient mappings warn about unknown keys, the others refuse them.
	lenient bool
	// artifacts may stand in place of a path: the key repo then says all.
	artifacts bool
}

// key defines one key of a mapping. A null means that the key was not written.
type key struct {
	name string
	// aliases mean the same; at most one of them and name may stand.
	aliases []string
	// doc is one sentence for editors and documentation.
	doc   string
	value shape
	// required keys must be there and must not be null.
	required bool
	// fallback is the value of an absent key; nil when it depends on others.
	fallback any
	// inert keys are accepted and have no effect, which a warning says.
	inert bool
}

// shape makes the JSON Schema of a value. Schemas are made when they are asked for:
// most commands only read packets.
type shape func() schema

// schema is a JSON Schema.
type schema map[string]any

// names lists the keys, each followed by its aliases.
func (o object) names() []string {
	var names []string
	for _, k := range o.keys {
		names = append(names, k.names()...)
	}
	return names
}

func (k key) names() []string { return append([]string{k.name}, k.aliases...) }

// key is the definition of the key of that name.
func (o object) key(name string) key {
	i := slices.IndexFunc(o.keys, func(k key) bool { return k.name == name })
	return o.keys[i]
}

// with is the object with further keys.
func (o object) with(keys ...key) object {
	o.keys = slices.Concat(o.keys, keys)
	return o
}

// bounds are the least and the greatest number that a key takes.
type bounds struct{ least, most int64 }

// maxCount bounds numbers that count something.
const maxCount = math.MaxInt32

var (
	counts    = bounds{0, maxCount}
	positives = bounds{1, maxCount}
	exitCodes = bounds{0, 255}
	// delays and timeouts are in milliseconds; a timeout of 0 would end at once.
	delays   = bounds{0, unboundedMS}
	timeouts = bounds{1, unboundedMS}
	// sessionTimeouts may be longer than what they are cut to.
	sessionTimeouts = bounds{1, math.MaxInt64}
)

// Every scalar is read as the text that the author wrote, so a number is as good
// a text as a quoted one.
func anyText() schema { return schema{"type": []string{"string", "number", "boolean"}} }

func nonEmpty() schema {
	return schema{"type": []string{"string", "number", "boolean"}, "minLength": 1}
}

func nonBlank() schema {
	return schema{"type": []string{"string", "number", "boolean"}, "pattern": `\S`}
}

// commandLine is a text that YAML must not read as a number or boolean.
func commandLine() schema { return schema{"type": "string", "pattern": `\S`} }

// anyValue is any value.
func anyValue() schema { return schema{} }

// anyMap is a map of anything.
func anyMap() schema { return schema{"type": "object"} }

func null() schema { return schema{"type": "null"} }

func oneOf[T ~string](values ...T) shape {
	return func() schema { return schema{"enum": values} }
}

// choice is one of the words, the default first; others have no effect.
func choice(words []string) shape { return anyOf(oneOf(words...), nonBlank) }

// spelled is one of the words in any case; underline is the pattern for an
// underscore in them. The enum is what editors offer.
func spelled(offered, words []string, underline string) shape {
	return anyOf(oneOf(offered...), func() schema {
		var pattern strings.Builder
		pattern.WriteString(`^\s*(`)
		for i, word := range words {
			if i > 0 {
				pattern.WriteByte('|')
			}
			for _, letter := range word {
				if letter == '_' {
					pattern.WriteString(underline)
					continue
				}
				pattern.WriteString("[" + string(letter) + strings.ToUpper(string(letter)) + "]")
			}
		}
		pattern.WriteString(`)\s*$`)
		return schema{"type": "string", "pattern": pattern.String()}
	})
}

func truth() schema { return schema{"type": "boolean"} }

// looseTruth is also spelled in quotes or as a number.
func looseTruth() schema {
	return schema{"enum": []any{true, false, "true", "True", "TRUE", "1", 1, "false", "False", "FALSE", "0", 0}}
}

// whole is a decimal integer, quoted or not. What stands in quotes is held
// against the lower bound only.
func whole(b bounds) shape {
	return func() schema {
		quoted := `^\s*(\+?[0-9]+|-0+)\s*$`
		if b.least > 0 {
			quoted = `^\s*\+?0*[1-9][0-9]*\s*$`
		}
		return either(
			schema{"type": "integer", "minimum": b.least, "maximum": b.most},
			schema{"type": "string", "pattern": quoted},
		)
	}
}

// idText is a prompt id.
func idText() schema {
	return either(
		schema{"type": "integer", "minimum": 0},
		schema{"type": "string", "pattern": fmt.Sprintf(`^\s*[0-9]{1,%d}\s*$`, maxID)},
	)
}

func either(schemas ...schema) schema { return schema{"anyOf": schemas} }

func anyOf(shapes ...shape) shape {
	return func() schema {
		var schemas []schema
		for _, one := range shapes {
			schemas = append(schemas, one())
		}
		return either(schemas...)
	}
}

// list is a list of items, or one item that stands for a list of one.
func list(item shape) shape { return anyOf(strictList(item), item) }

// fullList is a list that holds something.
func fullList(item shape) shape {
	return anyOf(func() schema { return schema{"type": "array", "items": item(), "minItems": 1} }, item)
}

// strictList is a list only.
func strictList(item shape) shape {
	return func() schema { return schema{"type": "array", "items": item()} }
}

// mapping is a map from any key to a value.
func mapping(value shape) shape {
	return func() schema { return schema{"type": "object", "additionalProperties": value()} }
}

// named is a map to a value from keys that match a pattern.
func named(pattern string, value shape) shape {
	return func() schema {
		return schema{"type": "object", "additionalProperties": value(), "propertyNames": schema{"pattern": pattern}}
	}
}

// optional also takes null.
func optional(value shape) shape { return anyOf(value, null) }

// schema is the JSON Schema of the mapping.
func (o object) schema() schema {
	properties := map[string]schema{}
	var rules []schema
	for _, k := range o.keys {
		value := k.value
		if !k.required {
			value = optional(value)
		}
		described := schema{"description": k.doc}
		if k.fallback != nil {
			described["default"] = k.fallback
		}
		maps.Copy(described, value())
		properties[k.name] = described
		for _, alias := range k.aliases {
			same := maps.Clone(described)
			same["description"] = "The same as " + k.name + "."
			properties[alias] = same
			rules = append(rules, schema{"not": schema{"required": []string{k.name, alias}}})
		}
		if k.required {
			rules = append(rules, o.demand(k))
		}
	}
	result := schema{"type": "object", "properties": properties, "additionalProperties": o.lenient}
	if o.title != "" {
		result["title"] = o.title
	}
	if len(rules) > 0 {
		result["allOf"] = rules
	}
	return result
}

// demand is the rule that a required key is there, under one of its names.
func (o object) demand(k key) schema {
	var ways []schema
	for _, name := range k.names() {
		ways = append(ways, schema{"required": []string{name}})
	}
	if o.artifacts && k.name == pathKey.name {
		ways = append(ways, schema{
			"required":   []string{repoKey.name},
			"properties": schema{repoKey.name: schema{"type": "string", "pattern": "^" + ArtifactPrefix}},
		})
	}
	return either(ways...)
}
