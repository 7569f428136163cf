package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example copies an example into the site and makes its repositories.
func (s *site) example(name string) string {
	s.t.Helper()
	dir := s.path(name)
	require.NoError(s.t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples", name))))
	for _, left := range []string{"workspace", ".prompt_runner"} {
		require.NoError(s.t, os.RemoveAll(filepath.Join(dir, left)))
	}
	s.must("sh", filepath.Join(dir, "setup.sh"))
	return dir
}

// TestExamples runs every example as its README tells: the packet lints without a
// finding, completes, and what it prints at the end is what the README shows.
func TestExamples(t *testing.T) {
	t.Parallel()
	for name, packetDir := range map[string]string{
		"simulated-recovery": ".", "single-repo": ".", "multi-repo": ".", "authoring": "packet",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			dir := s.example(name)
			packet := filepath.Join(dir, packetDir)
			lint := s.must("prompt-runner", "packet", "lint", packet)
			require.Contains(t, lint, "0 errors, 0 warnings")
			require.Contains(t, s.must("prompt-runner", "packet", "preflight", packet), "ready")
			s.must("prompt-runner", "plan", packet)
			ran := s.must("prompt-runner", "run", packet, "--diff", "stat")
			require.Contains(t, ran, "prompts completed")
			require.Contains(t, ran, "Changes of prompt 01:")
			readme, err := os.ReadFile(filepath.Join("..", "examples", name, "README.md"))
			require.NoError(t, err)
			for line := range strings.Lines(ran) {
				if number, _, ok := strings.Cut(line, " prompts completed"); ok {
					require.Contains(t, string(readme), number+" prompts completed", "the README shows another end")
				}
			}
			s.must("prompt-runner", "diff", packet, "01")
		})
	}
}

// TestAuthoringExample makes the packet of the authoring example from its
// documents: the files are those of the finished one.
func TestAuthoringExample(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	dir := s.example("authoring")
	s.must("prompt-runner", "packet", "new", "draft", "--root", dir, "--profile", "simulated-default",
		"--repo", "notes="+filepath.Join(dir, "workspace/notes"),
		"--from", filepath.Join(dir, "adr/0001-notes-are-files.md"), "--from", filepath.Join(dir, "adr/0002-search-reads-the-files.md"))
	names := func(packet string) []string {
		files, err := filepath.Glob(filepath.Join(dir, packet, "prompts", "*.prompt.md"))
		require.NoError(t, err)
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		return files
	}
	require.Equal(t, names("packet"), names("draft"))
	for _, name := range names("draft") {
		mission := func(packet string) string {
			text, err := os.ReadFile(filepath.Join(dir, packet, "prompts", name))
			require.NoError(t, err)
			_, after, found := strings.Cut(string(text), "## Mission\n")
			require.True(t, found)
			before, _, _ := strings.Cut(after, "\n## ")
			return before
		}
		require.Equal(t, mission("packet"), mission("draft"), name)
	}
	doctor := s.must("prompt-runner", "packet", "doctor", filepath.Join(dir, "draft"))
	require.Contains(t, doctor, "prompt_placeholder_body")
	require.Contains(t, doctor, "written: no")
}
