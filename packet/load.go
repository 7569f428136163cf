package packet

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// legacyConfig is the Elixir code that configured older packets.
const legacyConfig = "runner_config.exs"

// Load reads the packet in directory root. The error is of type [Errors] and
// lists all that is wrong with the packet, sorted by file and line; findings
// name files below root as given.
func Load(root string, opts Options) (*Packet, error) {
	r := &report{}
	read := load(r, root, opts)
	if err := r.failed(); err != nil {
		return nil, err
	}
	var err error
	read.packet.Fingerprint, err = fingerprint(read.prompts, read.manifest.agentControl)
	if err != nil {
		return nil, err
	}
	read.packet.Warnings = sorted(r.warnings)
	return read.packet, nil
}

// source is a packet as far as it can be read, with the places of what it says.
type source struct {
	// packet is nil when there is no manifest to read.
	packet   *Packet
	manifest manifest
	// manifestFile is the manifest as findings call it.
	manifestFile string
	prompts      []promptSource
}

func load(r *report, root string, opts Options) source {
	canonical, err := directory(root)
	if err != nil {
		r.failf(KindInvalidFile, place{file: root}, "%v", err)
		return source{}
	}
	at := location{root: canonical, home: opts.HomeDir}
	attrs, ok := openManifest(r, canonical, root)
	if !ok {
		return source{}
	}
	m := readManifest(r, attrs, root, at, opts)
	checkArtifacts(r, opts.Artifacts, root)
	packet := &Packet{
		Name: m.name, Root: canonical, Profile: m.profile, Repos: m.repos, Phases: m.phases,
		Display: m.display.complete(), VerifyRoots: m.verifyRoots, Artifacts: opts.Artifacts,
	}
	prompts := readPrompts(promptReader{
		contractReader: contractReader{report: r, repos: repoNames(m.repos)},
		packet:         packet,
		base:           m.settings,
		overrides:      overridesLayer(r, opts.Overrides, root),
	}, m)
	for _, prompt := range prompts {
		packet.Prompts = append(packet.Prompts, prompt.Prompt)
	}
	return source{packet: packet, manifest: m, manifestFile: filepath.Join(root, ManifestName), prompts: prompts}
}

// openManifest reads the front matter of the manifest in directory root, which
// findings call shown.
func openManifest(r *report, root, shown string) (node, bool) {
	if _, err := os.Lstat(filepath.Join(root, legacyConfig)); err == nil {
		r.errorf(place{file: filepath.Join(shown, legacyConfig)},
			"is Elixir code, which is not evaluated; move its settings into %s and remove it", ManifestName)
	}
	path := filepath.Join(root, ManifestName)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if len(r.errors) == 0 {
			r.errorf(place{file: filepath.Join(shown, ManifestName)},
				"does not exist, so the directory is no packet; create it, or name the directory that has one")
		}
		return node{}, false
	}
	doc, ok := readDocument(r, path, filepath.Join(shown, ManifestName), SourcePacket)
	return doc.attrs, ok
}

// readPrompts reads every prompt file, and checks the prompts that could be read
// against each other.
func readPrompts(p promptReader, m manifest) []promptSource {
	names, err := promptFiles(m.promptDir)
	if err != nil {
		kind := KindInvalidFile
		if errors.Is(err, fs.ErrNotExist) {
			kind = KindNoPrompts
		}
		p.failf(kind, m.promptsAt, "the directory of the prompts, %s, %v", m.promptsShown, err)
		return nil
	}
	if len(names) == 0 {
		p.failf(KindNoPrompts, place{file: m.promptsShown}, "holds no prompts; add a file such as 01_first.prompt.md")
		return nil
	}
	var prompts []promptSource
	var unread []string
	for _, name := range names {
		path := filepath.Join(m.promptDir, name)
		shown := filepath.Join(m.promptsShown, name)
		doc, ok := readDocument(p.report, path, shown, SourcePrompt)
		var prompt promptSource
		if ok {
			prompt = p.read(name, path, doc)
		}
		if prompt.ID == "" {
			if id, ok := promptID(cmp.Or(leadingDigits(name), "1")); ok {
				unread = append(unread, id)
			}
			continue
		}
		p.attribute(shown, prompt.ID)
		prompts = append(prompts, prompt)
	}
	checkIDs(p.report, prompts)
	checkDependencies(p.report, prompts, unread)
	return prompts
}
