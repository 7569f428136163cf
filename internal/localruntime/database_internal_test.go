package localruntime

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDatabaseIsCreatedOnceAndReopened(t *testing.T) {
	f := newFiles(t)
	for range 2 {
		settings, err := openDatabase(f)
		require.NoError(t, err)
		require.Equal(t, f.database(), settings.DatabaseName)
	}
	info, err := os.Stat(f.database())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoFileExists(t, f.database()+".new")
}

func TestDatabaseAfterAnInterruptedCreation(t *testing.T) {
	f := newFiles(t)
	require.NoError(t, os.WriteFile(f.database()+".new", []byte("half a schema"), 0o600))
	require.NoError(t, writeVersion(f))
	_, err := openDatabase(f)
	require.NoError(t, err)
}

func TestDatabaseOfAnotherWriterIsRefused(t *testing.T) {
	cases := map[string]struct {
		version string
		message string
	}{
		"newer server":  {`{"server":"99.0.0","schema":"0.11/0.1"}`, "was written by Temporal 99.0.0"},
		"other schema":  {`{"server":"1.0.0","schema":"0.12/0.1"}`, "with schema 0.12/0.1"},
		"odd version":   {`{"server":"new","schema":"0.11/0.1"}`, `server version "new"`},
		"unknown field": {`{"server":"1.0.0","schema":"0.11/0.1","x":1}`, "unknown field"},
		"none":          {"", "version of database"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			f := newFiles(t)
			require.NoError(t, os.WriteFile(f.database(), nil, 0o600))
			if test.version != "" {
				require.NoError(t, os.WriteFile(f.version(), []byte(test.version), 0o600))
			}
			_, err := openDatabase(f)
			require.ErrorContains(t, err, test.message)
			require.ErrorContains(t, err, "move it away")
		})
	}
}

func TestDamagedDatabaseIsNamed(t *testing.T) {
	f := newFiles(t)
	require.NoError(t, writeVersion(f))
	require.NoError(t, os.WriteFile(f.database(), []byte("this is not a database, and it is long enough to be looked at"), 0o600))
	_, err := openDatabase(f)
	require.ErrorContains(t, err, f.database()+" is unusable")
	require.ErrorContains(t, err, "not a database")
	require.ErrorContains(t, err, "move it away")
}

func TestNewerVersion(t *testing.T) {
	cases := []struct {
		a, b  string
		newer bool
	}{
		{"1.32.1", "1.32.1", false},
		{"1.32.2", "1.32.1", true},
		{"1.9.9", "1.32.1", false},
		{"2.0.0", "1.32.1", true},
		{"1.32.0", "1.32.1", false},
	}
	for _, test := range cases {
		newer, err := newerVersion(test.a, test.b)
		require.NoError(t, err)
		require.Equal(t, test.newer, newer, "%s after %s", test.a, test.b)
	}
}
