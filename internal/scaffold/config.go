package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

// File is a file that a scaffold wrote or found.
type File struct {
	Path string `json:"path"`
	// Kept says that it was there already and has not been touched.
	Kept bool `json:"kept,omitempty"`
}

// Init creates the configuration directory: config.md with the default profile,
// the built-in profiles and the built-in templates as files to change. Files that
// are there are kept, unless force is set.
func Init(home, defaultProfile string, force bool) ([]File, error) {
	if err := checkName("profile", defaultProfile); err != nil {
		return nil, err
	}
	if _, builtIn := packet.BuiltInProfile(defaultProfile); !builtIn {
		if _, err := os.Stat(packet.ProfilePath(home, defaultProfile)); err != nil {
			return nil, inputf("there is no profile %q to be the default; built in are: %s", defaultProfile, strings.Join(packet.BuiltInProfiles(), ", "))
		}
	}
	settings, err := packet.EncodeYAML(map[string]string{"default_profile": defaultProfile})
	if err != nil {
		return nil, err
	}
	contents := []struct{ path, text string }{{
		filepath.Join(home, packet.ConfigFile),
		"---\n# The profile of packets that name none.\n" + settings + "---\nProfiles are in profiles/, templates of prompts in templates/.\n",
	}}
	for _, name := range packet.BuiltInProfiles() {
		text, _ := packet.BuiltInProfile(name)
		contents = append(contents, struct{ path, text string }{packet.ProfilePath(home, name), text})
	}
	for _, name := range builtInTemplates() {
		text, err := builtInTemplate(name)
		if err != nil {
			return nil, err
		}
		contents = append(contents, struct{ path, text string }{templatePath(home, name), text})
	}
	var files []File
	for _, content := range contents {
		err := write(content.path, content.text, force)
		_, exists := errors.AsType[*ExistsError](err)
		if err != nil && !exists {
			return files, err
		}
		files = append(files, File{Path: content.path, Kept: exists})
	}
	return files, nil
}

// DefaultProfile is the default profile that config.md names; empty when it names
// none.
func DefaultProfile(home string) (string, error) {
	path := filepath.Join(home, packet.ConfigFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	split, err := packet.SplitFrontMatter(path, string(text))
	if err != nil {
		return "", err
	}
	var config struct {
		DefaultProfile string `yaml:"default_profile"`
	}
	if err := yaml.Unmarshal([]byte(split.YAML), &config); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return config.DefaultProfile, nil
}

// checkName refuses what cannot be the name of a file without its ending.
func checkName(what, name string) error {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name {
		return inputf("%q cannot name a %s: a name has no slash, colon or control character, no dot in front and no space around it", name, what)
	}
	return nil
}
