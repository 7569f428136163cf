package statedir_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestOpen(t *testing.T) {
	base := t.TempDir()
	for name, tc := range map[string]struct {
		env  map[string]string
		want string
	}{
		"XDG":          {map[string]string{"XDG_STATE_HOME": filepath.Join(base, "xdg"), "HOME": filepath.Join(base, "home")}, filepath.Join(base, "xdg", "prompt-runner")},
		"home":         {map[string]string{"HOME": filepath.Join(base, "home")}, filepath.Join(base, "home", ".local", "state", "prompt-runner")},
		"existing one": {map[string]string{"XDG_STATE_HOME": filepath.Join(base, "xdg")}, filepath.Join(base, "xdg", "prompt-runner")},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := statedir.Open(environment(tc.env))
			require.NoError(t, err)
			require.Equal(t, tc.want, dir.Root())
			info, err := os.Stat(dir.Root())
			require.NoError(t, err)
			require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, tc := range map[string]struct {
		env  map[string]string
		want string
	}{
		"nothing set":      {nil, "set one of them"},
		"relative":         {map[string]string{"XDG_STATE_HOME": "state"}, `"state", from XDG_STATE_HOME or HOME, is not absolute`},
		"below a file":     {map[string]string{"XDG_STATE_HOME": file}, "make it writable"},
		"home is relative": {map[string]string{"HOME": "home"}, "is not absolute"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := statedir.Open(environment(tc.env))
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestPlacesDoNotCollide(t *testing.T) {
	dir, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	places := map[string]bool{}
	for _, place := range []string{
		dir.Runtime(), dir.WorkerLock(), dir.Run("a"), dir.Run("b"),
		dir.Packet("/a"), dir.Packet("/b"), dir.RepoLock("/a"), dir.RepoLock("/b"),
	} {
		require.False(t, places[place], place)
		places[place] = true
		relative, err := filepath.Rel(dir.Root(), place)
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(relative), place)
	}
	require.Equal(t, dir.Packet("/a"), dir.Packet("/a"))
}

func TestHostIsMadeOnceAndKept(t *testing.T) {
	dir, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	ids, errs := make([]string, 8), make([]error, 8)
	var askers sync.WaitGroup
	for i := range ids {
		askers.Go(func() { ids[i], errs[i] = dir.Host(environment(nil)) })
	}
	askers.Wait()
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, ids[0], ids[i])
	}
	require.Regexp(t, `^[0-9a-f]{12}$`, ids[0])
	entries, err := os.ReadDir(dir.Root())
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file stays")
}

func TestHostVariable(t *testing.T) {
	dir, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	id, err := dir.Host(environment(map[string]string{statedir.HostVariable: "build-7"}))
	require.NoError(t, err)
	require.Equal(t, "build-7", id)
	require.NoFileExists(t, filepath.Join(dir.Root(), "host-id"))
	for _, bad := range []string{"a@b", "a/b", "a b", "a\n"} {
		_, err := dir.Host(environment(map[string]string{statedir.HostVariable: bad}))
		require.ErrorContains(t, err, "must not contain")
	}
}

func TestEmptyHostFileIsAnError(t *testing.T) {
	dir, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	file := filepath.Join(dir.Root(), "host-id")
	require.NoError(t, os.WriteFile(file, []byte("\n"), 0o600))
	_, err = dir.Host(environment(nil))
	require.ErrorContains(t, err, file+" is empty")
}
