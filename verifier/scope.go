package verifier

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/packet"
)

// Scope is the tree that a contract is judged against.
type Scope struct {
	// Prompt is the id of the prompt.
	Prompt string
	// Root is the packet directory, which contracts may name as "packet".
	Root string
	// WorkDir is what entries without a repository are relative to.
	WorkDir string
	// Repos are the repositories of the packet.
	Repos []packet.Repo
	// Roots are further absolute directories that paths may lead into, besides
	// Root and Repos.
	Roots []string
	// Artifacts are the files that a workspace built, by id. An entry about files
	// whose repository is "@artifact:ID" is relative to that file: its path is
	// empty or "." for the file itself. As a program, "@artifact:ID" is the file.
	Artifacts map[string]string
	// Resumed says that an earlier evaluation was cut short and that nothing has
	// worked in the tree since: what its regenerating commands had put aside is
	// put back first.
	Resumed bool
	// Env is the environment of commands and of git; nil means the caller's.
	Env []string
	// Task marks the commands' processes: the value of run.TaskVariable in
	// their environment. Empty means no mark.
	Task string
	// Changed lists the paths that count as changed in a repository, relative to
	// it. Nil means what git status reports now.
	Changed func(ctx context.Context, repo packet.Repo) ([]string, error)
}

// ScopeOf is the tree that a prompt of the packet works in. Env, Task, Resumed and
// Changed are for the caller to fill in.
func ScopeOf(p *packet.Packet, prompt *packet.Prompt) Scope {
	return Scope{
		Prompt:    prompt.ID,
		Root:      p.Root,
		WorkDir:   prompt.WorkDir,
		Repos:     p.Repos,
		Roots:     p.VerifyRoots,
		Artifacts: p.Artifacts,
	}
}

// repo returns the repository of that name.
func (s Scope) repo(name string) (packet.Repo, bool) {
	for _, repo := range s.Repos {
		if repo.Name == name {
			return repo, true
		}
	}
	// A repository may itself be called "packet"; then it is meant.
	if name == packet.PacketAlias {
		return packet.Repo{Name: name, Path: s.Root}, true
	}
	return packet.Repo{}, false
}

// base is the directory that paths of an entry with that repository are relative
// to.
func (s Scope) base(repo string) (string, bool) {
	if repo == "" {
		return s.WorkDir, true
	}
	found, ok := s.repo(repo)
	return found.Path, ok
}

// home is the repository that the prompt works in: the first that is the working
// directory or contains it.
func (s Scope) home() (packet.Repo, bool) {
	for _, repo := range s.Repos {
		if _, ok := below(repo.Path, s.WorkDir); ok {
			return repo, true
		}
	}
	return packet.Repo{}, false
}

// label is the repository that an item shows.
func (s Scope) label(repo string) string {
	if repo != "" {
		return repo
	}
	home, _ := s.home()
	return home.Name
}

// artifact returns the file of an @artifact: reference. Its path, when there is
// none, says why.
func (s Scope) artifact(reference string) (path string, known bool) {
	id := strings.TrimPrefix(reference, packet.ArtifactPrefix)
	if path, known = s.Artifacts[id]; known {
		return path, true
	}
	return fmt.Sprintf("the artifact %s is not built; artifacts are built by a workspace, or named with --artifact %s=PATH", id, id), false
}

// unknown explains a name that is no repository of the packet.
func (s Scope) unknown(name string) string {
	if strings.HasPrefix(name, packet.ArtifactPrefix) {
		return name + " is a file, and this entry needs a repository; artifacts can be the program of a command, and the repository of entries about files"
	}
	names := []string{packet.PacketAlias}
	for _, repo := range s.Repos {
		names = append(names, repo.Name)
	}
	slices.Sort(names)
	return "unknown repository " + name + "; the packet has " + strings.Join(slices.Compact(names), ", ")
}

// below returns path relative to dir, "." when they are the same, and whether it
// lies in dir.
func below(dir, path string) (string, bool) {
	relative, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(relative) {
		return "", false
	}
	return relative, true
}
