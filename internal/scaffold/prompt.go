package scaffold

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Prompt is a prompt to write.
type Prompt struct {
	// ID is digits; they are padded to two.
	ID string
	// Phase counts from 0; [NewPrompt] writes it as it is.
	Phase int
	// Name is "New Prompt" when empty.
	Name string
	// Targets are the default repository when empty.
	Targets []string
	// Commit is derived from the name when empty.
	Commit string
	// Template is the packet's when empty.
	Template string
}

// NewPrompt writes a prompt into a packet and returns its path. An id that another
// file has is refused.
func NewPrompt(manifest Manifest, prompt Prompt, places Places, force bool) (string, error) {
	made, err := manifest.draft(prompt, places)
	if err != nil {
		return "", err
	}
	return made.path, write(made.path, made.text, force)
}

// draft is a file that is still to be written.
type draft struct{ path, text string }

// draft is the file of a prompt.
func (m Manifest) draft(prompt Prompt, places Places) (draft, error) {
	id, err := normalID(prompt.ID)
	if err != nil {
		return draft{}, err
	}
	if prompt.Phase < 0 {
		return draft{}, inputf("phase %d: phases are numbers from 0 on", prompt.Phase)
	}
	name := cmp.Or(strings.Join(strings.Fields(prompt.Name), " "), "New Prompt")
	slug := slugOf(name)
	targets := prompt.Targets
	for _, target := range targets {
		if !slices.Contains(m.Repos, target) {
			return draft{}, inputf("unknown repository %q; the packet has: %s", target, strings.Join(m.Repos, ", "))
		}
	}
	if len(targets) == 0 && m.DefaultRepo != "" {
		targets = []string{m.DefaultRepo}
	}
	path := filepath.Join(m.PromptDir, id+"_"+slug+templateSuffix)
	if err := m.checkFree(id, path); err != nil {
		return draft{}, err
	}
	template, err := FindTemplate(cmp.Or(prompt.Template, m.Template, packet.DefaultTemplate), places)
	if err != nil {
		return draft{}, err
	}
	text, err := template.render(promptFields{
		id: id, phase: prompt.Phase, name: name, targets: targets,
		commit: cmp.Or(prompt.Commit, "chore: "+strings.ReplaceAll(slug, "_", "-")),
	})
	if err != nil {
		return draft{}, err
	}
	// The hint of the built-in templates is right for a prompts directory in the
	// packet; it may be elsewhere.
	schema := "$schema=" + filepath.ToSlash(filepath.Join("..", packet.SchemaFile("prompt"))) + "\n"
	if near, err := filepath.Rel(m.PromptDir, filepath.Join(m.Root, packet.SchemaFile("prompt"))); err == nil {
		if !strings.HasPrefix(near, "..") {
			near = "." + string(filepath.Separator) + near
		}
		text = strings.Replace(text, schemaHint+" "+schema, schemaHint+" $schema="+filepath.ToSlash(near)+"\n", 1)
	}
	return draft{path: path, text: text}, nil
}

// normalID is an id as packets write it: digits, at least two.
func normalID(typed string) (string, error) {
	digits := strings.TrimSpace(typed)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", inputf("%q is no prompt id; ids are digits such as 03", typed)
	}
	digits = strings.TrimLeft(digits, "0")
	return strings.Repeat("0", max(0, 2-len(digits))) + digits, nil
}

// checkFree refuses an id that another prompt has, in its front matter or in the
// name of its file, and a prompt that would hide others.
func (m Manifest) checkFree(id, path string) error {
	taken := func(file string) error {
		return inputf("the id %s is taken by %s; choose another", id, file)
	}
	for _, prompt := range m.prompts {
		if prompt.ID == id && prompt.File != path {
			return taken(prompt.File)
		}
		if !strings.HasSuffix(prompt.File, templateSuffix) {
			return inputf("the prompts of this packet are files such as %s, which count only while no file ends in %s; rename them first", prompt.File, templateSuffix)
		}
	}
	entries, err := os.ReadDir(m.PromptDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
		if digits == "" || !strings.HasSuffix(name, templateSuffix) || filepath.Join(m.PromptDir, name) == path {
			continue
		}
		if other, err := normalID(digits); err == nil && other == id {
			return taken(filepath.Join(m.PromptDir, name))
		}
	}
	return nil
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf is a name as part of a file name.
func slugOf(name string) string {
	slug := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "_"), "_")
	const most = 60
	if len(slug) > most {
		slug = strings.TrimRight(slug[:most], "_")
	}
	return cmp.Or(slug, "prompt")
}
