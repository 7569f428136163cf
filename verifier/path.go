package verifier

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/prompt-runner/prompt-runner/packet"
)

// maxLinks bounds how many symbolic links a path may go through.
const maxLinks = 255

// place is a path of the contract inside one of the packet's roots.
type place struct {
	// path is absolute, without symbolic links as far as it exists.
	path string
	// root is the root that it lies in, and relative the rest.
	root, relative string
}

// locate resolves an entry's path and fills in what is known of the item. When
// the path cannot be judged, the item says why and ok is false.
func (s Scope) locate(item *Item, entry packet.PathEntry) (at place, ok bool) {
	item.Repo = s.label(entry.Repo)
	item.FileCheck = &FileCheck{Path: readable(entry.Path)}
	if strings.HasPrefix(entry.Repo, packet.ArtifactPrefix) {
		return s.locateArtifact(item, entry)
	}
	base, known := s.base(entry.Repo)
	if !known {
		item.Details = s.unknown(entry.Repo)
		return place{}, false
	}
	path := entry.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return s.confine(item, entry.Path, path)
}

// locateArtifact is locate for the file of an artifact: an empty path or "." is
// the file itself, and nothing beside it can be named.
func (s Scope) locateArtifact(item *Item, entry packet.PathEntry) (at place, ok bool) {
	file, known := s.artifact(entry.Repo)
	if !known {
		item.Fault, item.Details = FaultVerifier, file
		return place{}, false
	}
	path := filepath.Join(file, entry.Path)
	file, err := resolve(filepath.Clean(file))
	if err == nil {
		path, err = resolve(filepath.Join(file, entry.Path))
	}
	item.ResolvedPath = readable(path)
	if err != nil {
		item.Fault, item.Details = FaultVerifier, fmt.Sprintf("could not resolve %s: %v", path, err)
		return place{}, false
	}
	inside, ok := below(file, path)
	if !ok || filepath.IsAbs(entry.Path) {
		item.Details = fmt.Sprintf("the path %s is not in the artifact %s (%s); leave it out, or write \".\", for the artifact itself", entry.Path, entry.Repo, file)
		return place{}, false
	}
	return place{path: path, root: filepath.Dir(file), relative: filepath.Join(filepath.Base(file), inside)}, true
}

// confine resolves an absolute path and finds the root that it lies in; written
// is what the author wrote.
func (s Scope) confine(item *Item, written, path string) (at place, ok bool) {
	resolved, err := resolve(filepath.Clean(path))
	if item.FileCheck != nil {
		item.ResolvedPath = readable(resolved)
	}
	if err != nil {
		item.Details = fmt.Sprintf("could not resolve %s: %v", path, err)
		if errors.Is(err, fs.ErrPermission) {
			item.Fault = FaultVerifier
		}
		return place{}, false
	}
	at, roots, ok := s.within(resolved)
	if !ok {
		item.Details = fmt.Sprintf("the path %s leads to %s, outside of the packet, its repositories and its verify_roots (%s); name its directory in verify_roots of the manifest if contracts may look there",
			written, resolved, listing(roots))
	}
	return at, ok
}

// within finds the root that a resolved path lies in; roots are all there are.
func (s Scope) within(resolved string) (at place, roots []string, ok bool) {
	candidates := []string{s.Root}
	for _, repo := range s.Repos {
		candidates = append(candidates, repo.Path)
	}
	for _, candidate := range append(candidates, s.Roots...) {
		if candidate == "" {
			continue
		}
		root, err := resolve(candidate)
		if err != nil {
			continue
		}
		if relative, inside := below(root, resolved); inside {
			return place{path: resolved, root: root, relative: relative}, nil, true
		}
		roots = append(roots, root)
	}
	return place{}, roots, false
}

// resolve follows the symbolic links of an absolute path. What does not exist is
// kept as it is; every link is followed, so that one that leads nowhere still
// shows where it would lead.
func resolve(path string) (string, error) {
	resolved := "/"
	rest := strings.Split(path, "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			resolved = filepath.Dir(resolved)
			continue
		}
		next := filepath.Join(resolved, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			resolved = next
			continue
		case err != nil:
			return filepath.Join(append([]string{next}, rest...)...), err
		case info.Mode().Type() != fs.ModeSymlink:
			resolved = next
			continue
		}
		if links++; links > maxLinks {
			return path, fmt.Errorf("more than %d symbolic links: %w", maxLinks, syscall.ELOOP)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return next, err
		}
		if filepath.IsAbs(target) {
			resolved = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return resolved, nil
}

// stat looks at the place without ever leaving its root, should a link have
// appeared since it was resolved.
func (p place) stat() (fs.FileInfo, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return root.Stat(p.relative)
}

// outsideError says that a link leads out of everything that contracts may look
// at.
type outsideError struct{ link, target string }

func (e *outsideError) Error() string {
	return fmt.Sprintf("the link %s leads to %s, outside of the packet and its repositories; remove it, prune its name, or name its directory in verify_roots of the manifest", e.link, e.target)
}

// follow finds where a link leads, and what is there. The error is an outsideError,
// which calls the link shown, when contracts may not look there.
func (s Scope) follow(link, shown string) (place, fs.FileInfo, error) {
	resolved, err := resolve(link)
	if err != nil {
		return place{}, nil, err
	}
	at, _, inside := s.within(resolved)
	if !inside {
		return place{}, nil, &outsideError{link: shown, target: resolved}
	}
	info, err := at.stat()
	return at, info, err
}

// skipMissing forgives that nothing is there.
func skipMissing(err error) error {
	if leadsNowhere(err) {
		return nil
	}
	return err
}

// leadsNowhere reports whether err says that nothing is there, such as behind a
// link in a circle.
func leadsNowhere(err error) bool { return isMissing(err) || errors.Is(err, syscall.ELOOP) }

// isMissing reports whether err says that nothing is there.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
