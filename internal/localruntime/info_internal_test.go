package localruntime

import (
	"os"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

// ownInfo is the record of a runtime that is this test process.
func ownInfo(t *testing.T) Info {
	t.Helper()
	start, ok := proc.StartTime(os.Getpid())
	require.True(t, ok)
	return Info{
		Protocol: run.Protocol, PID: os.Getpid(), StartTime: start, Build: "b1", Address: "127.0.0.1:1",
		UI: "http://127.0.0.1:2", Namespace: namespace, ServerVersion: "1.0.0", StartedAt: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

func TestFind(t *testing.T) {
	own := ownInfo(t)
	otherProtocol, reused := own, own
	otherProtocol.Protocol++
	reused.StartTime = "1"
	cases := map[string]struct {
		record  *Info
		raw     string
		locked  bool
		running bool
		err     string
	}{
		"nothing":                            {},
		"starting: locked, no record":        {locked: true},
		"killed: record, free lock":          {record: &own},
		"running":                            {record: &own, locked: true, running: true},
		"running with another protocol":      {record: &otherProtocol, locked: true, running: true},
		"old record of a reused pid":         {record: &reused, locked: true},
		"damaged record of a live runtime":   {raw: "{", locked: true, err: "runtime.json: unexpected end of JSON input"},
		"unknown field":                      {raw: `{"protocol":1,"surprise":1}`, locked: true, err: `unknown field "surprise"`},
		"damaged record of a killed runtime": {raw: "{"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			state, err := statedir.At(t.TempDir())
			require.NoError(t, err)
			f := filesOf(state)
			require.NoError(t, f.create())
			if test.record != nil {
				require.NoError(t, test.record.write(f.record()))
			}
			if test.raw != "" {
				require.NoError(t, os.WriteFile(f.record(), []byte(test.raw), 0o600))
			}
			if test.locked {
				lock := flock.New(f.lock())
				locked, err := lock.TryLock()
				require.NoError(t, err)
				require.True(t, locked)
				t.Cleanup(func() { _ = lock.Unlock() })
			}

			info, running, err := Find(state)

			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.running, running)
			if running {
				require.Equal(t, *test.record, info)
			} else {
				require.Zero(t, info)
			}
		})
	}
}

func TestFindCreatesNothing(t *testing.T) {
	state, err := statedir.At(t.TempDir())
	require.NoError(t, err)
	_, running, err := Find(state)
	require.NoError(t, err)
	require.False(t, running)
	entries, err := os.ReadDir(state.Root())
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestConnectRefusesAnotherProtocol(t *testing.T) {
	info := ownInfo(t)
	info.Protocol++
	_, err := connect(t.Context(), newFiles(t), info)
	require.ErrorContains(t, err, "build b1 speaks protocol 2, this build speaks 1")
}

func TestTerminateSparesAProcessThatReusedThePid(t *testing.T) {
	info := ownInfo(t)
	info.StartTime = "1"
	require.ErrorContains(t, terminate(info), "another process")
}
