package gitcmd

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Upstream is the branch that a branch is meant to be pushed to.
type Upstream struct {
	// Name is how people write it, such as "origin/main".
	Name string
	// Remote is the remote's name, "." for a branch of the same repository.
	Remote string
	// Ref is the branch's full name in the remote.
	Ref string
	// Commit is the commit that was last seen there; empty when none was.
	Commit string
}

// Upstream returns the upstream of a branch; ok is false when it has none.
func (r Repo) Upstream(ctx context.Context, branch string) (upstream Upstream, ok bool, err error) {
	const format = "%(refname)%00%(upstream)%00%(upstream:short)%00%(upstream:remotename)%00%(upstream:remoteref)"
	ref := "refs/heads/" + branch
	out, err := r.read(ctx, "for-each-ref", "--format="+format, ref)
	if err != nil {
		return Upstream{}, false, err
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		fields := strings.Split(line, "\x00")
		// The pattern also matches what is below a branch's name.
		if len(fields) != 5 || fields[0] != ref || fields[1] == "" {
			continue
		}
		upstream = Upstream{Name: fields[2], Remote: fields[3], Ref: fields[4]}
		if upstream.Ref == "" {
			upstream.Ref = fields[1]
		}
		upstream.Commit, err = r.commitOf(ctx, fields[1])
		return upstream, true, err
	}
	return Upstream{}, false, nil
}

// commitOf returns the commit that a full ref names; empty when it does not exist.
func (r Repo) commitOf(ctx context.Context, ref string) (string, error) {
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if none(err) {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// RemoteCommit asks the remote itself for the commit of the upstream branch,
// within the time given. It is empty when the remote has no such branch. Nothing
// is fetched.
func (r Repo) RemoteCommit(ctx context.Context, upstream Upstream, timeout time.Duration) (string, error) {
	bounded, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the remote %s did not answer within %s", upstream.Remote, timeout))
	defer cancel()
	// Nobody is there to type a password or to trust a host.
	env := r.environment("GIT_OPTIONAL_LOCKS=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true")
	ssh, err := r.batchSSH(ctx)
	if err != nil {
		return "", err
	}
	if ssh != "" {
		env = append(env, "GIT_SSH_COMMAND="+ssh)
	}
	out, err := r.run(bounded, "", env, []string{"ls-remote", "--quiet", "--", upstream.Remote, upstream.Ref})
	if err != nil {
		if ctx.Err() == nil && bounded.Err() != nil {
			return "", context.Cause(bounded)
		}
		return "", err
	}
	for line := range strings.SplitSeq(out, "\n") {
		if commit, ref, ok := strings.Cut(line, "\t"); ok && ref == upstream.Ref {
			return commit, nil
		}
	}
	return "", nil
}

// batchSSH is the ssh command that git would use, told not to ask. It is empty
// where GIT_SSH names a program of its own, whose options nobody knows.
func (r Repo) batchSSH(ctx context.Context) (string, error) {
	const batch = " -o BatchMode=yes"
	chosen := map[string]string{}
	for _, entry := range r.environment() {
		if name, value, _ := strings.Cut(entry, "="); value != "" {
			chosen[name] = value
		}
	}
	if command := chosen["GIT_SSH_COMMAND"]; command != "" {
		return command + batch, nil
	}
	configured, err := r.read(ctx, "config", "--get", "core.sshCommand")
	if err != nil && !none(err) {
		return "", err
	}
	if configured = strings.TrimSpace(configured); configured != "" {
		return configured + batch, nil
	}
	if chosen["GIT_SSH"] != "" {
		return "", nil
	}
	return "ssh" + batch, nil
}
