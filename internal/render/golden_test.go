package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/run"
)

// Re-record the golden files with: go test ./internal/render -update.
var update = flag.Bool("update", false, "rewrite the golden files")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func prompt(id, name string, status run.Status, attempts ...run.AttemptSnapshot) run.PromptSnapshot {
	p := run.PromptSnapshot{Attempts: attempts}
	p.Prompt, p.Name, p.Status = id, name, status
	for _, attempt := range attempts {
		p.Modes = append(p.Modes, attempt.Mode)
		p.Resumes += attempt.Resumes
	}
	if len(attempts) > 0 {
		p.StartedAt, p.Since = noon, noon
	}
	if status.Final() {
		p.EndedAt = noon.Add(1400 * time.Millisecond)
	}
	return p
}

func capacity(seq int, mode run.Mode) run.AttemptSnapshot {
	return run.AttemptSnapshot{Seq: seq, Mode: mode, Status: run.StatusFailed, Class: run.ClassCapacity, Message: "Selected model is at capacity.\nPlease try a different model."}
}

// midway is a leg in which every kind of line occurs.
func midway() run.Snapshot {
	committed := prompt("01", "Retry after a capacity error", run.StatusCompleted,
		capacity(1, run.ModeRun), run.AttemptSnapshot{Seq: 2, Mode: run.ModeRetry, Status: run.StatusCompleted})
	committed.Commits = []run.RepoCommit{{Repo: "app", Status: run.CommitStatusOK, SHA: "0123456789abcdef0123456789abcdef01234567", LeftOut: 2}}

	late := prompt("02", "直したあとで壊れる late error", run.StatusCompleted,
		run.AttemptSnapshot{Seq: 1, Mode: run.ModeRun, Status: run.StatusCompleted, Resumes: 1})
	late.LateError, late.FailureClass, late.Message = true, run.ClassRuntimeClaim, "the remote side hung up"
	late.Commits = []run.RepoCommit{
		{Repo: "app", Status: run.CommitStatusSkip, Reason: run.SkipNoChanges},
		{Repo: "web", Status: run.CommitStatusOK, SHA: "fedcba9876543210"},
	}

	failed := prompt("03", "Repairs are spent", run.StatusVerificationFailed,
		run.AttemptSnapshot{Seq: 1, Mode: run.ModeRun, Status: run.StatusVerificationFailed, Unmet: "file_exists out.txt: missing"},
		run.AttemptSnapshot{Seq: 2, Mode: run.ModeRepair, Status: run.StatusVerificationFailed, Unmet: "file_exists out.txt: missing"})
	failed.Message = "file_exists out.txt: missing"

	working := prompt("04", "A long one", run.StatusRunning,
		run.AttemptSnapshot{Seq: 1, Mode: run.ModeRun, Status: run.StatusRunning})
	working.Activity = "session (resume 1)"

	waiting := prompt("05", "Waits", run.StatusRetryScheduled, capacity(1, run.ModeRun))
	waiting.NextRetry = noon.Add(95 * time.Second)

	blocked := prompt("06", "Needs 03", run.StatusBlockedByDep)
	blocked.Message = "03 did not complete"

	return run.Snapshot{
		Run: "k3J9", Leg: 1, State: run.RunOpen, Done: 1,
		Warnings: []string{"01_retry.prompt.md:4: unknown key \"veriffy\""},
		Prompts:  []run.PromptSnapshot{committed, late, failed, working, waiting, blocked, prompt("07", "", "")},
	}
}

func TestTransitionsTellWhatWasMissed(t *testing.T) {
	golden(t, "transitions-from-nothing", normalise(render.Transitions(run.Snapshot{}, midway())))
}

// normalise replaces the local time zone, in which retries are announced.
func normalise(lines []string) []string {
	at := noon.Add(95 * time.Second).Local().Format("15:04:05")
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], at, "HH:MM:SS")
	}
	return lines
}

func TestTransitionsTellNothingTwice(t *testing.T) {
	require.Empty(t, render.Transitions(midway(), midway()))
}

