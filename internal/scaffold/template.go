package scaffold

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

//go:embed templates/*.prompt.md
var embedded embed.FS

const templateSuffix = ".prompt.md"

// Template is where a template comes from.
type Template struct {
	Name string `json:"name"`
	// Source is builtin, home, packet or file.
	Source string `json:"source"`
	// Location is the file's path; empty for a built-in one.
	Location string `json:"location,omitempty"`
	text     string
}

// Text is the template itself.
func (t Template) Text() string { return t.text }

func builtInTemplates() []string {
	entries, err := embedded.ReadDir("templates")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), templateSuffix))
	}
	return names
}

func builtInTemplate(name string) (string, error) {
	text, err := embedded.ReadFile("templates/" + name + templateSuffix)
	return string(text), err
}

func templatePath(dir, name string) string {
	return filepath.Join(dir, "templates", name+templateSuffix)
}

// Places are where templates are looked for; empty ones are left out.
type Places struct {
	// Packet is a packet's directory, Home the configuration directory.
	Packet, Home string
	// WorkDir is what a template given as a path is relative to, HomeDir what "~"
	// in it stands for.
	WorkDir, HomeDir string
}

// TemplateIsFile reports whether a template's name is the path of a file.
func TemplateIsFile(name string) bool {
	return strings.Contains(name, "/") || strings.HasSuffix(name, ".md")
}

// FindTemplate finds a template by name: in the packet, the configuration
// directory, then among the built-in ones. A name with a slash or ending in .md is
// the path of a file.
func FindTemplate(name string, places Places) (Template, error) {
	if TemplateIsFile(name) {
		path := name
		if rest, ok := strings.CutPrefix(name, "~/"); ok && places.HomeDir != "" {
			path = filepath.Join(places.HomeDir, rest)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(places.WorkDir, path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return Template{}, inputf("template: %v", err)
		}
		return Template{Name: name, Source: "file", Location: path, text: string(text)}, nil
	}
	templates, err := Templates(places)
	if err != nil {
		return Template{}, err
	}
	var names []string
	for _, template := range templates {
		if template.Name == name {
			return template, nil
		}
		names = append(names, template.Name)
	}
	return Template{}, inputf("there is no template %q; there are: %s", name, strings.Join(names, ", "))
}

// Templates lists the templates that names find, sorted.
func Templates(places Places) ([]Template, error) {
	found := map[string]Template{}
	for _, name := range builtInTemplates() {
		text, err := builtInTemplate(name)
		if err != nil {
			return nil, err
		}
		found[name] = Template{Name: name, Source: "builtin", text: text}
	}
	for _, place := range []struct{ dir, source string }{{places.Home, "home"}, {places.Packet, "packet"}} {
		if place.dir == "" {
			continue
		}
		dir := filepath.Join(place.dir, "templates")
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("templates: %w", err)
		}
		for _, entry := range entries {
			name, ok := strings.CutSuffix(entry.Name(), templateSuffix)
			if !ok || name == "" {
				continue
			}
			path := filepath.Join(dir, entry.Name())
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, fmt.Errorf("template: %w", err)
			}
			found[name] = Template{Name: name, Source: place.source, Location: path, text: string(text)}
		}
	}
	templates := make([]Template, 0, len(found))
	for _, template := range found {
		templates = append(templates, template)
	}
	slices.SortFunc(templates, func(a, b Template) int { return cmp.Compare(a.Name, b.Name) })
	return templates, nil
}

// promptFields are what a template is filled with.
type promptFields struct {
	id      string
	phase   int
	name    string
	targets []string
	commit  string
}

// schemaHint begins the line by which editors find a schema; it must come first.
const schemaHint = "# yaml-language-server:"

// render fills a template: its front matter with the fields, which win over its
// own keys, and its body with the words in braces. Everything else in the template,
// comments and blank lines included, stays as it is.
func (t Template) render(fields promptFields) (string, error) {
	split, err := packet.SplitFrontMatter(cmp.Or(t.Location, "template "+t.Name), strings.ReplaceAll(t.text, "\r\n", "\n"))
	if err != nil {
		return "", inputf("%v", err)
	}
	attrs, err := t.attributes(split.YAML)
	if err != nil {
		return "", err
	}
	var hint strings.Builder
	for strings.HasPrefix(split.YAML, schemaHint) {
		line, rest, _ := strings.Cut(split.YAML, "\n")
		hint.WriteString(line + "\n")
		split.YAML = rest
	}
	if attrs.Style&yaml.FlowStyle != 0 { // keys cannot be edited one by one in braces
		attrs.Style = 0
		if split.YAML, err = packet.EncodeYAML(attrs); err != nil {
			return "", err
		}
	}
	added := &yaml.Node{Kind: yaml.MappingNode}
	generated := fields.node(t.Name)
	for i := 0; i+1 < len(generated.Content); i += 2 {
		key, value := generated.Content[i].Value, generated.Content[i+1]
		switch own := lookup(attrs, key); {
		case own == nil:
			set(added, key, value)
		case key == templateKey:
		default:
			split, err = split.EditKey(key, func(before *yaml.Node) (*yaml.Node, error) {
				value.LineComment = before.LineComment
				return value, nil
			})
			if err != nil {
				return "", inputf("template %s: %v", t.Name, err)
			}
		}
	}
	text, err := packet.EncodeYAML(added)
	if err != nil {
		return "", err
	}
	bullets := "- none named"
	if len(fields.targets) > 0 {
		bullets = "- `" + strings.Join(fields.targets, "`\n- `") + "`"
	}
	body := strings.NewReplacer(
		"{{id}}", fields.id, "{{phase}}", strconv.Itoa(fields.phase), "{{name}}", fields.name, "{{commit}}", fields.commit,
		"{{targets_csv}}", strings.Join(fields.targets, ", "), "{{targets_bullets}}", bullets,
	).Replace(split.Body)
	return "---\n" + hint.String() + text + split.YAML + "---\n" + body, nil
}

// attributes are the template's own keys.
func (t Template) attributes(front string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		return nil, inputf("template %s: %v", t.Name, err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	return doc.Content[0], nil
}

// templateKey records what a prompt was made from.
const templateKey = "template"

// node is the front matter that a prompt gets from its fields.
func (f promptFields) node(template string) *yaml.Node {
	generated := &yaml.Node{Kind: yaml.MappingNode}
	set(generated, "id", quoted(f.id))
	put(generated, "phase", f.phase)
	set(generated, "name", quoted(f.name))
	if len(f.targets) > 0 {
		put(generated, "targets", f.targets)
	}
	set(generated, "commit", quoted(f.commit))
	put(generated, templateKey, template)
	return generated
}

func quoted(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

func lookup(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
