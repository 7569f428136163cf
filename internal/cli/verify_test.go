package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// An interrupt ends what runs, brings back what was put aside, and still leaves
// one document.
func TestVerifyInterrupted(t *testing.T) {
	s := newShell(t)
	app := s.repo("app")
	app.Write("out", "old")
	s.write("p/prompt_runner_packet.md", "---\nrepos: {app: ../app}\n---\n")
	started := filepath.Join(s.home, "started")
	s.write("p/prompts/01_a.prompt.md", "---\nverify:\n  commands:\n    - {exec: sh, args: [-c, \"echo half > out; mkfifo "+started+"; exec cat "+started+"\"], timeout_ms: 600000, regenerates: [out]}\n---\n# A\n")
	signals := make(chan os.Signal, 1)
	s.env.Interrupts = func() (<-chan os.Signal, func()) { return signals, func() {} }
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(started); err == nil {
				signals <- os.Interrupt
				return
			}
		}
	}()
	code, out, errs := s.run("verify", "p", "--json")
	require.Equal(t, 130, code)
	require.Contains(t, errs, "interrupted while prompt 01 was judged")
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &document))
	require.Equal(t, false, document["pass?"])
	require.Contains(t, document["error"], "interrupted")
	text, err := os.ReadFile(filepath.Join(app.Dir, "out"))
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	left, err := filepath.Glob(filepath.Join(app.Dir, "*backup"))
	require.NoError(t, err)
	require.Empty(t, left)
}
