package activities_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestCommitTwiceMakesOneCommit(t *testing.T) {
	t.Parallel()
	h := newHost(t, both)
	h.app.Write("author", "dirty before")
	ref := h.prepared()
	h.app.Write("out", "x")
	h.lib.Write("out", "x")
	h.verified(ref)

	first := must(h, run.Commit, commitOf(ref))
	require.Equal(t, run.CommitResult{Repos: []run.RepoCommit{
		{Repo: "app", Status: run.CommitStatusOK, SHA: h.app.Git("rev-parse", "HEAD"), LeftOut: 1},
		{Repo: "lib", Status: run.CommitStatusOK, SHA: h.lib.Git("rev-parse", "HEAD")},
	}}, first)
	require.Equal(t, first, must(h, run.Commit, commitOf(ref)))
	for _, repo := range []*gittest.Repo{h.app, h.lib} {
		require.Equal(t, []string{"feat: one", "start"}, subjects(repo))
		require.Equal(t, []string{ref.ID + "/01/1"}, trailers(repo))
		require.Equal(t, ref.ID, repo.Git("log", "-1", "--format=%(trailers:key="+run.TrailerRun+",valueonly,separator=)"))
		require.Equal(t, "01", repo.Git("log", "-1", "--format=%(trailers:key="+run.TrailerPrompt+",valueonly,separator=)"))
	}
	require.Equal(t, "?? author", h.app.Git("status", "--porcelain"))
}

func TestVerifyTwiceIsTheSame(t *testing.T) {
	t.Parallel()
	h := newHost(t, one("verify: {files_exist: [out], changed_paths_only: [out]}"))
	h.app.Write("author", "dirty before")
	ref := h.prepared()
	attempt := func(seq int) run.VerifyInput {
		return run.VerifyInput{Run: ref, Prompt: "01", Iteration: 1, Seq: seq}
	}

	unmet := must(h, run.Verify, attempt(1))
	require.False(t, unmet.Report.Pass())
	require.False(t, unmet.Changed)
	require.Contains(t, unmet.Report.Unmet, "out")
	require.FileExists(t, h.store.ReportPath(ref.ID, unmet.Report.File))

	h.app.Write("out", "x")
	met := must(h, run.Verify, attempt(2))
	require.True(t, met.Report.Pass(), met.Report.Unmet)
	require.True(t, met.Changed)
	require.Equal(t, met, must(h, run.Verify, attempt(2)))

	// What the session took back from the author is a change, too.
	h.app.Remove("author")
	require.Contains(t, must(h, run.Verify, attempt(3)).Report.Unmet, "author")
}

// What a check leaves behind is not the session's work; what it changes in the
// session's files, such as their format, is.
func TestLeftoversOfChecksStayOut(t *testing.T) {
	t.Parallel()
	h := newHost(t, one("verify: {changed_paths_only: [out], commands: [{exec: sh, args: [-c, 'echo x > leftover; echo tidy > out'], timeout_ms: 10000}]}"))
	ref := h.prepared()
	h.app.Write("out", "x")
	for range 2 {
		h.verified(ref)
	}
	result := must(h, run.Commit, commitOf(ref))
	require.Equal(t, []run.RepoCommit{{Repo: "app", Status: run.CommitStatusOK, SHA: h.app.Git("rev-parse", "HEAD"), LeftOut: 1}}, result.Repos)
	require.Equal(t, "out", h.app.Git("show", "--format=", "--name-only"))
	require.Equal(t, "tidy", h.app.Git("show", "HEAD:out"))
}

// Without a verification nobody knows what the attempt changed.
func TestCommitNeedsAVerification(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.app.Write("out", "x")
	require.Contains(t, refused(h, run.Commit, commitOf(ref)).Message(), "attempt 1 of prompt 01")
	require.Equal(t, []string{"start"}, subjects(h.app))
}

func TestCommitModes(t *testing.T) {
	t.Parallel()
	for mode, reason := range map[run.CommitMode]string{run.CommitNone: run.SkipNoCommit, run.CommitNoop: run.SkipNoop} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			h := newHost(t, both)
			request := h.request()
			request.Commit = mode
			ref := must(h, run.OpenRun, run.OpenRunInput{Request: request, Execution: leg("a")}).Run
			must(h, run.PrepareIteration, run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1})
			h.app.Write("out", "x")
			require.Equal(t, run.CommitResult{Repos: []run.RepoCommit{
				{Repo: "app", Status: run.CommitStatusSkip, Reason: reason},
				{Repo: "lib", Status: run.CommitStatusSkip, Reason: reason},
			}}, must(h, run.Commit, commitOf(ref)))
			require.Equal(t, []string{"start"}, subjects(h.app))
		})
	}
}

