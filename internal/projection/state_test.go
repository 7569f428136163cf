package projection_test

import (
	"flag"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/run"
)

// Re-record the golden file with: go test ./internal/projection -update.
var update = flag.Bool("update", false, "rewrite the golden files")

// The life of a prompt: a failed attempt, a retry, a repair, completion in two
// repositories.
func TestStateFileGolden(t *testing.T) {
	dir := projection.In(t.TempDir())
	delay := int64(1500)
	maxAttempts := 4

	start(t, dir, "r", 1, 1, 1)
	failed := transition(1, 2, run.StatusRetryScheduled)
	failed.Seq, failed.AttemptStatus, failed.Reason, failed.RetryDelayMS = 1, run.StatusFailed, "the provider is full", &delay
	failed.Failure = &run.Failure{
		Class: run.ClassCapacity, Retryable: true, RemoteClaim: true, Severity: "error", ProviderCode: "529",
		SuggestedDelayMS: 1000, SuggestedMaxAttempts: &maxAttempts, Message: "model is <at> capacity",
	}
	require.NoError(t, dir.Apply(failed, map[string]any{"pass?": false, "prompt_id": "01"}))

	start(t, dir, "r", 1, 3, 2)
	repairing := transition(1, 4, run.StatusRepairing)
	repairing.Seq, repairing.AttemptStatus, repairing.Reason = 2, run.StatusVerificationFailed, "out.txt is missing"
	require.NoError(t, dir.Apply(repairing, map[string]any{"pass?": false, "prompt_id": "01"}))

	start(t, dir, "r", 1, 5, 3)
	done := transition(1, 6, run.StatusCompleted)
	done.Seq, done.AttemptStatus, done.LateError, done.Unverified = 3, run.StatusCompleted, true, true
	done.Commits = []run.RepoCommit{
		{Repo: "app", Status: run.CommitStatusOK, SHA: "0123456789012345678901234567890123456789", LeftOut: 2},
		{Repo: "lib", Status: run.CommitStatusSkip, Reason: run.SkipNoChanges},
	}
	require.NoError(t, dir.Apply(done, map[string]any{"pass?": true, "prompt_id": "01"}))

	got := strings.ReplaceAll(read(t, dir.StateFile()), dir.Path(), "PACKET/.prompt_runner")
	golden := filepath.Join("testdata", "state.golden")
	if *update {
		write(t, golden, got)
	}
	require.Equal(t, read(t, golden), got)
}

func TestOlderNeverOverwritesNewer(t *testing.T) {
	newest := transition(2, 5, run.StatusCompleted)
	for name, tc := range map[string]struct {
		then run.ProjectStateInput
		want run.Status
	}{
		"same revision":           {transition(2, 5, run.StatusFailed), run.StatusCompleted},
		"earlier sequence":        {transition(2, 4, run.StatusFailed), run.StatusCompleted},
		"earlier leg":             {transition(1, 9, run.StatusFailed), run.StatusCompleted},
		"later sequence":          {transition(2, 6, run.StatusFailed), run.StatusFailed},
		"later leg, sequence low": {transition(3, 1, run.StatusFailed), run.StatusFailed},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			start(t, dir, "r", 2, 4, 1)
			apply(t, dir, newest, tc.then)
			require.Equal(t, string(tc.want), entry(t, dir)["status"])
			if tc.want == run.StatusCompleted && tc.then.Revision != newest.Revision {
				require.Equal(t, []string{"01:completed:" + stamp(5) + ":no_changes"}, progress(t, dir), "what came too late is not in the ledger either")
			}
		})
	}

	t.Run("attempt", func(t *testing.T) {
		dir := projection.In(t.TempDir())
		apply(t, dir, newest)
		start(t, dir, "r", 1, 1, 1)
		require.Equal(t, string(run.StatusCompleted), entry(t, dir)["status"])
		require.NotContains(t, entry(t, dir), "attempts")
	})

	t.Run("another run", func(t *testing.T) {
		dir := projection.In(t.TempDir())
		apply(t, dir, newest)
		start(t, dir, "next", 1, 1, 1)
		require.Equal(t, string(run.StatusRunning), entry(t, dir)["status"])
	})
}

