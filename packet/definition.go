package packet

import (
	"maps"
	"slices"
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
	// rules are further JSON Schema keywords for the mapping as a whole.
	rules shape
}

// key defines one key of a mapping.
type key struct {
	name string
	// aliases mean the same; at most one of them and name may stand.
	aliases []string
	// doc is one sentence for editors and documentation.
	doc   string
	value shape
}

// shape is a JSON Schema for a value.
type shape map[string]any

// names lists the keys, each followed by its aliases.
func (o object) names() []string {
	var names []string
	for _, k := range o.keys {
		names = append(append(names, k.name), k.aliases...)
	}
	return names
}

// with is the object with further keys.
func (o object) with(keys ...key) object {
	o.keys = slices.Concat(o.keys, keys)
	return o
}

// ruled is the object with rules for the mapping as a whole.
func (o object) ruled(rules shape) object {
	o.rules = rules
	return o
}

// Every scalar is read as the text that the author wrote, so a number is as good
// a text as a quoted one.
func anyText() shape { return shape{"type": []string{"string", "number", "boolean"}} }

func nonBlank() shape {
	return shape{"type": []string{"string", "number", "boolean"}, "pattern": `\S`}
}

func oneOf(values ...string) shape { return shape{"enum": values} }

func truth() shape { return shape{"type": "boolean"} }

// looseTruth is also spelled in quotes or as a number.
func looseTruth() shape {
	return shape{"enum": []any{true, false, "true", "True", "TRUE", "1", 1, "false", "False", "FALSE", "0", 0}}
}

// whole is a decimal integer, quoted or not.
func whole(least, most int64) shape {
	return anyOf(
		shape{"type": "integer", "minimum": least, "maximum": most},
		shape{"type": "string", "pattern": `^\s*[-+]?[0-9]+\s*$`},
	)
}

func anyOf(shapes ...shape) shape { return shape{"anyOf": shapes} }

// list is a list of items, or one item that stands for a list of one.
func list(item shape) shape {
	return anyOf(shape{"type": "array", "items": item}, item)
}

// strictList is a list only.
func strictList(item shape) shape { return shape{"type": "array", "items": item} }

// mapping is a map from any key to a value.
func mapping(value shape) shape {
	return shape{"type": "object", "additionalProperties": value}
}

// optional also takes null, which means that the key was not written.
func optional(value shape) shape { return anyOf(value, shape{"type": "null"}) }

// shape is the JSON Schema of the mapping.
func (o object) shape() shape {
	properties := map[string]shape{}
	for _, k := range o.keys {
		described := shape{"description": k.doc}
		maps.Copy(described, optional(k.value))
		properties[k.name] = described
		for _, alias := range k.aliases {
			properties[alias] = shape{"description": "The same as " + k.name + ".", "anyOf": described["anyOf"]}
		}
	}
	result := shape{"type": "object", "properties": properties, "additionalProperties": o.lenient}
	if o.title != "" {
		result["title"] = o.title
	}
	maps.Copy(result, o.rules)
	return result
}

// required demands keys; of a list of names one must be there.
func required(groups ...[]string) shape {
	var all []shape
	for _, names := range groups {
		var any []shape
		for _, name := range names {
			any = append(any, shape{"required": []string{name}})
		}
		all = append(all, anyOf(any...))
	}
	return shape{"allOf": all}
}
