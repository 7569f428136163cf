package verifier_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// BenchmarkLargeTree judges a tree of 20,000 files, 20 MB, of which 1,000 changed.
// The bytes per operation are the sum of all allocations; alive at any time are
// one file, the names that match, and what a report shows. The metric live-B is
// the growth of the heap at the end of an evaluation.
func BenchmarkLargeTree(b *testing.B) {
	repo := gittest.New(b)
	text := make([]byte, 1000)
	for i := range text {
		text[i] = "abcdefgh \n"[i%10]
	}
	for i := range 20_000 {
		path := filepath.Join(repo.Dir, fmt.Sprintf("dir%03d/sub%d/file%05d.go", i%200, i%7, i))
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(b, os.WriteFile(path, text, 0o644))
	}
	repo.Commit("tree")
	for i := range 1000 {
		repo.Write(fmt.Sprintf("dir%03d/sub%d/file%05d.go", i%200, i%7, i), "changed\n")
	}
	scope := verifier.Scope{
		Prompt: "01", Root: b.TempDir(), WorkDir: repo.Dir, Env: repo.Env,
		Repos: []packet.Repo{{Name: "app", Path: repo.Dir}},
	}
	for name, contract := range map[string]packet.Contract{
		"glob":               {Glob: []packet.GlobEntry{{PathEntry: packet.PathEntry{Path: "**/*.go"}, MinMatches: 20_000, NonEmpty: true}}},
		"source_absent":      {SourceAbsent: []packet.SourceEntry{{PathEntry: packet.PathEntry{Path: "."}, Patterns: []string{`panic\(`, `(?i)todo`}, Extensions: []string{".go"}}}},
		"changed_paths_only": {ChangedPathsOnly: []packet.PathEntry{{Path: "dir*/**"}}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				report, err := verifier.Evaluate(b.Context(), contract, scope)
				require.NoError(b, err)
				require.True(b, report.Pass, report.Failures)
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(report)
			}
			b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "live-B")
		})
	}
}
