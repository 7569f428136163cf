package scaffold

import (
	"errors"
	"io/fs"
	"os"

	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Settings are the settings of a new profile or packet. What is nil or empty is
// left out, so that weaker layers decide.
type Settings struct {
	Provider, Model, ReasoningEffort, PermissionMode string
	AllowedTools                                     []string
	PromptTemplate, Confirmation                     string
	ResumeAttempts, RetryAttempts, RepairAttempts    *int
	RetryBaseDelayMS, RetryMaxDelayMS                *int
	RetryJitter, AutoRepair                          *bool
}

// node is the settings as a YAML mapping, in the order of the documentation.
func (s Settings) node() *yaml.Node {
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, entry := range []struct {
		key, value string
	}{
		{"provider", s.Provider},
		{"model", s.Model},
		{"reasoning_effort", s.ReasoningEffort},
		{"permission_mode", s.PermissionMode},
		{"prompt_template", s.PromptTemplate},
		{"cli_confirmation", s.Confirmation},
	} {
		if entry.value != "" {
			put(root, entry.key, entry.value)
		}
	}
	if len(s.AllowedTools) > 0 {
		put(root, "allowed_tools", s.AllowedTools)
	}
	recovery, retry, repair := &yaml.Node{Kind: yaml.MappingNode}, &yaml.Node{Kind: yaml.MappingNode}, &yaml.Node{Kind: yaml.MappingNode}
	putGiven(recovery, "resume_attempts", s.ResumeAttempts)
	putGiven(retry, "max_attempts", s.RetryAttempts)
	putGiven(retry, "base_delay_ms", s.RetryBaseDelayMS)
	putGiven(retry, "max_delay_ms", s.RetryMaxDelayMS)
	putGiven(retry, "jitter", s.RetryJitter)
	putGiven(repair, "enabled", s.AutoRepair)
	putGiven(repair, "max_attempts", s.RepairAttempts)
	putBlock(recovery, "retry", retry)
	putBlock(recovery, "repair", repair)
	putBlock(root, "recovery", recovery)
	return root
}

// put adds a key to a mapping, or replaces its value.
func put(mapping *yaml.Node, key string, value any) {
	var n yaml.Node
	if err := n.Encode(value); err != nil {
		panic(err) // texts, numbers and lists of them always encode
	}
	set(mapping, key, &n)
}

func putGiven[T any](mapping *yaml.Node, key string, value *T) {
	if value != nil {
		put(mapping, key, *value)
	}
}

func putBlock(mapping *yaml.Node, key string, block *yaml.Node) {
	if len(block.Content) > 0 {
		set(mapping, key, block)
	}
}

// set adds a key with a node to a mapping, or replaces its value.
func set(mapping *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = value
			return
		}
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}

// comment writes lines above a key that is there.
func comment(mapping *yaml.Node, key, text string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i].HeadComment = text
		}
	}
}

// document writes a mapping as front matter in front of a body.
func document(front *yaml.Node, body string) (string, error) {
	if len(front.Content) == 0 {
		return "---\n---\n" + body, nil
	}
	text, err := packet.EncodeYAML(front)
	return "---\n" + text + "---\n" + body, err
}

// Check reports settings that mean nothing: an error of type [packet.Errors], or
// nil. where is what the error calls their place.
func (s Settings) Check(where string) error {
	text, err := document(s.node(), "")
	if err != nil {
		return err
	}
	return packet.CheckSettings(where, text)
}

// Profile is a profile that there is.
type Profile struct {
	// Location is the file's path; empty for a built-in one.
	Location string
	text     string
}

// Text is the profile itself.
func (p Profile) Text() string { return p.text }

// FindProfile finds a profile by name: a file in the configuration directory home,
// else a built-in one. An empty home means that there is no such directory.
func FindProfile(home, name string) (Profile, error) {
	if err := checkName("profile", name); err != nil {
		return Profile{}, err
	}
	if home != "" {
		path := packet.ProfilePath(home, name)
		text, err := os.ReadFile(path)
		if err == nil {
			return Profile{Location: path, text: string(text)}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return Profile{}, inputf("profile: %v", err)
		}
	}
	if text, ok := packet.BuiltInProfile(name); ok {
		return Profile{text: text}, nil
	}
	return Profile{}, inputf("there is no profile %q", name)
}

// NewProfile writes a profile into the configuration directory and returns its
// path.
func NewProfile(home, name string, settings Settings, force bool) (string, error) {
	if err := checkName("profile", name); err != nil {
		return "", err
	}
	text, err := document(settings.node(), "")
	if err != nil {
		return "", err
	}
	path := packet.ProfilePath(home, name)
	return path, write(path, text, force)
}
