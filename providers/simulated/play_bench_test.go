package simulated_test

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// BenchmarkPlay is the cost of a turn that writes one new file: what the durable
// journal adds to every simulated prompt.
func BenchmarkPlay(b *testing.B) {
	repo, journals := b.TempDir(), b.TempDir()
	n := 0
	for b.Loop() {
		n++
		_, err := simulated.New().Play(b.Context(), providers.Turn{
			PromptID: "01", Attempt: 1, WorkDir: repo, Repos: []providers.Repo{{Name: "app", Path: repo}},
			Journal: filepath.Join(journals, strconv.Itoa(n)),
			Script:  attempts(simulation.Step{Writes: []simulation.Write{{Path: strconv.Itoa(n), Text: "x"}}}),
		}, func(providers.Event) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
