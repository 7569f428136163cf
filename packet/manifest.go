package packet

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// defaultPromptDir is where prompts are unless the manifest says otherwise.
const defaultPromptDir = "prompts"

// manifest is a manifest as far as prompts need it.
type manifest struct {
	name string
	// promptDir is where the prompts are, promptsShown what findings call it.
	promptDir    string
	promptsShown string
	promptsAt    place
	profile      string
	repos        []Repo
	// settings are those of the profile and the manifest.
	settings     layer
	display      displayLayer
	phases       map[int]string
	verifyRoots  []string
	agentControl node
	attrs        node
}

// readManifest reads the manifest's attributes. root is the packet directory as
// findings call it.
func readManifest(r *report, attrs node, root string, at location, opts Options) manifest {
	warnUnknown(r, attrs, manifestObject.names())
	m := manifest{
		name:         filepath.Base(at.root),
		promptDir:    filepath.Join(at.root, defaultPromptDir),
		promptsShown: filepath.Join(root, defaultPromptDir),
		repos:        readRepos(r, attrs.get("repos"), at),
		agentControl: attrs.get("agent_control"),
		attrs:        attrs,
	}
	m.promptsAt = place{file: m.promptsShown}
	if name, ok := r.word(attrs.get("name")); ok {
		m.name = name
	}
	if written := attrs.get("prompt_dir"); written.given() {
		m.promptsAt = written.place
		if dir, ok := r.word(written); ok {
			resolved, err := at.resolve(dir)
			if err != nil {
				r.errorf(written.place, "%q %v", dir, err)
			}
			m.promptDir, m.promptsShown = resolved, filepath.Join(root, dir)
			if filepath.IsAbs(dir) || dir[0] == '~' {
				m.promptsShown = resolved
			}
		}
	}
	var profile profile
	m.profile, profile = readProfile(r, attrs, opts.ConfigHome)
	m.settings = readLayer(r, attrs).over(profile.settings.over(defaultsLayer(r, opts.Defaults)))
	m.display = readDisplay(r, attrs).over(profile.display)
	m.phases = readPhases(r, attrs.get("phases"))
	m.verifyRoots = readVerifyRoots(r, attrs.get("verify_roots"), at)
	r.within(KindAgentControl, func() {
		contractReader{report: r, repos: repoNames(m.repos)}.agentControl(m.agentControl)
	})
	r.within(KindExecution, func() { readExecution(r, attrs.get("execution")) })
	if limits := attrs.get("limits"); limits.given() {
		r.errorf(limits.place, "limits is not supported yet; remove the block")
	}
	return m
}

// readPhases reads the names of phases by number.
func readPhases(r *report, n node) map[int]string {
	if !r.block(n) || len(n.fields) == 0 {
		return nil
	}
	phases := map[int]string{}
	for _, field := range n.fields {
		name, _ := r.text(field.value)
		number, err := strconv.Atoi(strings.TrimSpace(field.name))
		if err != nil {
			r.warnf(KindNoEffect, field.value.place, "%q is no number of a phase; it has no effect", field.name)
			continue
		}
		phases[number] = name
	}
	return phases
}

// readVerifyRoots reads directories that contracts may look into.
func readVerifyRoots(r *report, n node, at location) []string {
	var roots []string
	for _, item := range n.elements() {
		path, ok := r.required(item)
		if !ok {
			continue
		}
		resolved, err := at.resolve(path)
		if err != nil {
			r.errorf(item.place, "%q %v", path, err)
			continue
		}
		if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
			r.errorf(item.place, "%q is no directory (%s); create it or remove it here", path, resolved)
			continue
		}
		roots = append(roots, resolved)
	}
	return roots
}

// repoNames are the names that an entry may give as its repository.
func repoNames(repos []Repo) []string {
	var names []string
	packet := false
	for _, repo := range repos {
		names = append(names, repo.Name)
		packet = packet || repo.Name == PacketAlias
	}
	if !packet {
		names = append(names, PacketAlias)
	}
	return names
}
