package scaffold

import (
	"cmp"
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
	ID    string
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

// NewPrompt writes a prompt into a packet and returns its path. Another file with
// the same id is refused.
func NewPrompt(manifest Manifest, prompt Prompt, places Places, force bool) (string, error) {
	id := strings.TrimSpace(prompt.ID)
	if id == "" || strings.Trim(id, "0123456789") != "" {
		return "", inputf("%q is no prompt id; ids are digits such as 03", prompt.ID)
	}
	id = strings.Repeat("0", max(0, 2-len(id))) + id
	name := cmp.Or(strings.TrimSpace(prompt.Name), "New Prompt")
	slug := slugOf(name)
	targets := prompt.Targets
	for _, target := range targets {
		if !slices.Contains(manifest.Repos, target) {
			return "", inputf("unknown repository %q; the packet has: %s", target, strings.Join(manifest.Repos, ", "))
		}
	}
	if len(targets) == 0 && manifest.DefaultRepo != "" {
		targets = []string{manifest.DefaultRepo}
	}
	path := filepath.Join(manifest.PromptDir, id+"_"+slug+templateSuffix)
	if err := checkFree(manifest.PromptDir, id, path); err != nil {
		return "", err
	}
	template, err := FindTemplate(cmp.Or(prompt.Template, manifest.Template, packet.DefaultTemplate), places)
	if err != nil {
		return "", err
	}
	text, err := template.render(promptFields{
		id: id, phase: max(prompt.Phase, 1), name: name, targets: targets,
		commit: cmp.Or(prompt.Commit, "chore: "+strings.ReplaceAll(slug, "_", "-")),
	})
	if err != nil {
		return "", err
	}
	return path, write(path, text, force)
}

// checkFree refuses an id that another prompt file has in its name.
func checkFree(dir, id, path string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
		if digits == "" || !strings.HasSuffix(name, templateSuffix) || filepath.Join(dir, name) == path {
			continue
		}
		if strings.TrimLeft(digits, "0") == strings.TrimLeft(id, "0") {
			return inputf("the id %s is taken by %s; choose another", id, filepath.Join(dir, name))
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
