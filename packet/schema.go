package packet

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Schema is a JSON Schema for the front matter of one kind of file.
type Schema struct {
	// Name is the kind of file: manifest, prompt or profile.
	Name string
	// File is what the schema's file is called.
	File string
	// Text is the document, indented, with a line feed at the end.
	Text []byte
}

// dialect is the JSON Schema dialect of the documents.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Schemas are generated from the definitions that the parser goes by. They are as
// lenient as the parser: unknown keys that only get a warning are allowed.
func Schemas() ([]Schema, error) {
	var schemas []Schema
	for _, one := range []struct {
		name   string
		object object
	}{{"manifest", manifestObject}, {"prompt", promptObject}, {"profile", profileObject}} {
		document := one.object.schema()
		document["$schema"] = dialect
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(document); err != nil {
			return nil, fmt.Errorf("schema %s: %w", one.name, err)
		}
		schemas = append(schemas, Schema{Name: one.name, File: SchemaFile(one.name), Text: text.Bytes()})
	}
	return schemas, nil
}

// SchemaFile is what the file of a schema is called.
func SchemaFile(name string) string { return "prompt_runner." + name + ".schema.json" }