func TestNothingToCommit(t *testing.T) {
	t.Parallel()
	for name, session := range map[string]func(h *host){
		"no changes":            func(*host) {},
		"detached, no changes":  func(h *host) { h.app.Git("checkout", "--quiet", "--detach") },
		"only the projection":   func(h *host) { h.app.Write(".prompt_runner/x", "x") },
		"only line endings":     func(h *host) { h.app.Write("text", "a\r\n") },
		"author's dirt, staged": func(h *host) { h.app.Git("add", "author") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, one(""))
			h.app.Write(".gitattributes", "* text=auto\n")
			h.app.Write("text", "a\n")
			h.app.Commit("texts")
			h.app.Write("author", "x")
			ref := h.prepared()
			session(h)
			h.verified(ref)
			require.Equal(t, run.CommitResult{Repos: []run.RepoCommit{
				{Repo: "app", Status: run.CommitStatusSkip, Reason: run.SkipNoChanges, LeftOut: 1},
			}}, must(h, run.Commit, commitOf(ref)))
			require.Equal(t, []string{"texts", "start"}, subjects(h.app))
		})
	}
}

// What a person has to mend is named, nothing is committed, and the same commit
// goes through once it is mended.
func TestCommitRefusals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil, mend func(h *host)
		want        string
	}{
		"merge in progress": {
			func(h *host) { h.app.Git("merge", "--no-commit", "--no-ff", "other") },
			func(h *host) { h.app.Git("merge", "--abort") },
			"a merge is in progress",
		},
		"detached HEAD": {
			func(h *host) { h.app.Git("checkout", "--quiet", "--detach") },
			func(h *host) { h.app.Git("switch", "--quiet", "main") },
			"HEAD is detached",
		},
		"another branch": {
			func(h *host) { h.app.Git("switch", "--quiet", "--create=topic") },
			func(h *host) { h.app.Git("switch", "--quiet", "main") },
			`the branch is "topic" now, it was "main"`,
		},
		"index.lock of another": {
			func(h *host) { h.lock("index.lock") },
			func(h *host) { h.unlock("index.lock") },
			filepath.Join(".git", "index.lock") + " exists",
		},
		"HEAD.lock of another": {
			func(h *host) { h.lock("HEAD.lock") },
			func(h *host) { h.unlock("HEAD.lock") },
			filepath.Join(".git", "HEAD.lock") + " exists",
		},
		"branch lock of another": {
			func(h *host) { h.lock("refs/heads/main.lock") },
			func(h *host) { h.unlock("refs/heads/main.lock") },
			filepath.Join("refs", "heads", "main.lock") + " exists",
		},
		"hook": {
			func(h *host) { h.hook(h.app, "echo the hook says no >&2; exit 1") },
			func(h *host) { h.hook(h.app, "exit 0") },
			"the hook says no",
		},
		"identity": {
			func(h *host) {
				h.app.Git("config", "user.useConfigOnly", "true")
				h.environ = append(h.environ, "GIT_CONFIG_GLOBAL=/dev/null", "EMAIL=")
			},
			func(h *host) {
				h.app.Git("config", "user.name", "A")
				h.app.Git("config", "user.email", "a@example.com")
			},
			"set user.name and user.email",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, one(""))
			h.app.Git("switch", "--quiet", "--create=other")
			h.app.Write("other", "x")
			h.app.Commit("other")
			h.app.Git("switch", "--quiet", "main")
			ref := h.prepared()
			h.app.Write("out", "x")
			h.verified(ref)
			tc.spoil(h)

			result := must(h, run.Commit, commitOf(ref))
			require.Contains(t, result.Failed, "commit in repository app ("+h.app.Dir+"): ")
			require.Contains(t, result.Failed, tc.want)
			require.Len(t, result.Repos, 1)
			require.Equal(t, run.CommitStatusError, result.Repos[0].Status)
			require.Contains(t, result.Repos[0].Reason, tc.want)
			require.NotContains(t, trailers(h.app), ref.ID+"/01/1")

			tc.mend(h)
			result = must(h, run.Commit, commitOf(ref))
			require.Empty(t, result.Failed)
			require.Equal(t, []string{"feat: one", "start"}, subjects(h.app))
			require.Equal(t, "out", h.app.Git("show", "--format=", "--name-only"))
		})
	}
}

// lock leaves a lock file in app that was there before any commit began.
func (h *host) lock(name string) {
	h.t.Helper()
	path := filepath.Join(h.app.Dir, ".git", name)
	h.write(path, "")
	hourAgo := time.Now().Add(-time.Hour)
	require.NoError(h.t, os.Chtimes(path, hourAgo, hourAgo))
}

func (h *host) unlock(name string) {
	h.t.Helper()
	path := filepath.Join(h.app.Dir, ".git", name)
	require.FileExists(h.t, path, "a lock of another git process was removed")
	require.NoError(h.t, os.Remove(path))
}

