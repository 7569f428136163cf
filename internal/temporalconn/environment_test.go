package temporalconn_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

const profiles = `
[profile.default]
address = "file:1"
namespace = "filespace"

[profile.bare]
namespace = "barespace"
`

func TestFromEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "temporal.toml")
	require.NoError(t, os.WriteFile(file, []byte(profiles), 0o600))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no file of the person who runs the test
	withFile := "TEMPORAL_CONFIG_FILE=" + file
	cases := map[string]struct {
		environ            []string
		target             temporalconn.Target
		address, namespace string
		explicit           bool
	}{
		"nothing":                        {address: "localhost:7233", namespace: "default"},
		"namespace alone is no server":   {environ: []string{"TEMPORAL_NAMESPACE=n"}, address: "localhost:7233", namespace: "n"},
		"variable":                       {environ: []string{"TEMPORAL_ADDRESS=env:1"}, address: "env:1", namespace: "default", explicit: true},
		"last of equal variables":        {environ: []string{"TEMPORAL_ADDRESS=a:1", "TEMPORAL_ADDRESS=b:1"}, address: "b:1", namespace: "default", explicit: true},
		"file":                           {environ: []string{withFile}, address: "file:1", namespace: "filespace", explicit: true},
		"variable beats file":            {environ: []string{withFile, "TEMPORAL_ADDRESS=env:1"}, address: "env:1", namespace: "filespace", explicit: true},
		"flag beats variable":            {environ: []string{withFile, "TEMPORAL_ADDRESS=env:1"}, target: temporalconn.Target{Address: "flag:1", Namespace: "f"}, address: "flag:1", namespace: "f", explicit: true},
		"profile variable":               {environ: []string{withFile, "TEMPORAL_PROFILE=bare"}, address: "localhost:7233", namespace: "barespace"},
		"profile flag means that server": {environ: []string{withFile}, target: temporalconn.Target{Profile: "bare"}, address: "localhost:7233", namespace: "barespace", explicit: true},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			options, explicit, err := temporalconn.FromEnvironment(test.environ, test.target)
			require.NoError(t, err)
			require.Equal(t, test.address, options.HostPort)
			require.Equal(t, test.namespace, options.Namespace)
			require.Equal(t, test.explicit, explicit)
			require.NotNil(t, options.DataConverter)
			require.Nil(t, options.ConnectionOptions.TLS)
		})
	}
}

func TestFromEnvironmentTLS(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	options, _, err := temporalconn.FromEnvironment([]string{"TEMPORAL_ADDRESS=a:1", "TEMPORAL_API_KEY=k"}, temporalconn.Target{})
	require.NoError(t, err)
	require.NotNil(t, options.ConnectionOptions.TLS)
	require.NotNil(t, options.Credentials)
}

func TestFromEnvironmentRefusesWhatItCannotUnderstand(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	typo := filepath.Join(t.TempDir(), "typo.toml")
	require.NoError(t, os.WriteFile(typo, []byte("[profile.default]\naddres = \"a:1\"\n"), 0o600))
	cases := map[string]struct {
		environ []string
		target  temporalconn.Target
		message string
	}{
		"unknown key":      {[]string{"TEMPORAL_CONFIG_FILE=" + typo}, temporalconn.Target{}, "addres"},
		"missing file":     {[]string{"TEMPORAL_CONFIG_FILE=" + typo + ".missing"}, temporalconn.Target{}, "typo.toml.missing"},
		"missing profile":  {nil, temporalconn.Target{Profile: "prod"}, "prod"},
		"unclear boolean":  {[]string{"TEMPORAL_TLS=yes"}, temporalconn.Target{}, `TEMPORAL_TLS is "yes"`},
		"no such key file": {[]string{"TEMPORAL_TLS_SERVER_CA_CERT_PATH=/missing/ca.pem"}, temporalconn.Target{}, "/missing/ca.pem"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := temporalconn.FromEnvironment(test.environ, test.target)
			require.ErrorContains(t, err, "connection to Temporal: ")
			require.ErrorContains(t, err, test.message)
		})
	}
}
