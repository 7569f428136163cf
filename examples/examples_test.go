package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/examples"
)

// sources reads the files of a packet, without what running it makes.
func sources(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "workspace" || path == ".prompt_runner"):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(content)
		return err
	}))
	return files
}

func TestCopyIsComplete(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, examples.Copy(examples.SimulatedRecovery, dir))
	require.Equal(t, sources(t, examples.SimulatedRecovery), sources(t, dir), "a file is missing in the embed patterns")
	require.Error(t, examples.Copy(examples.SimulatedRecovery, dir), "a directory that is there is left alone")
	require.Error(t, examples.Copy("no-such-example", filepath.Join(t.TempDir(), "x")))
}
