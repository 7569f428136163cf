package workercmd_test

import (
	"bytes"
	"context"
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/workercmd"
)

func TestMainExitCodes(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := closed.Addr().String()
	require.NoError(t, closed.Close())
	state := "XDG_STATE_HOME=" + t.TempDir()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	cases := map[string]struct {
		ctx     context.Context
		args    []string
		environ []string
		code    int
		message string
	}{
		"help":             {args: []string{"--help"}, message: "-address"},
		"unknown flag":     {args: []string{"--nonsense", "x"}, code: 2, message: "flag provided but not defined"},
		"stray argument":   {args: []string{"run"}, code: 2, message: `unexpected argument "run"`},
		"no session slots": {args: []string{"--sessions", "0"}, code: 2, message: "at least 1"},
		"no state":         {code: 2, message: "neither XDG_STATE_HOME nor HOME is set"},
		"odd host id":      {environ: []string{state, "PROMPT_RUNNER_HOST_ID=a@b"}, code: 2, message: "PROMPT_RUNNER_HOST_ID"},
		"unclear settings": {environ: []string{state, "TEMPORAL_TLS=maybe"}, code: 2, message: "TEMPORAL_TLS"},
		"no server":        {args: []string{"--address", address}, environ: []string{state}, code: 6, message: "Temporal at " + address + " is unreachable"},
		"stopped at once":  {ctx: stopped, args: []string{"--address", address}, environ: []string{state}},
		"state is a file":  {environ: []string{"XDG_STATE_HOME=" + filepath.Join("/dev/null", "x")}, code: 2, message: "state directory"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			ctx := test.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			var stderr bytes.Buffer
			code := workercmd.Main(ctx, test.args, test.environ, &stderr)
			require.Equal(t, test.code, code, stderr.String())
			require.Contains(t, stderr.String(), test.message)
		})
	}
}
