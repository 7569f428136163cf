package localruntime

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

func newFiles(t *testing.T) files {
	t.Helper()
	state, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	f := filesOf(state)
	require.NoError(t, f.create())
	return f
}

func TestCertificatesServeBothSidesAndStayPrivate(t *testing.T) {
	paths := newFiles(t).tls()
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, ensureCertificates(paths, now))

	require.NoError(t, usableCertificates(paths, now))
	require.Error(t, usableCertificates(paths, now.Add(certificateLife+time.Hour)))
	for _, path := range []string{paths.CA, paths.Cert, paths.Key} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), path)
	}
	config, err := temporalconn.TLS(paths)
	require.NoError(t, err)
	require.Len(t, config.Certificates, 1)
}

func TestCertificatesAreReplacedOnlyWhenUnusable(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		damage   func(t *testing.T, paths temporalconn.Files)
		at       time.Time
		replaced bool
	}{
		"good":      {at: now.Add(365 * 24 * time.Hour)},
		"expired":   {at: now.Add(certificateLife + time.Hour), replaced: true},
		"expiring":  {at: now.Add(certificateLife - time.Hour), replaced: true},
		"truncated": {at: now, replaced: true, damage: func(t *testing.T, p temporalconn.Files) { t.Helper(); require.NoError(t, os.Truncate(p.Cert, 10)) }},
		"lost key":  {at: now, replaced: true, damage: func(t *testing.T, p temporalconn.Files) { t.Helper(); require.NoError(t, os.Remove(p.Key)) }},
		"other authority": {at: now, replaced: true, damage: func(t *testing.T, p temporalconn.Files) {
			t.Helper()
			other := newFiles(t).tls()
			require.NoError(t, ensureCertificates(other, now))
			require.NoError(t, os.Rename(other.CA, p.CA))
		}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			paths := newFiles(t).tls()
			require.NoError(t, ensureCertificates(paths, now))
			before, err := os.ReadFile(paths.Cert)
			require.NoError(t, err)
			if test.damage != nil {
				test.damage(t, paths)
			}

			require.NoError(t, ensureCertificates(paths, test.at))

			after, err := os.ReadFile(paths.Cert)
			require.NoError(t, err)
			require.Equal(t, test.replaced, string(before) != string(after))
			require.NoError(t, usableCertificates(paths, test.at))
		})
	}
}
