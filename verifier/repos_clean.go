package verifier

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/packet"
)

const (
	// shownChanges bounds the uncommitted changes that an item names.
	shownChanges = 10
	// shortHash is how many digits of a commit are shown.
	shortHash = 12
	// defaultRemoteTimeout bounds asking a remote when the entry does not.
	defaultRemoteTimeout = 90 * time.Second
)

// repoClean passes when the repository has no uncommitted changes and, where that
// is demanded, its commit is the upstream branch's. It changes nothing, not even
// what the repository knows of its remotes.
func (s Scope) repoClean(ctx context.Context, entry packet.CleanEntry) Item {
	check := &CleanCheck{}
	item := Item{Kind: ReposClean, Repo: s.label(entry.Repo), CleanCheck: check}
	repo, known := s.repo(entry.Repo)
	if entry.Repo == "" {
		repo, known = s.home()
	}
	if !known {
		item.Details = "missing_repo: " + s.unknown(entry.Repo)
		return item
	}
	item.FileCheck = &FileCheck{Path: readable(repo.Path), ResolvedPath: readable(repo.Path)}
	git := gitcmd.Repo{Dir: repo.Path, Env: s.Env}
	status, err := git.Status(ctx)
	if err != nil {
		item.Details = fmt.Sprintf("expected a clean work tree at %s, but git cannot tell: %v", repo.Path, err)
		if failure, ok := errors.AsType[*gitcmd.Error](err); !ok || !failure.NoWorkTree() {
			item.Fault = FaultVerifier
		}
		return item
	}
	check.Branch, check.Head = readable(status.Branch), short(status.Head)
	var changes []string
	for _, change := range status.Changes {
		if s.isState(repo, change.Path) {
			continue
		}
		changes = append(changes, change.Code+" "+readable(strings.Join(change.Paths(), " <- ")))
	}
	if check.Dirty = len(changes); check.Dirty > 0 {
		item.Details = fmt.Sprintf("uncommitted changes (%d) in %s: %s", len(changes), repo.Path, strings.Join(changes[:min(len(changes), shownChanges)], ", "))
		if more := len(changes) - shownChanges; more > 0 {
			item.Details += fmt.Sprintf(", and %d more", more)
		}
		return item
	}
	if !entry.Pushed {
		item.Pass, item.Details = true, "clean"
		return item
	}
	pushed, details, err := s.pushed(ctx, git, status, entry, check)
	if err != nil {
		item.Fault, item.Details = FaultVerifier, fmt.Sprintf("could not find out whether %s is pushed: %v", repo.Path, err)
		return item
	}
	check.Pushed, item.Pass, item.Details = &pushed, pushed, fmt.Sprintf("%s (in %s)", details, repo.Path)
	return item
}

// pushed reports whether the commit checked out is that of the upstream branch,
// and how that is known.
func (s Scope) pushed(ctx context.Context, git gitcmd.Repo, status gitcmd.Status, entry packet.CleanEntry, check *CleanCheck) (pushed bool, details string, err error) {
	if status.Branch == "" {
		return false, "HEAD is detached, so no branch can be pushed; check one out", nil
	}
	upstream, ok, err := git.Upstream(ctx, status.Branch)
	if err != nil {
		return false, "", err
	}
	if !ok {
		return false, fmt.Sprintf("the branch %s has no upstream; push it with: git push --set-upstream", status.Branch), nil
	}
	check.Upstream = readable(upstream.Name)
	there, source := upstream.Commit, "as last fetched"
	if entry.Network {
		timeout := time.Duration(entry.TimeoutMS) * time.Millisecond
		if timeout <= 0 {
			timeout = defaultRemoteTimeout
		}
		asked, err := git.RemoteCommit(ctx, upstream, timeout)
		switch {
		case ctx.Err() != nil:
			return false, "", ctx.Err()
		case err != nil:
			source = fmt.Sprintf("as last fetched, because asking failed: %v", err)
		default:
			there, source = asked, "as the remote says"
		}
	}
	switch there {
	case status.Head:
		return true, fmt.Sprintf("clean and pushed: HEAD is %s of %s (%s)", short(there), upstream.Name, source), nil
	case "":
		return false, fmt.Sprintf("HEAD %s is not pushed: %s does not exist (%s)", short(status.Head), upstream.Name, source), nil
	}
	return false, fmt.Sprintf("HEAD %s is not pushed: %s is at %s (%s)", short(status.Head), upstream.Name, short(there), source), nil
}

func short(hash string) string { return hash[:min(len(hash), shortHash)] }
