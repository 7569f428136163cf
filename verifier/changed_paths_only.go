package verifier

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/packet"
)

// changedPathsOnly gives one item for each repository that has an entry; it
// passes when every changed path is allowed by one of the repository's entries.
func (s Scope) changedPathsOnly(ctx context.Context, entries []packet.PathEntry) []Item {
	type group struct {
		repo    packet.Repo
		label   string
		known   bool
		entries []packet.PathEntry
	}
	var groups []*group
	for _, entry := range entries {
		repo, known := s.repo(entry.Repo)
		if entry.Repo == "" {
			if repo, known = s.home(); !known {
				repo, known = packet.Repo{Path: s.WorkDir}, true
			}
		}
		at := slices.IndexFunc(groups, func(g *group) bool {
			return g.known == known && g.repo.Path == repo.Path && (known || g.label == entry.Repo)
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{repo: repo, label: s.label(entry.Repo), known: known})
		}
		groups[at].entries = append(groups[at].entries, entry)
	}
	items := make([]Item, 0, len(groups))
	for _, g := range groups {
		item := Item{Kind: ChangedPathsOnly, Repo: g.label, ChangeCheck: &ChangeCheck{AllowedPaths: []string{}, ChangedPaths: []string{}}}
		for _, entry := range g.entries {
			item.AllowedPaths = append(item.AllowedPaths, readable(entry.Path))
		}
		if g.known {
			s.judgeChanges(ctx, &item, g.repo, g.entries)
		} else {
			item.Details = s.unknown(g.label)
		}
		items = append(items, item)
	}
	return items
}

func (s Scope) judgeChanges(ctx context.Context, item *Item, repo packet.Repo, entries []packet.PathEntry) {
	allowed := make([]string, len(entries))
	for i, entry := range entries {
		base := repo.Path
		if entry.Repo == "" {
			base = s.WorkDir
		}
		full := entry.Path
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		relative, ok := below(repo.Path, filepath.Clean(full))
		if !ok {
			item.Details = fmt.Sprintf("the allowed path %s lies outside of the repository %s", entry.Path, repo.Path)
			return
		}
		allowed[i] = relative
	}
	changed := s.Changed
	if changed == nil {
		changed = s.statusPaths
	}
	paths, err := changed(ctx, repo)
	if err != nil {
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not find out what changed in %s: %v", repo.Path, err)
		return
	}
	var disallowed []string
	for _, name := range paths {
		if s.isState(repo, name) {
			continue
		}
		item.ChangedPaths = append(item.ChangedPaths, readable(name))
		if !slices.ContainsFunc(allowed, func(pattern string) bool { return allows(pattern, name) }) {
			disallowed = append(disallowed, readable(name))
		}
	}
	if len(disallowed) > 0 {
		item.Details = fmt.Sprintf("disallowed: %s (in %s); allowed are: %s", listing(disallowed), repo.Path, listing(item.AllowedPaths))
		return
	}
	item.Pass, item.Details = true, "ok"
}

// statusPaths lists what git status reports, both sides of renames.
func (s Scope) statusPaths(ctx context.Context, repo packet.Repo) ([]string, error) {
	status, err := gitcmd.Repo{Dir: repo.Path, Env: s.Env}.Status(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, change := range status.Changes {
		paths = append(paths, change.Paths()...)
	}
	return paths, nil
}

// isState reports whether the path is the runner's own: a file put aside, or its
// state directory in the repository, or in a packet that lies in the repository.
func (s Scope) isState(repo packet.Repo, name string) bool {
	if strings.HasSuffix(name, packet.BackupSuffix) {
		return true
	}
	if inDirectory(packet.StateDir, name) {
		return true
	}
	root, ok := below(repo.Path, s.Root)
	return ok && inDirectory(path.Join(filepath.ToSlash(root), packet.StateDir), name)
}

// inDirectory reports whether name is dir or lies in it.
func inDirectory(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}
