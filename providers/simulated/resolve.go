package simulated

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// maxLinks is how many symbolic links a path may lead through.
const maxLinks = 40

// target is the place of a write: a path that is free of symbolic links, below a
// repository's root.
type target struct {
	root string
	// path is relative to root.
	path string
}

func (t target) String() string { return filepath.Join(t.root, t.path) }

// refusal is a write that the packet, or this machine's configuration, does not
// allow. It is a fact about the configuration, not a fault of the machine.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func refuse(format string, args ...any) error {
	return &refusal{reason: fmt.Sprintf(format, args...)}
}

// locate finds where a write goes and refuses places outside every repository.
func locate(turn providers.Turn, write simulation.Write) (target, error) {
	path := write.Path
	switch {
	case write.Repo != "":
		i := slices.IndexFunc(turn.Repos, func(r providers.Repo) bool { return r.Name == write.Repo })
		if i < 0 {
			return target{}, refuse("simulated write of %q: repository %q is unknown; the packet has %s", write.Path, write.Repo, describe(turn.Repos))
		}
		// Under its root even when it looks absolute, as scripts have always meant it.
		path = filepath.Join(turn.Repos[i].Path, path)
	case !filepath.IsAbs(path):
		path = filepath.Join(turn.WorkDir, path)
	}
	real, err := resolve(path)
	if err != nil {
		return target{}, err
	}
	for _, repo := range turn.Repos {
		root, err := filepath.EvalSymlinks(repo.Path)
		if err != nil {
			return target{}, fmt.Errorf("repository %s: %w", repo.Name, err)
		}
		relative, err := filepath.Rel(root, real)
		if err == nil && relative != "." && filepath.IsLocal(relative) {
			return target{root: root, path: relative}, nil
		}
	}
	return target{}, refuse("simulated write of %q leads to %s, which is not inside a repository of the packet; allowed are %s", write.Path, real, describe(turn.Repos))
}

// describe lists repositories for people.
func describe(repos []providers.Repo) string {
	if len(repos) == 0 {
		return "no directories at all"
	}
	names := make([]string, len(repos))
	for i, repo := range repos {
		names[i] = repo.Name + " (" + repo.Path + ")"
	}
	return strings.Join(names, ", ")
}

// resolve follows every symbolic link of an absolute path, a last dangling one
// and those before missing directories included, which filepath.EvalSymlinks
// does not.
func resolve(path string) (string, error) {
	const separator = string(filepath.Separator)
	current := filepath.VolumeName(path) + separator
	pending := strings.Split(strings.TrimPrefix(filepath.Clean(path), current), separator)
	links := 0
	for len(pending) > 0 {
		name := pending[0]
		pending = pending[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			current = filepath.Dir(current)
			continue
		}
		next := filepath.Join(current, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			current = next
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			current = next
		default:
			if links++; links > maxLinks {
				return "", refuse("simulated write to %s: it leads through more than %d symbolic links", path, maxLinks)
			}
			link, err := os.Readlink(next)
			if err != nil {
				return "", err
			}
			if filepath.IsAbs(link) {
				current = filepath.VolumeName(link) + separator
			}
			pending = append(strings.Split(link, separator), pending...)
		}
	}
	return current, nil
}
