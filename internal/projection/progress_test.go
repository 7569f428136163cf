package projection_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestProgressSuffix(t *testing.T) {
	ok := func(repo, sha string) run.RepoCommit {
		return run.RepoCommit{Repo: repo, Status: run.CommitStatusOK, SHA: sha}
	}
	skip := func(repo, reason string) run.RepoCommit {
		return run.RepoCommit{Repo: repo, Status: run.CommitStatusSkip, Reason: reason}
	}
	for name, tc := range map[string]struct {
		commits []run.RepoCommit
		want    string
	}{
		"one repository":         {[]run.RepoCommit{ok("app", "abc")}, "abc"},
		"several":                {[]run.RepoCommit{ok("app", "abc"), ok("lib", "def")}, "app=abc,lib=def"},
		"several, one unchanged": {[]run.RepoCommit{skip("app", run.SkipNoChanges), ok("lib", "def")}, "lib=def"},
		"several, no changes":    {[]run.RepoCommit{skip("app", run.SkipNoChanges), skip("lib", run.SkipNoChanges)}, "no_changes"},
		"no changes":             {[]run.RepoCommit{skip("app", run.SkipNoChanges)}, "no_changes"},
		"no commit":              {[]run.RepoCommit{skip("app", run.SkipNoCommit)}, "no_commit"},
		"several, no commit":     {[]run.RepoCommit{skip("app", run.SkipNoCommit), skip("lib", run.SkipNoCommit)}, "no_commit"},
		"noop":                   {[]run.RepoCommit{skip("app", run.SkipNoop)}, "noop"},
		"nothing known":          {nil, "no_changes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			done := transition(1, 1, run.StatusCompleted)
			done.Commits = tc.commits
			apply(t, dir, done)
			require.Equal(t, "01:completed:"+stamp(1)+":"+tc.want+"\n", read(t, dir.ProgressFile()))
		})
	}
}

func TestProgressLinesAreForEndsOnly(t *testing.T) {
	for status, want := range map[run.Status][]string{
		run.StatusRunning:            nil,
		run.StatusRetryScheduled:     nil,
		run.StatusRepairing:          nil,
		run.StatusVerifierFault:      nil,
		run.StatusStopped:            nil,
		run.StatusBlockedByDep:       nil,
		run.StatusFailed:             {"01:failed:" + stamp(1)},
		run.StatusVerificationFailed: {"01:failed:" + stamp(1)},
		run.StatusCommitFailed:       {"01:failed:" + stamp(1)},
	} {
		t.Run(string(status), func(t *testing.T) {
			dir := projection.In(t.TempDir())
			apply(t, dir, transition(1, 1, status))
			require.Equal(t, want, progress(t, dir))
			require.Equal(t, string(status), entry(t, dir)["status"])
		})
	}
}

func TestProgressGoesOnWhereAnotherToolStopped(t *testing.T) {
	for name, text := range map[string]string{
		"whole":                    "00:failed:2026-01-02T03:04:05.000006Z\n",
		"without final line break": "00:failed:2026-01-02T03:04:05.000006Z",
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			write(t, dir.ProgressFile(), text)
			apply(t, dir, transition(1, 1, run.StatusCompleted))
			require.Equal(t, "00:failed:2026-01-02T03:04:05.000006Z\n01:completed:"+stamp(1)+":no_changes\n", read(t, dir.ProgressFile()))
		})
	}
}

func TestCompleted(t *testing.T) {
	const when = "2026-01-02T03:04:05.000006Z"
	for name, tc := range map[string]struct {
		text string
		want map[string]bool
	}{
		"last line wins":           {"01:completed:" + when + ":abc\n01:failed:" + when + "\n02:failed:" + when + "\n02:completed:" + when + "\n", map[string]bool{"01": false, "02": true}},
		"without final line break": {"01:completed:" + when, map[string]bool{"01": true}},
		"suffix with colons":       {"01:completed:" + when + ":a=b:c\n", map[string]bool{"01": true}},
		"carriage returns":         {"01:completed:" + when + "\r\n", map[string]bool{"01": true}},
		"a status of another tool": {"01:skipped:" + when + "\n", map[string]bool{"01": false}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			write(t, dir.ProgressFile(), tc.text)
			completed, err := dir.Completed()
			require.NoError(t, err)
			require.Equal(t, tc.want, completed)
		})
	}

	t.Run("no ledger", func(t *testing.T) {
		completed, err := projection.In(t.TempDir()).Completed()
		require.NoError(t, err)
		require.Empty(t, completed)
	})
}

func TestMalformedProgressIsAnError(t *testing.T) {
	const good = "01:completed:2026-01-02T03:04:05.000006Z\n"
	for name, tc := range map[string]struct {
		text string
		line string
	}{
		"junk":         {good + "junk\n" + good, "2"},
		"no time":      {good + good + "02:completed\n", "3"},
		"empty time":   {"02:completed:\n", "1"},
		"empty id":     {":completed:x\n", "1"},
		"empty status": {"01::x\n", "1"},
		"blank line":   {good + "\n" + good, "2"},
		"torn":         {good + "02:comp", "2"},
		"empty file":   {"", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			write(t, dir.ProgressFile(), tc.text)
			completed, err := dir.Completed()
			require.ErrorContains(t, err, dir.ProgressFile()+":"+tc.line+": ")
			require.Nil(t, completed)
		})
	}

	t.Run("unreadable", func(t *testing.T) {
		dir := projection.In(t.TempDir())
		require.NoError(t, os.MkdirAll(dir.ProgressFile(), 0o755))
		_, err := dir.Completed()
		require.ErrorContains(t, err, dir.ProgressFile())
		require.Error(t, dir.Apply(transition(1, 1, run.StatusCompleted), nil))
	})
}
