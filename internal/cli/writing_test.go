package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInitDefault(t *testing.T) {
	s := newShell(t)
	_, errs := s.expect(2, "init", "-p", "mine")
	require.Contains(t, errs, `there is no profile "mine"`)
	require.NoDirExists(t, filepath.Join(s.home, ".config"))
	s.expect(0, "profile", "new", "mine", "--provider", "claude")
	_, errs = s.expect(0, "init", "-p", "mine")
	require.Empty(t, errs)
	_, errs = s.expect(0, "init", "-p", "codex-default")
	require.Contains(t, errs, `the default profile stays "mine"`)
	_, errs = s.expect(0, "init")
	require.Empty(t, errs)
	require.Contains(t, s.read(".config/prompt_runner/config.md"), "default_profile: mine")
	s.untouched()
}

// What is wrong with a command line is said before anything is written.
func TestNothingIsWrittenAfterAMistake(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.write("none.md", "# Only a title\n")
	s.write("a.md", "## One\n")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no second-level section", []string{"packet", "new", "p", "--from", "a.md", "--from", "none.md"}},
		{"gone.md", []string{"packet", "new", "p", "--from", "gone.md"}},
		{`unknown provider "nobody"`, []string{"packet", "new", "p", "--provider", "nobody"}},
		{`there is no profile "nope"`, []string{"packet", "new", "p", "--profile", "nope"}},
		{`there is no template "nope"`, []string{"packet", "new", "p", "--prompt-template", "nope"}},
		{"is none of: app", []string{"packet", "new", "p", "--repo", "app=app", "--default-repo", "lib"}},
		{"named twice", []string{"packet", "new", "p", "--repo", "app=app", "--repo", "app=app"}},
		{"cannot name a repository", []string{"packet", "new", "p", "--repo", "a/b=app"}},
		{`unknown provider "nobody"`, []string{"profile", "new", "odd", "--provider", "nobody"}},
		{"permission_mode", []string{"profile", "new", "odd", "--permission", "sometimes"}},
	} {
		_, errs := s.expect(2, c.args...)
		require.Contains(t, errs, c.want, "%v", c.args)
	}
	require.NoDirExists(t, filepath.Join(s.home, "p"))
	require.NoDirExists(t, filepath.Join(s.home, ".config"))
	s.expect(0, "packet", "new", "p", "--repo", "app=app")
	s.untouched()
}

func TestPacketNewPaths(t *testing.T) {
	s := newShell(t)
	s.repo("app")
	s.write("templates/short.md", "# {{name}}\n")
	_, errs := s.expect(0, "packet", "new", "p", "--root", "deep", "--repo", "app=app", "--repo", "lib=lib", "--repo", "mine=~/app", "--prompt-template", "templates/short.md")
	require.Equal(t, "note: --repo lib: there is no directory lib yet\n", errs)
	manifest := s.read("deep/p/prompt_runner_packet.md")
	require.Contains(t, manifest, "app: {path: ../../app, default: true}\n  lib: {path: ../../lib}\n  mine: {path: ~/app}\n")
	// The template is found from anywhere.
	s.env.WorkDir = filepath.Join(s.home, "deep/p")
	out, errs := s.expect(0, "prompt", "new", "1", "--name", "A B")
	require.Empty(t, errs)
	require.Contains(t, out, "to check it: prompt-runner packet lint")
	require.Contains(t, s.read("deep/p/prompts/01_a_b.prompt.md"), "# A B\n")
	require.NoError(t, os.Remove(filepath.Join(s.home, "deep/p/prompt_runner.prompt.schema.json")))
	_, errs = s.expect(0, "prompt", "new", "2")
	require.Contains(t, errs, "prompt-runner schema --dir")
	_, errs = s.expect(2, "prompt", "new", "3", "--phase", "-1")
	require.Contains(t, errs, "phases are numbers")

	s.expect(0, "repo", "add", "tilde", "~/app", "--default")
	require.Contains(t, s.read("deep/p/prompt_runner_packet.md"), "  app: {path: ../../app}\n  lib: {path: ../../lib}\n  mine: {path: ~/app}\n  tilde: {path: ~/app, default: true}\n")
	s.untouched()
}

func TestShowing(t *testing.T) {
	s := newShell(t)
	s.write("config.md", "secret\n")
	s.write(".config/prompt_runner/profiles/mine.md", "---\nmodel: m\n---\nodd \x1b[31m\n")
	out, errs := s.expect(0, "profile", "show", "mine")
	require.Equal(t, filepath.Join(s.home, ".config/prompt_runner/profiles/mine.md")+"\n", errs)
	require.Contains(t, out, "model: m\n")
	require.NotContains(t, out, "\x1b")
	_, errs = s.expect(0, "profile", "show", "claude-default")
	require.Equal(t, "built in\n", errs)
	_, errs = s.expect(2, "profile", "show", "../../../config")
	require.Contains(t, errs, "cannot name a profile")
	require.NoError(t, os.Mkdir(filepath.Join(s.home, ".config/prompt_runner/profiles/claude-default.md"), 0o755))
	_, errs = s.expect(2, "profile", "show", "claude-default")
	require.Contains(t, errs, "is a directory")

	// Templates are shown of any directory; a packet's come first.
	s.write("p/templates/default.prompt.md", "of the packet\n")
	out, _ = s.expect(0, "template", "show", "default", "p")
	require.Equal(t, "of the packet\n", out)
	out, errs = s.expect(0, "template", "show", "from-adr")
	require.Contains(t, out, "{{name}}")
	require.Equal(t, "built in\n", errs)
	s.expect(2, "template", "show", "default", "nowhere/")
	s.untouched()
}

func TestChecklistsOfPeople(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.write("p/prompts/01_first.prompt.checklist.md", "By hand.\n")
	out, _ := s.expect(1, "checklist", "sync", "p")
	require.Contains(t, out, "foreign ")
	require.Contains(t, out, "rename it and sync again")
	require.Equal(t, "By hand.\n", s.read("p/prompts/01_first.prompt.checklist.md"))
	document := s.document(1, "checklist", "sync", "p", "--json")
	require.Equal(t, false, document["pass?"])
	out, _ = s.expect(1, "checklist", "sync", "p", "--check")
	require.Contains(t, out, "to write them: prompt-runner checklist sync")
	s.untouched()
}