// A killed worker projects again what it may have projected already.
func TestSameTransitionTwice(t *testing.T) {
	dir := projection.In(t.TempDir())
	done := transition(1, 2, run.StatusCompleted)
	done.Seq, done.AttemptStatus = 1, run.StatusCompleted
	for range 2 {
		start(t, dir, "r", 1, 1, 1)
	}
	apply(t, dir, done)
	before := read(t, dir.StateFile())
	apply(t, dir, done)
	require.Equal(t, before, read(t, dir.StateFile()))
	require.Len(t, entry(t, dir)["attempts"], 1)
	require.Len(t, progress(t, dir), 1)
}

// The worker died between state.json and progress.log.
func TestProgressLineIsMadeUpFor(t *testing.T) {
	dir := projection.In(t.TempDir())
	done := transition(1, 2, run.StatusCompleted)
	apply(t, dir, done)
	write(t, dir.ProgressFile(), "00:failed:"+stamp(0)+"\n")
	apply(t, dir, done)
	require.Equal(t, []string{"00:failed:" + stamp(0), "01:completed:" + stamp(2) + ":no_changes"}, progress(t, dir))
}

const elixirState = `{
  "version": 1,
  "state_path": "/elsewhere/.prompt_runner/state.json",
  "updated_at": "2026-01-02T03:04:05.000006Z",
  "operator": {"note": "<kept>"},
  "prompts": {
    "01": {
      "status": "failed",
      "last_attempt": 2,
      "reason": ["commit_failed", 1],
      "stage": "post_session",
      "budget": 12345678901234567890,
      "ratio": 1.0,
      "attempts": [
        {"attempt": 1, "mode": "run", "status": "running", "started_at": "2026-01-02T03:04:05.000006Z"},
        {"attempt": 1, "mode": "repair", "status": "failed", "raw": {"tuple": ["error", "x"]}}
      ]
    },
    "02": {"status": "completed", "session_ran": false}
  }
}`

func TestStateOfTheElixirToolIsKept(t *testing.T) {
	dir := projection.In(t.TempDir())
	write(t, dir.StateFile(), elixirState)
	start(t, dir, "r", 1, 1, 1)
	done := transition(1, 2, run.StatusCompleted)
	done.Seq, done.AttemptStatus = 1, run.StatusCompleted
	apply(t, dir, done)
	require.NoError(t, dir.CloseOrphans("r", later(3)))

	require.JSONEq(t, `{
	  "version": 1, "state_path": "`+dir.StateFile()+`", "updated_at": "`+stamp(2)+`", "run_id": "r",
	  "operator": {"note": "<kept>"},
	  "prompts": {
	    "01": {
	      "status": "completed", "failure_class": "ok", "last_attempt": 1, "stage": "post_session",
	      "budget": 12345678901234567890, "ratio": 1.0,
	      "run_id": "r", "revision": {"leg": 1, "sequence": 2}, "updated_at": "`+stamp(2)+`",
	      "attempts": [
	        {"attempt": 1, "mode": "run", "status": "running", "started_at": "2026-01-02T03:04:05.000006Z"},
	        {"attempt": 1, "mode": "repair", "status": "failed", "raw": {"tuple": ["error", "x"]}},
	        {"attempt": 1, "iteration": 1, "log_file": "logs/prompt-01.log", "mode": "run", "prompt_name": "First", "run_id": "r", "seq": 1,
	         "started_at": "`+stamp(1)+`", "status": "completed", "completed_at": "`+stamp(2)+`", "failure_class": "ok"}
	      ]
	    },
	    "02": {"status": "completed", "session_ran": false}
	  }
	}`, read(t, dir.StateFile()))
	text := read(t, dir.StateFile())
	require.Contains(t, text, "12345678901234567890", "numbers stay exact")
	require.Contains(t, text, `"ratio": 1.0`)
}

