package simulated_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// rewriting exercises what a replay could get wrong: appends to an old file, to a
// new one and to one that the turn itself replaced.
var rewriting = []simulation.Write{
	{Path: "old.txt", Text: "+1", Append: true},
	{Path: "new.txt", Text: "+1", Append: true},
	{Path: "old.txt", Text: "+2", Append: true},
	{Path: "new.txt", Text: "fresh"},
	{Path: "new.txt", Text: "+3", Append: true},
}

var rewritten = map[string]string{"old.txt": "old+1+2", "new.txt": "fresh+3"}

func rewritingTurn(t *testing.T) providers.Turn {
	t.Helper()
	turn := newTurn(t, attempts(simulation.Step{Writes: rewriting, DelayMS: 1 << 62}))
	require.NoError(t, os.WriteFile(filepath.Join(turn.WorkDir, "old.txt"), []byte("old"), 0o644))
	return turn
}

// kill plays a turn until its delay and no further, as a killed worker would.
func kill(t *testing.T, turn providers.Turn) {
	t.Helper()
	killed := errors.New("killed")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := simulated.New().Play(ctx, turn, func(providers.Event) error {
		cancel(killed)
		return nil
	})
	require.ErrorIs(t, err, killed)
}

func TestReplayAfterKillInTheDelay(t *testing.T) {
	turn := rewritingTurn(t)
	for range 3 {
		kill(t, turn)
		require.Equal(t, rewritten, files(t, turn.WorkDir))
	}
}

// TestReplayFromEveryJournal cuts the journal after every line, and in the middle
// of every line, with the tree as it was after the writes that the cut journal
// lets be applied: the recorded ones, or all of them but the last.
func TestReplayFromEveryJournal(t *testing.T) {
	for recorded := range len(rewriting) + 1 {
		for applied := max(recorded-1, 0); applied <= recorded; applied++ {
			for _, torn := range []bool{false, true} {
				if torn && (recorded == len(rewriting) || applied < recorded) {
					continue
				}
				turn := rewritingTurn(t)
				whole := rewritingTurn(t)
				whole.WorkDir, whole.Repos = turn.WorkDir, turn.Repos
				kill(t, whole)
				journal := filepath.Join(whole.Journal, "journal.jsonl")
				content, err := os.ReadFile(journal)
				require.NoError(t, err)
				lines := bytes.SplitAfter(content, []byte("\n"))
				cut := bytes.Join(lines[:recorded], nil)
				if torn {
					cut = append(cut, lines[recorded][:len(lines[recorded])/2]...)
				}

				require.NoError(t, os.RemoveAll(filepath.Join(turn.WorkDir, "new.txt")))
				require.NoError(t, os.WriteFile(filepath.Join(turn.WorkDir, "old.txt"), []byte("old"), 0o644))
				partial := turn
				partial.Journal = filepath.Join(t.TempDir(), "partial")
				partial.Script = attempts(simulation.Step{Writes: rewriting[:applied]})
				play(t, partial)

				require.NoError(t, os.Mkdir(turn.Journal, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(turn.Journal, "journal.jsonl"), cut, 0o600))
				kill(t, turn)
				require.Equal(t, rewritten, files(t, turn.WorkDir), "recorded %d, applied %d, torn %v", recorded, applied, torn)

				after, err := os.ReadFile(filepath.Join(turn.Journal, "journal.jsonl"))
				require.NoError(t, err)
				require.Equal(t, string(content), string(after), "recorded %d, applied %d, torn %v", recorded, applied, torn)
			}
		}
	}
}

func TestReplayRefusesDamagedJournals(t *testing.T) {
	turn := rewritingTurn(t)
	kill(t, turn)
	journal := filepath.Join(turn.Journal, "journal.jsonl")
	content, err := os.ReadFile(journal)
	require.NoError(t, err)
	tests := map[string][]byte{
		"damaged":                 append([]byte("}\n"), content...),
		"belongs to another turn": bytes.Replace(content, []byte("old.txt"), []byte("odd.txt"), 1),
	}
	for want, damaged := range tests {
		require.NoError(t, os.WriteFile(journal, damaged, 0o600))
		_, err := simulated.New().Play(t.Context(), turn, func(providers.Event) error { return nil })
		require.ErrorContains(t, err, want)
		require.Equal(t, rewritten, files(t, turn.WorkDir))
	}
}

func TestJournalFaultsAreErrors(t *testing.T) {
	turn := newTurn(t, attempts(simulation.Step{Writes: []simulation.Write{{Path: "a.txt", Text: "a"}}}))
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	turn.Journal = filepath.Join(blocked, "session")
	_, err := simulated.New().Play(t.Context(), turn, func(providers.Event) error { return nil })
	require.ErrorContains(t, err, "journal")
	require.Empty(t, files(t, turn.WorkDir), "nothing is written that is not journalled")
}