// The worker was killed while its git held locks: the commit plan is older than
// they are.
func TestOwnLocksAreRemoved(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.app.Write("out", "x")
	h.verified(ref)
	h.plan(ref, time.Now().Add(-time.Minute), "app")
	for _, name := range []string{"index.lock", "HEAD.lock", "refs/heads/main.lock"} {
		h.write(filepath.Join(h.app.Dir, ".git", name), "")
	}
	result := must(h, run.Commit, commitOf(ref))
	require.Empty(t, result.Failed)
	require.Equal(t, []string{"feat: one", "start"}, subjects(h.app))

	h.app.Write("out", "more")
	h.lock("index.lock")
	result = must(h, run.Commit, commitOf(ref))
	require.Contains(t, result.Failed, "index.lock exists", "older than the plan")
	h.unlock("index.lock")
}

// plan enters a commit plan of the first attempt as a killed worker left it.
func (h *host) plan(ref run.Ref, began time.Time, repos ...string) {
	h.t.Helper()
	entry := runstore.Entry{Type: runstore.EntryCommitPlan, Prompt: "01", Seq: 1, At: began.UTC(), Iteration: 1, Repos: repos}
	require.NoError(h.t, h.store.Ledger(ref.ID).Append(func([]runstore.Entry) (*runstore.Entry, error) { return &entry, nil }))
}

func TestOnlyTheMissingRepositoryIsCommitted(t *testing.T) {
	t.Parallel()
	h := newHost(t, both)
	ref := h.prepared()
	h.app.Write("out", "x")
	h.lib.Write("out", "x")
	h.verified(ref)
	h.hook(h.lib, "echo no >&2; exit 1")

	var sha string
	for range 2 {
		result := must(h, run.Commit, commitOf(ref))
		require.Contains(t, result.Failed, "repository lib")
		require.Equal(t, run.CommitStatusOK, result.Repos[0].Status)
		require.Equal(t, run.CommitStatusError, result.Repos[1].Status)
		require.Equal(t, []string{"feat: one", "start"}, subjects(h.app))
		require.Equal(t, []string{"start"}, subjects(h.lib))
		sha = result.Repos[0].SHA
	}
	entries, err := h.store.Ledger(ref.ID).Read()
	require.NoError(t, err)
	require.Equal(t, []string{"app", "lib"}, runstore.PendingCommit(entries, "01").Repos)

	h.hook(h.lib, "exit 0")
	result := must(h, run.Commit, commitOf(ref))
	require.Empty(t, result.Failed)
	require.Equal(t, sha, result.Repos[0].SHA)
	require.Equal(t, []string{"feat: one", "start"}, subjects(h.app))
	require.Equal(t, []string{"feat: one", "start"}, subjects(h.lib))
}

// A further commit of the same attempt has a trailer of its own.
func TestFurtherWorkOfTheSameAttempt(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.app.Write("out", "x")
	h.verified(ref)
	own := ref.ID + "/01/1"
	want := []string{}
	for _, trailer := range []string{own, own + ".2", own + ".3"} {
		h.app.Write("out", trailer)
		want = append([]string{trailer}, want...)
		for range 2 {
			result := must(h, run.Commit, commitOf(ref))
			require.Equal(t, []run.RepoCommit{{Repo: "app", Status: run.CommitStatusOK, SHA: h.app.Git("rev-parse", "HEAD")}}, result.Repos)
			require.Equal(t, want, trailers(h.app))
		}
	}
}

// git made the commit and then reported a failure.
func TestFailureAfterTheCommit(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.app.Write("out", "x")
	h.verified(ref)
	// The hook commits by itself what it was asked about, and refuses.
	h.hook(h.app, `unset GIT_INDEX_FILE; git add out && git -c core.hooksPath=/dev/null commit --quiet --message 'feat: one

`+run.TrailerCommit+`: `+ref.ID+`/01/1'; exit 1`)
	result := must(h, run.Commit, commitOf(ref))
	require.Empty(t, result.Failed)
	require.Equal(t, h.app.Git("rev-parse", "HEAD"), result.Repos[0].SHA)
	require.Equal(t, []string{"feat: one", "start"}, subjects(h.app))
}

// A packet may call directories of one repository its repositories.
func TestTargetsInOneRepository(t *testing.T) {
	t.Parallel()
	h := newHost(t, one("targets: [ui, core]"))
	h.write(filepath.Join(h.packet, packet.ManifestName), `---
name: tested
profile: simulated-default
repos:
  ui: {path: ../app/ui}
  core: {path: ../app/core}
---
`)
	h.app.Write("ui/x", "x")
	h.app.Write("core/x", "x")
	h.app.Commit("directories")
	ref := h.prepared()
	h.app.Write("ui/out", "x")
	h.app.Write("core/out", "x")
	h.verified(ref)
	result := must(h, run.Commit, commitOf(ref))
	require.Empty(t, result.Failed)
	require.Equal(t, []string{"feat: one", "feat: one", "directories", "start"}, subjects(h.app))
	require.Equal(t, []string{h.app.Git("rev-parse", "HEAD~1"), h.app.Git("rev-parse", "HEAD")}, []string{result.Repos[0].SHA, result.Repos[1].SHA})
	require.Empty(t, h.app.Git("status", "--porcelain"))
}
