package packet

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// defaultRepo is what the packet root is called in a packet without repos.
const defaultRepo = "default"

// location resolves paths that a manifest writes.
type location struct {
	// root is the canonical packet directory.
	root string
	home string
}

// resolve makes a path absolute: "~" is the home directory, anything else
// relative starts at the packet root, and existing symbolic links are followed.
func (l location) resolve(path string) (string, error) {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if l.home == "" {
			return "", errors.New("starts with ~ but the home directory is unknown; set HOME or write the path out")
		}
		path = filepath.Join(l.home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.root, path)
	}
	resolved, err := followLinks(filepath.Clean(path))
	if err != nil {
		return "", unreadable(err)
	}
	return resolved, nil
}

// followLinks resolves the symbolic links of the part of path that exists.
func followLinks(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return resolved, err
	}
	parent, err := followLinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// readRepos reads the repos block, a map or a list. The result is sorted by
// name, and exactly one repository is the default.
func readRepos(r *report, n node, at location) []Repo {
	var repos []Repo
	switch n.kind {
	case kindMap:
		for _, field := range n.fields {
			if validRepoName(r, field.value, field.name) {
				repos = append(repos, readRepo(r, field.name, field.value, at))
			}
		}
	case kindList:
		for _, item := range n.items {
			if !r.block(item) {
				if item.kind == kindNull {
					r.errorf(item.place, "is null; it must be a map with name and path")
				}
				continue
			}
			name, ok := r.required(item.get("name"))
			if ok && validRepoName(r, item.get("name"), name) {
				repos = append(repos, readRepo(r, name, item, at))
			}
		}
	case kindScalar:
		r.errorf(n.place, "is %s; it must be a map from name to path", n.describe())
	}
	if len(repos) == 0 {
		return []Repo{{Name: defaultRepo, Path: at.root, Default: true}}
	}
	slices.SortStableFunc(repos, func(a, b Repo) int { return cmp.Compare(a.Name, b.Name) })
	for i := 1; i < len(repos); i++ {
		if repos[i].Name == repos[i-1].Name {
			r.errorf(n.place, "the repository %q is listed twice", repos[i].Name)
		}
	}
	chosen := max(slices.IndexFunc(repos, func(repo Repo) bool { return repo.Default }), 0)
	for i := range repos {
		repos[i].Default = i == chosen
	}
	return repos
}

// repoNamePattern matches the names that entries can tell from paths.
const repoNamePattern = `^[^@:/ \t\r\n][^:/ \t\r\n]*$`

var validName = regexp.MustCompile(repoNamePattern)

func validRepoName(r *report, at node, name string) bool {
	if !validName.MatchString(name) {
		r.errorf(at.place, "%q cannot name a repository: a name has no colon, slash or white space and no @ in front", name)
		return false
	}
	return true
}

// readRepo reads one repository. After an error the name is kept, so that what
// refers to it is not reported as well.
func readRepo(r *report, name string, n node, at location) Repo {
	repo := Repo{Name: name}
	written := n
	if n.kind == kindMap {
		warnUnknown(r, n, repoObject.names())
		repo.Default, _ = r.truth(n.get("default"))
		if other, ok := r.word(n.get("name")); ok && other != name {
			r.warnf(KindNoEffect, n.get("name").place, "has no effect: the repository is called %q, as its key says", name)
		}
		written = n.get("path")
	}
	path, ok := r.required(written)
	if !ok {
		return repo
	}
	resolved, err := at.resolve(path)
	if err != nil {
		r.errorf(written.place, "%q %v", path, err)
		return repo
	}
	repo.Path = resolved
	if name == PacketAlias && resolved != at.root {
		r.errorf(n.place, "the name %q means the packet root; call this repository something else", PacketAlias)
	}
	return repo
}

// directory returns what exists at root as a canonical absolute directory.
func directory(root string) (string, error) {
	info, err := os.Stat(root)
	if err != nil {
		return "", unreadable(err)
	}
	if !info.IsDir() {
		return "", errors.New("is not a directory; name the directory that holds " + ManifestName)
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return "", unreadable(err)
	}
	return filepath.EvalSymlinks(absolute)
}
