package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
)

type record struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

func TestWritesReplaceWhatIsThere(t *testing.T) {
	for name, write := range map[string]func(string, []byte, os.FileMode) error{
		"Write":   atomicfile.Write,
		"Replace": atomicfile.Replace,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			for _, text := range []string{"first and longer", "second"} {
				require.NoError(t, write(path, []byte(text), 0o640))
				data, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, text, string(data))
			}
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, fs.FileMode(0o640), info.Mode().Perm())
			require.Equal(t, []string{"file"}, names(t, dir), "no temporary file stays")

			require.ErrorIs(t, write(filepath.Join(dir, "none", "file"), nil, 0o600), fs.ErrNotExist)
		})
	}
}

// A directory in the place of the file cannot be replaced: the write fails after
// the temporary file was made.
func TestFailedWritesLeaveNothing(t *testing.T) {
	for name, write := range map[string]func(string) error{
		"Write":     func(path string) error { return atomicfile.Write(path, []byte("x"), 0o600) },
		"Replace":   func(path string) error { return atomicfile.Replace(path, []byte("x"), 0o600) },
		"WriteJSON": func(path string) error { return atomicfile.WriteJSON(path, record{}) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "file", "occupied"), 0o700))
			require.Error(t, write(filepath.Join(dir, "file")))
			require.Equal(t, []string{"file"}, names(t, dir))
		})
	}
}

func TestJSONRecords(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "directory")
	path := filepath.Join(dir, "record.json")
	require.NoError(t, atomicfile.WriteJSON(path, record{"a", 1}))
	var read record
	require.NoError(t, atomicfile.ReadJSON(path, &read))
	require.Equal(t, record{"a", 1}, read)

	for place, mode := range map[string]fs.FileMode{dir: 0o700, path: 0o600} {
		info, err := os.Stat(place)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), place)
	}
	require.ErrorIs(t, atomicfile.ReadJSON(filepath.Join(dir, "none"), &read), fs.ErrNotExist)
}

func TestReadJSONIsStrict(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.json")
	for name, tc := range map[string]struct{ text, want string }{
		"unknown field": {`{"name": "a", "colour": "red"}`, `unknown field "colour"`},
		"wrong type":    {`{"name": 1}`, "cannot unmarshal"},
		"torn":          {`{"name": "a`, "unexpected EOF"},
		"empty":         {"", "EOF"},
		"two values":    {`{"name": "a"}` + "\n" + `{"name": "b"}`, "something follows"},
		"trailing text": {`{"name": "a"}}`, "something follows"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, []byte(tc.text), 0o600))
			var read record
			err := atomicfile.ReadJSON(path, &read)
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestCreateJSONLetsOneWriterWin(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "record.json")
	var winner atomic.Int64
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			err := atomicfile.CreateJSON(path, record{strings.Repeat("x", 10_000), i})
			if err == nil {
				assert.Zero(t, winner.Swap(int64(i)+1), "two writers won")
				return
			}
			assert.ErrorIs(t, err, fs.ErrExist)
		})
	}
	writers.Wait()
	var read record
	require.NoError(t, atomicfile.ReadJSON(path, &read))
	require.Equal(t, int(winner.Load())-1, read.Count)
	require.Equal(t, []string{"record.json"}, names(t, dir))
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	return found
}
