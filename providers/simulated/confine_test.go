package simulated_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// layout is a packet of two repositories next to a directory that is none.
//
//	app/            lib/            outside/secret
//	app/plain       lib/file
//	app/to-lib    -> lib/file (absolute)
//	app/to-new    -> sub/new  (relative, dangling)
//	app/out       -> outside  (absolute)
//	app/out-up    -> ../outside/secret
//	app/loop      -> loop
//	app/dir/
func layout(t *testing.T) (base string, repos []providers.Repo) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, dir := range []string{"app/dir", "lib", "outside"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, dir), 0o755))
	}
	for file, content := range map[string]string{"app/plain": "plain", "lib/file": "lib", "outside/secret": "secret"} {
		require.NoError(t, os.WriteFile(filepath.Join(base, file), []byte(content), 0o640))
	}
	for link, to := range map[string]string{
		"to-lib": filepath.Join(base, "lib/file"), "to-new": "sub/new", "out": filepath.Join(base, "outside"),
		"out-up": "../outside/secret", "loop": "loop",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(base, "app", link)))
	}
	return base, []providers.Repo{{Name: "app", Path: filepath.Join(base, "app")}, {Name: "lib", Path: filepath.Join(base, "lib")}}
}

func TestWritesInsideRepositories(t *testing.T) {
	tests := []struct {
		name  string
		write func(base string) simulation.Write
		file  string
		want  string
	}{
		{"relative to the working directory", func(string) simulation.Write { return simulation.Write{Path: "new/a"} }, "app/new/a", "x"},
		{"append", func(string) simulation.Write { return simulation.Write{Path: "plain", Append: true} }, "app/plain", "plainx"},
		{"append to nothing", func(string) simulation.Write { return simulation.Write{Path: "a", Append: true} }, "app/a", "x"},
		{"named repository", func(string) simulation.Write { return simulation.Write{Path: "a", Repo: "lib"} }, "lib/a", "x"},
		{"absolute below a named repository", func(string) simulation.Write { return simulation.Write{Path: "/a", Repo: "lib"} }, "lib/a", "x"},
		{"absolute", func(base string) simulation.Write { return simulation.Write{Path: filepath.Join(base, "lib/a")} }, "lib/a", "x"},
		{"up and into another repository", func(string) simulation.Write { return simulation.Write{Path: "../lib/a"} }, "lib/a", "x"},
		{"link into another repository", func(string) simulation.Write { return simulation.Write{Path: "to-lib"} }, "lib/file", "x"},
		{"dangling link", func(string) simulation.Write { return simulation.Write{Path: "to-new"} }, "app/sub/new", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, repos := layout(t)
			write := tt.write(base)
			write.Text = "x"
			turn := newTurn(t, attempts(simulation.Step{Writes: []simulation.Write{write}}))
			turn.WorkDir, turn.Repos = repos[0].Path, repos
			result, _ := play(t, turn)
			require.Nil(t, result.Failure)
			content, err := os.ReadFile(filepath.Join(base, tt.file))
			require.NoError(t, err)
			require.Equal(t, tt.want, string(content))
			for _, link := range []string{"to-lib", "to-new"} {
				info, err := os.Lstat(filepath.Join(base, "app", link))
				require.NoError(t, err)
				require.Equal(t, os.ModeSymlink, info.Mode().Type(), "links are followed, not replaced")
			}
		})
	}
}

func TestWritesOutsideRepositories(t *testing.T) {
	tests := []struct {
		name  string
		write func(base string) simulation.Write
		want  string
	}{
		{"absolute", func(base string) simulation.Write { return simulation.Write{Path: filepath.Join(base, "outside/a")} }, "outside/a"},
		{"up", func(string) simulation.Write { return simulation.Write{Path: "../outside/a"} }, "outside/a"},
		{"up from a named repository", func(string) simulation.Write { return simulation.Write{Path: "../outside/a", Repo: "lib"} }, "outside/a"},
		{"sibling with the same prefix", func(string) simulation.Write { return simulation.Write{Path: "../app2/a"} }, "app2/a"},
		{"through a link to a directory", func(string) simulation.Write { return simulation.Write{Path: "out/a"} }, "outside/a"},
		{"through a relative link to a file", func(string) simulation.Write { return simulation.Write{Path: "out-up"} }, "outside/secret"},
		{"the repository itself", func(string) simulation.Write { return simulation.Write{Path: "."} }, "not inside a repository"},
		{"unknown repository", func(string) simulation.Write { return simulation.Write{Path: "a", Repo: "web"} }, `repository "web" is unknown`},
		{"link loop", func(string) simulation.Write { return simulation.Write{Path: "loop"} }, "symbolic links"},
		{"directory", func(string) simulation.Write { return simulation.Write{Path: "dir"} }, "it is a directory"},
		{"below a file", func(string) simulation.Write { return simulation.Write{Path: "plain/a"} }, "not a directory"},
		{"name too long", func(string) simulation.Write { return simulation.Write{Path: string(make([]byte, 300))} }, "simulated write"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, repos := layout(t)
			write := tt.write(base)
			write.Text = "x"
			turn := newTurn(t, attempts(simulation.Step{
				Messages: []string{"never said"},
				Writes:   []simulation.Write{{Path: "before", Text: "b"}, write, {Path: "after", Text: "a"}},
			}))
			turn.WorkDir, turn.Repos = repos[0].Path, repos
			result, events := play(t, turn)
			require.NotNil(t, result.Failure)
			require.Equal(t, run.ClassLocalConfiguration, result.Failure.Class)
			require.True(t, result.Failure.LocalDeterministic)
			require.False(t, result.Failure.Retryable || result.Failure.Repairable || result.Failure.Resumable)
			require.True(t, recovery.Terminal(*result.Failure))
			require.Contains(t, result.Failure.Message, tt.want)
			require.Equal(t, []providers.EventType{providers.RunStarted, providers.ErrorOccurred}, []providers.EventType{events[0].Type, events[1].Type})
			require.Len(t, events, 2)

			require.Equal(t, map[string]string{"secret": "secret"}, files(t, filepath.Join(base, "outside")))
			require.FileExists(t, filepath.Join(base, "app/before"))
			require.NoFileExists(t, filepath.Join(base, "app/after"))
		})
	}
}

func TestRefusalNamesWhatIsAllowed(t *testing.T) {
	base, repos := layout(t)
	turn := newTurn(t, attempts(simulation.Step{Writes: []simulation.Write{{Path: "out/a"}}}))
	turn.WorkDir, turn.Repos = repos[0].Path, repos
	result, _ := play(t, turn)
	require.Equal(t, `simulated write of "out/a" leads to `+base+`/outside/a, which is not inside a repository of the packet; allowed are app (`+
		base+`/app), lib (`+base+`/lib)`, result.Failure.Message)
}

func TestWritesKeepFileModes(t *testing.T) {
	turn := newTurn(t, attempts(simulation.Step{Writes: []simulation.Write{{Path: "tool.sh", Text: "exit 1\n", Append: true}}}))
	script := filepath.Join(turn.WorkDir, "tool.sh")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"), 0o600))
	require.NoError(t, os.Chmod(script, 0o754))
	play(t, turn)
	info, err := os.Stat(script)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o754), info.Mode())
}
