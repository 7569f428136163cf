package scaffold

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Manifest is what is needed of a packet that prompts are added to.
type Manifest struct {
	Root      string
	PromptDir string
	// Repos are the names of the repositories, sorted.
	Repos       []string
	DefaultRepo string
	// DefaultPath is where the default repository is.
	DefaultPath string
	Template    string
	prompts     []packet.Prompt
}

// Open reads the packet in directory root, which need not have prompts yet.
func Open(root string, opts packet.Options) (Manifest, error) {
	found, err := packet.Diagnose(root, opts)
	if err != nil {
		return Manifest{}, err
	}
	manifest := Manifest{Root: found.Packet.Root, PromptDir: found.PromptDir, Template: found.Packet.Display.Template, prompts: found.Packet.Prompts}
	for _, repo := range found.Packet.Repos {
		manifest.Repos = append(manifest.Repos, repo.Name)
		if repo.Default {
			manifest.DefaultRepo, manifest.DefaultPath = repo.Name, repo.Path
		}
	}
	return manifest, nil
}

// Repo is a repository to write into a manifest.
type Repo struct {
	Name string
	// Path is absolute, or begins with "~/" and is written as it is.
	Path string
}

// Packet is a packet to write.
type Packet struct {
	Name    string
	Profile string
	Repos   []Repo
	// DefaultRepo names one of several repositories.
	DefaultRepo string
	Settings    Settings
}

// NewPacket writes a packet into dir and returns the manifest's path. One that is
// there is only replaced with force; prompts are never touched.
func NewPacket(dir string, p Packet, force bool) (string, error) {
	if err := checkName("packet", p.Name); err != nil {
		return "", err
	}
	front := &yaml.Node{Kind: yaml.MappingNode}
	put(front, "name", p.Name)
	if p.Profile != "" {
		put(front, "profile", p.Profile)
	}
	repos, err := p.repos(dir)
	if err != nil {
		return "", err
	}
	putBlock(front, "repos", repos)
	settings := p.Settings.node()
	front.Content = append(front.Content, settings.Content...)
	comment(front, "name", schemaHint+" $schema=./"+packet.SchemaFile("manifest"))
	comment(front, "profile", "# Supplies every setting that is not in this file.")
	comment(front, "repos", "# Where prompts work. Paths start here; prompts without targets work in the\n# default one.")
	comment(front, "recovery", "# What is done about failed sessions and unmet contracts.")
	text, err := document(front, "# "+p.Name+"\n\nWhat this packet is for.\n")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, packet.ManifestName)
	if err := write(path, text, force); err != nil {
		return "", err
	}
	return path, os.MkdirAll(filepath.Join(dir, "prompts"), 0o755)
}

// repos is the block of repositories. The first one is the default unless another
// is named, so that prompts without targets have a place that the author can see.
func (p Packet) repos(dir string) (*yaml.Node, error) {
	block := &yaml.Node{Kind: yaml.MappingNode}
	if len(p.Repos) == 0 {
		return block, nil
	}
	names := make([]string, len(p.Repos))
	for i, repo := range p.Repos {
		if slices.Contains(names[:i], repo.Name) {
			return nil, inputf("the repository %q is named twice", repo.Name)
		}
		names[i] = repo.Name
	}
	chosen := cmp.Or(p.DefaultRepo, names[0])
	if !slices.Contains(names, chosen) {
		return nil, inputf("the default repository %q is none of: %s", chosen, strings.Join(names, ", "))
	}
	for _, repo := range p.Repos {
		entry, err := repoNode(dir, repo, repo.Name == chosen)
		if err != nil {
			return nil, err
		}
		set(block, repo.Name, entry)
	}
	return block, nil
}

// repoNode is a repository of the packet in dir.
func repoNode(dir string, repo Repo, isDefault bool) (*yaml.Node, error) {
	if err := checkRepoName(repo.Name); err != nil {
		return nil, err
	}
	entry := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	put(entry, "path", pathFrom(dir, repo.Path))
	if isDefault {
		put(entry, "default", true)
	}
	return entry, nil
}

