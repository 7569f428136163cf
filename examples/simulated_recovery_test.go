package examples_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

// TestSimulatedRecovery plays every prompt of the packet through the decisions
// alone, its file clauses standing in for the verifier, and compares the attempts
// with what the packet's README promises.
func TestSimulatedRecovery(t *testing.T) {
	root := filepath.Join(t.TempDir(), "packet")
	require.NoError(t, os.CopyFS(root, os.DirFS("simulated-recovery")))
	require.NoError(t, os.RemoveAll(filepath.Join(root, "workspace")))
	require.NoError(t, os.Mkdir(filepath.Join(root, "workspace"), 0o755))

	loaded, err := packet.Load(root, packet.Options{})
	require.NoError(t, err)
	require.Empty(t, loaded.Warnings)
	readme, err := os.ReadFile("simulated-recovery/README.md")
	require.NoError(t, err)

	want := map[string]string{
		"01": "run, retry", "02": "run, repair", "03": "run (1 resume)", "04": "run, retry", "05": "run, retry",
		"06": "run", "07": "run, retry, repair", "08": "run, retry, retry", "09": "run (1 resume)",
	}
	require.Len(t, loaded.Prompts, len(want))
	for _, prompt := range loaded.Prompts {
		t.Run(prompt.ID, func(t *testing.T) {
			require.Equal(t, "simulated", prompt.Settings.Provider)
			require.NotEmpty(t, prompt.Commit)
			require.NotEmpty(t, prompt.Contract.Commands)
			require.NotEmpty(t, prompt.Contract.ChangedPathsOnly)
			attempts, late := complete(t, prompt, loaded.Repos)
			require.Equal(t, want[prompt.ID], attempts)
			require.Equal(t, prompt.ID == "06", late)
			require.True(t, slices.ContainsFunc(strings.Split(string(readme), "\n"), func(line string) bool {
				return strings.HasPrefix(line, "| "+prompt.ID+" |") && strings.HasSuffix(line, "| "+attempts+" |")
			}), "the README says something else about prompt %s", prompt.ID)
		})
	}
}

// complete plays a prompt until it is complete, and returns its attempts as the
// README writes them and whether it ended with a late error.
func complete(t *testing.T, prompt packet.Prompt, repos []packet.Repo) (attempts string, late bool) {
	t.Helper()
	turn := providers.Turn{PromptID: prompt.ID, WorkDir: prompt.WorkDir, Script: prompt.Simulate}
	for _, repo := range repos {
		turn.Repos = append(turn.Repos, providers.Repo{Name: repo.Name, Path: repo.Path})
	}
	play := func() *run.Failure {
		turn.Journal = t.TempDir()
		result, err := simulated.New().Play(t.Context(), turn, func(providers.Event) error { return nil })
		require.NoError(t, err)
		return result.Failure
	}
	modes := []string{string(run.ModeRun)}
	counts := recovery.Counts{Retries: map[run.Class]int{}}
	resumes := 0
	for {
		turn.Attempt++
		turn.Resume = 0
		failure := play()
		for recovery.Resumable(failure, turn.Resume, prompt.Recovery) {
			turn.Resume++
			resumes++
			failure = play()
		}
		report, changed := judge(prompt)
		decision, err := recovery.Decide(recovery.Rules, recovery.Attempt{Failure: failure, Report: report, Changed: changed}, prompt.Recovery, counts, 0)
		require.NoError(t, err)
		require.Zero(t, decision.Delay)
		switch decision.Action {
		case recovery.Complete:
			attempts = strings.Join(modes, ", ")
			if resumes == 1 {
				attempts += " (1 resume)"
			}
			return attempts, decision.LateError
		case recovery.Retry:
			counts.Retries[failure.Class]++
		case recovery.Repair:
			counts.Repairs++
		default:
			require.Fail(t, "the prompt does not complete", decision.Reason)
		}
		modes = append(modes, string(decision.Action))
	}
}

// judge checks the file clauses of a contract.
func judge(prompt packet.Prompt) (report run.ReportSummary, changed bool) {
	for _, entry := range prompt.Contract.FilesExist {
		report.Items++
		if _, err := os.Stat(filepath.Join(prompt.WorkDir, entry.Path)); err != nil {
			report.Failures++
		} else {
			changed = true
		}
	}
	for _, entry := range prompt.Contract.Contains {
		report.Items++
		content, err := os.ReadFile(filepath.Join(prompt.WorkDir, entry.Path))
		if err != nil || !strings.Contains(string(content), entry.Text) {
			report.Failures++
		}
	}
	return report, changed
}
