package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestExitCodes(t *testing.T) {
	failure := func(kind string) error { return &promptrunner.Failure{Type: kind, Message: "m"} }
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{failure(run.FailurePrompt), 1},
		{failure(run.FailurePacketInvalid), 2},
		{failure(run.FailurePacketChanged), 2},
		{failure(run.FailurePreflight), 2},
		{failure(run.FailureRunLocked), 2},
		{failure(run.FailureFault), 4},
		{failure(run.FailureHost), 4},
		{failure(promptrunner.FailureTerminated), 4},
		{failure("SomethingNew"), 4},
		{failure(promptrunner.FailureStopped), 5},
		{usagef("u"), 2},
		{packet.Errors{{File: "f", Message: "m"}}, 2},
		{&promptrunner.AlreadyRunningError{}, 2},
		{errors.New("disk full"), 4},
		{&temporalconn.UnreachableError{Address: "a", Err: errors.New("refused")}, 6},
		{&runtimeError{errors.New("no port")}, 6},
		{errDetached, 130},
		{context.Canceled, 130},
	} {
		require.Equal(t, tt.want, exitCode(tt.err), "%T %v", tt.err, tt.err)
		if tt.err != nil {
			require.Equal(t, tt.want, exitCode(withNext(fmt.Errorf("wrapped: %w", tt.err), step{"go on", "x"})), "wrapped %T", tt.err)
		}
	}
}

func TestResolveTarget(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	packetDir := filepath.Join(base, "packet")
	require.NoError(t, os.MkdirAll(filepath.Join(packetDir, "07"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(packetDir, "01"), nil, 0o644))
	require.NoError(t, os.Symlink(packetDir, filepath.Join(base, "link")))
	for _, tt := range []struct {
		name, workDir, flag string
		args                []string
		dir                 string
		ids                 []string
	}{
		{"working directory", packetDir, "", nil, packetDir, nil},
		{"directory first", base, "", []string{"packet", "3", "01"}, packetDir, []string{"03", "01"}},
		{"absolute", "/", "", []string{packetDir}, packetDir, nil},
		{"symbolic link", base, "", []string{"link"}, packetDir, nil},
		{"dots", packetDir, "", []string{".."}, base, nil},
		{"ids in the working directory", packetDir, "", []string{"10", "2", "010"}, packetDir, []string{"10", "02", "010"}},
		{"a file that is called like an id", packetDir, "", []string{"01"}, packetDir, []string{"01"}},
		{"a directory that is called like an id", packetDir, "", []string{"07"}, filepath.Join(packetDir, "07"), nil},
		{"flag", base, "packet", []string{"07"}, packetDir, []string{"07"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &app{env: Environment{WorkDir: tt.workDir}}
			resolved, err := a.resolveTarget(tt.flag, tt.args)
			require.NoError(t, err)
			require.Equal(t, target{Dir: tt.dir, Exists: true, Prompts: tt.ids}, resolved)
		})
	}
}

func TestCommitMode(t *testing.T) {
	for _, tt := range []struct {
		noCommit  bool
		committer string
		want      run.CommitMode
	}{
		{false, "git", run.CommitGit},
		{false, "noop", run.CommitNoop},
		{true, "git", run.CommitNone},
		{true, "noop", run.CommitNone},
	} {
		mode, err := commitMode(tt.noCommit, tt.committer)
		require.NoError(t, err)
		require.Equal(t, tt.want, mode)
	}
	_, err := commitMode(true, "none")
	require.Error(t, err, "a typo must not be hidden by the other flag")
}

func TestShellWord(t *testing.T) {
	require.Equal(t, "/srv/a-b_c.d", shellWord("/srv/a-b_c.d"))
	require.Equal(t, "'/srv/a b'", shellWord("/srv/a b"))
	require.Equal(t, `'it'\''s'`, shellWord("it's"))
	require.Equal(t, "''", shellWord(""))
}

func TestMessagesThatNameCommandsGetNoMore(t *testing.T) {
	told := errors.New("prompt 03 failed\nto look: prompt-runner logs p 03")
	require.Equal(t, told, withNext(told, step{"go on", "prompt-runner run p"}))
	require.EqualError(t, withNext(errors.New("failed"), step{"go on", "prompt-runner run p"}), "failed\nto go on: prompt-runner run p")
}

func TestWebLinkEscapesTheWorkflowID(t *testing.T) {
	conn := &connection{ui: "http://127.0.0.1:8433", namespace: "default"}
	require.Equal(t, "http://127.0.0.1:8433/namespaces/default/workflows/packet%2Fa%20b-1/r/history", conn.web("packet/a b-1", "r"))
	require.Empty(t, (&connection{}).web("w", "r"))
}

func TestHeaderNamesProvidersAndPermissions(t *testing.T) {
	p := &packet.Packet{Name: "nightly", Root: "/srv/nightly", Prompts: []packet.Prompt{
		{Settings: packet.Settings{Provider: "claude", Model: "haiku", PermissionMode: "bypass"}},
		{Settings: packet.Settings{Provider: "simulated", PermissionMode: "bypass"}},
		{Settings: packet.Settings{Provider: "claude", Model: "haiku", PermissionMode: "default"}},
	}}
	require.Equal(t, "Packet nightly at /srv/nightly: provider claude (haiku), simulated, permission mode bypass, default", describePacket(p))
	require.Equal(t, "Packet far at /far", describePacket(&packet.Packet{Name: "far", Root: "/far"}))
}