func checkRepoName(name string) error {
	if name == "" || strings.HasPrefix(name, "@") || strings.ContainsAny(name, ":/ \t\r\n") || name == packet.PacketAlias {
		return inputf("%q cannot name a repository: a name has no colon, slash or white space, no @ in front, and is not %q", name, packet.PacketAlias)
	}
	return nil
}

// pathFrom writes a path relative to directory dir when it is near, so that both
// can be moved together; otherwise absolute. Both ends are looked up first: ".."
// leads from where a directory really is. A link at the end of path stays one.
func pathFrom(dir, path string) string {
	if strings.HasPrefix(path, "~") {
		return path
	}
	path = filepath.Join(followLinks(filepath.Dir(path)), filepath.Base(path))
	relative, err := filepath.Rel(followLinks(dir), path)
	const far = "../../../../"
	if err != nil || strings.HasPrefix(filepath.ToSlash(relative)+"/", far) {
		return path
	}
	if strings.HasPrefix(relative, "~") {
		return "./" + relative
	}
	return relative
}

// followLinks resolves the symbolic links of the part of path that exists.
func followLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(followLinks(parent), filepath.Base(path))
}

// AddRepo adds a repository to the manifest of the packet in dir, and leaves
// everything else in the manifest as it is. The first one becomes the default;
// with makeDefault this one does, and no other stays it.
func AddRepo(dir string, repo Repo, makeDefault, force bool) error {
	path := filepath.Join(dir, packet.ManifestName)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	split, err := packet.SplitFrontMatter(path, string(text))
	if err != nil {
		return err
	}
	split, err = split.EditKey("repos", func(value *yaml.Node) (*yaml.Node, error) {
		return addRepo(value, dir, repo, makeDefault, force)
	})
	if _, refused := errors.AsType[*InputError](err); err != nil && !refused {
		return inputf("%s: %v", path, err)
	}
	if err != nil {
		return err
	}
	return rewrite(path, split.String())
}

func addRepo(value *yaml.Node, dir string, repo Repo, makeDefault, force bool) (*yaml.Node, error) {
	if value == nil || value.Kind == yaml.ScalarNode && value.Tag == "!!null" {
		value = &yaml.Node{Kind: yaml.MappingNode}
	}
	isList := value.Kind == yaml.SequenceNode
	if !isList && value.Kind != yaml.MappingNode {
		return nil, inputf("repos is neither a map nor a list; write it as a map from name to path first")
	}
	entries := map[string]*yaml.Node{}
	if isList {
		for _, item := range value.Content {
			if name := lookup(item, "name"); name != nil {
				entries[name.Value] = item
			}
		}
	} else {
		for i := 0; i+1 < len(value.Content); i += 2 {
			entries[value.Content[i].Value] = value.Content[i+1]
		}
	}
	if _, exists := entries[repo.Name]; exists && !force {
		return nil, inputf("the packet has a repository %q already (--force replaces its path)", repo.Name)
	}
	added, err := repoNode(dir, repo, makeDefault || len(entries) == 0)
	if err != nil {
		return nil, err
	}
	if makeDefault {
		for name, entry := range entries {
			if entry.Kind == yaml.AliasNode {
				return nil, inputf("the repository %q is written as a reference (*%s), so it cannot be changed alone; write it out first", name, entry.Value)
			}
			remove(entry, "default")
		}
	}
	if before := entries[repo.Name]; before != nil && before.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(added.Content); i += 2 {
			set(before, added.Content[i].Value, added.Content[i+1])
		}
		return value, nil
	}
	if isList {
		named := &yaml.Node{Kind: yaml.MappingNode, Style: added.Style}
		put(named, "name", repo.Name)
		named.Content = append(named.Content, added.Content...)
		value.Content = append(value.Content, named)
		return value, nil
	}
	set(value, repo.Name, added)
	return value, nil
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}