// Every way of cutting one history into polls must tell each attempt once.
func TestTransitionsAreCompleteWhateverThePolls(t *testing.T) {
	name := "Retry, then repair"
	running := run.AttemptSnapshot{Seq: 1, Mode: run.ModeRun, Status: run.StatusRunning}
	first := capacity(1, run.ModeRun)
	retrying := run.AttemptSnapshot{Seq: 2, Mode: run.ModeRetry, Status: run.StatusRunning}
	unmet := run.AttemptSnapshot{Seq: 2, Mode: run.ModeRetry, Status: run.StatusVerificationFailed, Unmet: "contains a.txt: missing"}
	repairing := run.AttemptSnapshot{Seq: 3, Mode: run.ModeRepair, Status: run.StatusRunning}
	repaired := run.AttemptSnapshot{Seq: 3, Mode: run.ModeRepair, Status: run.StatusCompleted}
	history := []run.PromptSnapshot{
		prompt("01", name, run.StatusPending),
		prompt("01", name, run.StatusRunning, running),
		prompt("01", name, run.StatusRunning, first), // ended, not decided
		prompt("01", name, run.StatusRetryScheduled, first),
		prompt("01", name, run.StatusRunning, first, retrying),
		prompt("01", name, run.StatusRepairing, first, unmet),
		prompt("01", name, run.StatusRunning, first, unmet, repairing),
		prompt("01", name, run.StatusCompleted, first, unmet, repaired),
	}
	want := []string{
		"01 Retry, then repair: attempt 1 (run) failed: provider_capacity: Selected model is at capacity. Please try a different model.; retry",
		"01 Retry, then repair: attempt 2 (retry) verification failed: contains a.txt: missing; repair",
		"01 Retry, then repair: completed (run, retry, repair) in 1.4s",
	}
	for polls := range 1 << (len(history) - 1) {
		var told []string
		prev := run.Snapshot{Run: "r"}
		for i, snapshot := range history {
			if last := len(history) - 1; i < last && polls&(1<<i) == 0 {
				continue
			}
			next := run.Snapshot{Run: "r", Prompts: []run.PromptSnapshot{snapshot}}
			for _, line := range render.Transitions(prev, next) {
				if !strings.HasSuffix(line, "started") {
					told = append(told, line)
				}
			}
			prev = next
		}
		require.Equal(t, want, told, "polls %b", polls)
	}
}

func TestContinuedRunSaysWhatWasDone(t *testing.T) {
	lines := render.Transitions(run.Snapshot{}, run.Snapshot{Run: "k3J9", Leg: 2, Continued: true, Done: 3, Prompts: midway().Prompts[6:]})
	require.Equal(t, []string{"run k3J9 continues (leg 2): 1 prompt to do, 3 completed before"}, lines)
}

func TestWaitingForTheTreeIsTold(t *testing.T) {
	p := prompt("01", "Shared tree", run.StatusRunning)
	next := run.Snapshot{Run: "r", Prompts: []run.PromptSnapshot{p}}
	waits := p
	waits.Activity = "waiting for run abc in /srv/app"
	after := run.Snapshot{Run: "r", Prompts: []run.PromptSnapshot{waits}}
	require.Equal(t, []string{"01 Shared tree: waiting for run abc in /srv/app"}, render.Transitions(next, after))
	require.Empty(t, render.Transitions(after, after))
}

func TestFrame(t *testing.T) {
	for _, tt := range []struct {
		name  string
		style render.Style
	}{
		{"frame-wide", render.Style{Width: 140, Height: 40}},
		{"frame-narrow", render.Style{Width: 40, Height: 40}},
		{"frame-low", render.Style{Width: 100, Height: 8}},
		{"frame-colour", render.Style{Width: 100, Height: 40, Colour: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := render.Frame(midway(), noon.Add(72*time.Second), tt.style)
			golden(t, tt.name, lines)
			if !tt.style.Colour {
				for _, line := range lines {
					require.LessOrEqual(t, render.Columns(line), tt.style.Width, "%q", line)
					require.NotContains(t, line, "\x1b")
				}
			}
			if tt.name == "frame-low" {
				require.LessOrEqual(t, len(lines), tt.style.Height)
			}
		})
	}
}

func TestFrameBeforeTheRunIsOpen(t *testing.T) {
	require.Equal(t, []string{"opening the run"}, render.Frame(run.Snapshot{}, noon, render.Style{}))
}

func TestSummary(t *testing.T) {
	result := run.Result{Run: "k3J9", Completed: 3, Total: 8}
	golden(t, "summary", render.Summary(result, midway().Prompts, render.Style{}))
	golden(t, "summary-narrow", render.Summary(result, midway().Prompts, render.Style{Width: 90}))
	require.Equal(t, []string{"1 of 1 prompt completed"}, render.Summary(run.Result{Completed: 1, Total: 1}, nil, render.Style{}))
}
