package verifier_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/verifier"
)

func TestEvaluateJudgesEveryItemInOrder(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.app.Write("README.md", "hello\n")
	report := tree.evaluate(packet.Contract{
		ChangedPathsOnly: []packet.PathEntry{{Path: "README.md"}},
		Commands:         []packet.Command{{Exec: "no-such-program"}, {Shell: "test -f README.md"}},
		Matches:          []packet.PatternEntry{{PathEntry: packet.PathEntry{Path: "README.md"}, Pattern: "^hello"}},
		Contains:         []packet.TextEntry{{PathEntry: packet.PathEntry{Path: "README.md"}, Text: "bye"}},
		FilesAbsent:      []packet.PathEntry{{Path: "out.txt"}},
		FilesExist:       []packet.PathEntry{{Path: "README.md"}, {Path: "out.txt"}},
	})
	var kinds []verifier.Kind
	var passes []bool
	for _, item := range report.Items {
		kinds, passes = append(kinds, item.Kind), append(passes, item.Pass)
	}
	require.Equal(t, []verifier.Kind{
		verifier.FileExists, verifier.FileExists, verifier.FileAbsent, verifier.Contains, verifier.Matches,
		verifier.CommandRuns, verifier.CommandRuns, verifier.ChangedPathsOnly,
	}, kinds)
	require.Equal(t, []bool{true, false, true, false, true, false, true, true}, passes)
	require.Len(t, report.Failures, 3)
	require.Len(t, report.Faults, 1)
	require.Equal(t, "01", report.Prompt)

	fields := toJSON(t, report)
	require.Equal(t, false, fields["pass?"])
	require.Equal(t, "01", fields["prompt_id"])
	require.Equal(t, map[string]any{
		"kind": "file_exists", "repo": "app", "pass?": true, "details": "ok",
		"path": "README.md", "resolved_path": tree.app.Dir + "/README.md",
	}, fields["items"].([]any)[0])
	require.Equal(t, map[string]any{
		"kind": "changed_paths_only", "repo": "app", "pass?": true, "details": "ok",
		"allowed_paths": []any{"README.md"}, "changed_paths": []any{"README.md"},
	}, fields["items"].([]any)[7])

	summary := verifier.Summarize(report, "report.json")
	require.Equal(t, 8, summary.Items)
	require.Equal(t, 3, summary.Failures)
	require.Equal(t, 1, summary.Faults)
	require.Equal(t, "report.json", summary.File)
	require.False(t, summary.Pass())
	require.Contains(t, summary.Unmet, "file_exists out.txt: missing")
	require.Contains(t, summary.Unmet, "; contains README.md: expected ")
	require.Contains(t, summary.Unmet, "; command no-such-program (verifier_fault): ")
}

func TestEvaluateEmptyContract(t *testing.T) {
	t.Parallel()
	report := newTree(t).evaluate(packet.Contract{})
	require.Equal(t, map[string]any{
		"pass?": true, "items": []any{}, "failures": []any{}, "faults": []any{}, "prompt_id": "01", "amendments": []any{},
	}, toJSON(t, report))
	require.True(t, verifier.Summarize(report, "").Unverified())
}

func TestEvaluateEndedContext(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := verifier.Evaluate(ctx, packet.Contract{Commands: []packet.Command{{Exec: "true"}}}, tree.scope)
	require.ErrorIs(t, err, context.Canceled)
}

func TestSummarizeReadBackReport(t *testing.T) {
	t.Parallel()
	report := newTree(t).evaluate(packet.Contract{Commands: []packet.Command{{Shell: "exit 127"}}})
	text, err := json.Marshal(report)
	require.NoError(t, err)
	var back verifier.Report
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, report, back)
	back.Failures, back.Faults = nil, nil
	require.Equal(t, verifier.Summarize(report, "f"), verifier.Summarize(back, "f"))
	require.Equal(t, 1, verifier.Summarize(back, "f").Faults)
}

func TestSummarizeIsBounded(t *testing.T) {
	t.Parallel()
	entry := packet.PathEntry{Path: strings.Repeat("long/", 50)}
	contract := packet.Contract{}
	for range 100 {
		contract.FilesExist = append(contract.FilesExist, entry)
	}
	summary := verifier.Summarize(newTree(t).evaluate(contract), "reports/1.json")
	require.Equal(t, 100, summary.Failures)
	require.LessOrEqual(t, len(summary.Unmet), run.MaxMessage)
	require.Contains(t, summary.Unmet, "reports/1.json")
}
