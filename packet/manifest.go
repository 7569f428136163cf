package packet

import "path/filepath"

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
	agentControl node
}

// readManifest reads the manifest's attributes. root is the packet directory as
// findings call it.
func readManifest(r *report, attrs node, root string, at location, configHome string) manifest {
	warnUnknown(r, attrs, manifestKeys)
	m := manifest{
		name:         filepath.Base(at.root),
		promptDir:    filepath.Join(at.root, "prompts"),
		promptsShown: filepath.Join(root, "prompts"),
		repos:        readRepos(r, attrs.get("repos"), at),
		agentControl: attrs.get("agent_control"),
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
	var profile layer
	m.profile, profile = readProfile(r, attrs.get("profile"), configHome)
	m.settings = readLayer(r, attrs).over(profile)
	contractReader{report: r, repos: repoNames(m.repos)}.agentControl(m.agentControl)
	readExecution(r, attrs.get("execution"))
	if limits := attrs.get("limits"); limits.given() {
		r.errorf(limits.place, "limits is not supported yet; remove the block")
	}
	return m
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