func TestUnreadableStateIsAnErrorAndStays(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"torn":               {`{"version": 1, "prompts": {`, "not a valid state file"},
		"empty":              {"", "not a valid state file"},
		"two documents":      {`{"version": 1}{"version": 1}`, "something follows"},
		"no object":          {`[1]`, "not a valid state file"},
		"null":               {`null`, "version"},
		"another version":    {`{"version": 2, "prompts": {}}`, "has version 2, this release knows version 1"},
		"no version":         {`{"prompts": {}}`, "version"},
		"prompts no object":  {`{"version": 1, "prompts": []}`, `"prompts" is not an object`},
		"prompt no object":   {`{"version": 1, "prompts": {"01": "done"}}`, "prompt 01 is not an object"},
		"attempts are a map": {`{"version": 1, "prompts": {"01": {"attempts": {"1": "x"}}}}`, "attempts of prompt 01"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			write(t, dir.StateFile(), tc.text)
			errs := map[string]error{
				"Apply": dir.Apply(transition(1, 1, run.StatusCompleted), nil),
				"StartAttempt": dir.StartAttempt(run.PrepareAttemptInput{
					Run: run.Ref{ID: "r", Leg: 1}, Prompt: "01", Revision: run.Revision{Leg: 1, Sequence: 1},
				}, 1, "First", filepath.Join(dir.LogDir(), "x.log")),
			}
			for call, err := range errs {
				require.ErrorContains(t, err, tc.want, call)
				require.ErrorContains(t, err, dir.StateFile(), call)
				require.ErrorContains(t, err, "move it away", call)
			}
			require.Equal(t, tc.text, read(t, dir.StateFile()))
			require.NoFileExists(t, dir.ProgressFile(), "nothing was recorded")
		})
	}
}

// Each transition says all there is to say: what an earlier one said of the
// prompt is gone.
func TestTransitionsReplaceEachOther(t *testing.T) {
	dir := projection.In(t.TempDir())
	delay := int64(10)
	waiting := transition(1, 1, run.StatusRetryScheduled)
	waiting.RetryDelayMS, waiting.Reason, waiting.BlockedBy = &delay, "full", []string{"00"}
	waiting.Failure = &run.Failure{Class: run.ClassCapacity, Message: "full"}
	apply(t, dir, waiting)
	require.Subset(t, entry(t, dir), map[string]any{"retry_delay_ms": 10.0, "reason": "full", "failure_class": "provider_capacity"})

	apply(t, dir, transition(1, 2, run.StatusCompleted))
	after := entry(t, dir)
	require.Equal(t, "ok", after["failure_class"])
	for _, key := range []string{"retry_delay_ms", "reason", "failure", "blocked_by", "commit_info", "unverified", "late_error"} {
		require.NotContains(t, after, key)
	}
}

func TestSingleRepositoryCommitInfo(t *testing.T) {
	for name, tc := range map[string]struct {
		commits []run.RepoCommit
		want    any
	}{
		"ok":    {[]run.RepoCommit{{Repo: "app", Status: run.CommitStatusOK, SHA: "abc"}}, map[string]any{"status": "ok", "value": "abc"}},
		"skip":  {[]run.RepoCommit{{Repo: "app", Status: run.CommitStatusSkip, Reason: run.SkipNoop}}, map[string]any{"status": "skip", "reason": "noop"}},
		"error": {[]run.RepoCommit{{Repo: "app", Status: run.CommitStatusError, Reason: "the hook"}}, map[string]any{"status": "error", "reason": "the hook"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := projection.In(t.TempDir())
			done := transition(1, 1, run.StatusCompleted)
			done.Commits = tc.commits
			apply(t, dir, done)
			require.Equal(t, tc.want, entry(t, dir)["commit_info"])
		})
	}
}

func TestOrphanedAttemptsEnd(t *testing.T) {
	dir := projection.In(t.TempDir())
	start(t, dir, "old", 1, 1, 1)
	start(t, dir, "r", 1, 1, 1)
	require.NoError(t, dir.CloseOrphans("r", later(9)))
	attempts, _ := entry(t, dir)["attempts"].([]any)
	require.Len(t, attempts, 2)
	require.Equal(t, "running", attempts[0].(map[string]any)["status"], "another run's")
	require.Subset(t, attempts[1], map[string]any{"status": "stopped", "completed_at": stamp(9)})
	require.Equal(t, "stopped", entry(t, dir)["status"])

	before := read(t, dir.StateFile())
	require.NoError(t, dir.CloseOrphans("r", later(10)))
	require.Equal(t, before, read(t, dir.StateFile()))
}

func TestConcurrentProjectionsLoseNothing(t *testing.T) {
	dir := projection.In(t.TempDir())
	var prompts sync.WaitGroup
	for i := range 8 {
		prompts.Go(func() {
			done := transition(1, 1, run.StatusCompleted)
			done.Prompt = strconv.Itoa(10 + i)
			assert.NoError(t, projection.In(filepath.Dir(dir.Path())).Apply(done, nil))
		})
	}
	prompts.Wait()
	completed, err := dir.Completed()
	require.NoError(t, err)
	require.Len(t, completed, 8)
	require.Equal(t, 8, strings.Count(read(t, dir.StateFile()), `"status": "completed"`))
}
