package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/cli"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

// shell is a command line with a home of its own. Nothing in it reaches a
// Temporal: commands under test end before they need one.
type shell struct {
	t    *testing.T
	home string
	env  cli.Environment
}

func newShell(t *testing.T) *shell {
	t.Helper()
	home := t.TempDir()
	return &shell{t: t, home: home, env: cli.Environment{
		Environ: []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "PATH=" + os.Getenv("PATH")},
		WorkDir: home,
		Now:     func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) },
	}}
}

func (s *shell) run(args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	var out, errs bytes.Buffer
	env := s.env
	env.Stdout, env.Stderr = &out, &errs
	code = cli.Main(s.t.Context(), args, env)
	return code, out.String(), errs.String()
}

// write creates a file below the home directory.
func (s *shell) write(path, content string) {
	s.t.Helper()
	full := filepath.Join(s.home, path)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(s.t, os.WriteFile(full, []byte(content), 0o644))
}

// packet creates a valid packet of two prompts and returns its canonical path.
func (s *shell) packet(name string) string {
	s.t.Helper()
	s.write(name+"/prompt_runner_packet.md", "---\nname: "+name+"\nprofile: simulated-default\n---\n")
	s.write(name+"/prompts/01_first.prompt.md", "---\nid: \"01\"\nname: First\ncommit: \"feat: first\"\n---\nDo the first thing.\n")
	s.write(name+"/prompts/02_second.prompt.md", "---\nid: \"02\"\nname: Second\ncommit: \"feat: second\"\n---\nDo the second thing.\n")
	dir, err := filepath.EvalSymlinks(filepath.Join(s.home, name))
	require.NoError(s.t, err)
	return dir
}

// untouched checks that no local runtime was started.
func (s *shell) untouched() {
	s.t.Helper()
	require.NoDirExists(s.t, filepath.Join(s.home, "state", "prompt-runner", "runtime"))
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want []string
	}{
		{"unknown command", []string{"rnu"}, []string{`unknown command "rnu"`, "run"}},
		{"unknown flag", []string{"run", "--remaning"}, []string{"unknown flag: --remaning", "see: prompt-runner run --help"}},
		{"mistyped flag", []string{"run", "--no-comit"}, []string{"did you mean --no-commit?"}},
		{"unknown subcommand", []string{"server", "statuss"}, []string{`unknown command "statuss" for "prompt-runner server"`, `did you mean "status"?`}},
		{"extra argument", []string{"demo", "x"}, []string{"x"}},
		{"no such directory", []string{"run", "nowhere/packet"}, []string{"no such directory: nowhere/packet"}},
		{"dots look like a path", []string{"run", "packet.d"}, []string{"no such directory: packet.d"}},
		{"neither directory nor id", []string{"run", "exmaples"}, []string{`"exmaples" is neither a directory nor a prompt id`}},
		{"workspace flag", []string{"run", "--workspace", "w"}, []string{"workspaces are not supported yet"}},
		{"workspace file", []string{"run", "workspace.yml"}, []string{"workspace.yml", "workspaces are not supported yet"}},
		{"a file", []string{"run", "notes.txt"}, []string{"notes.txt is a file", "prompt_runner_packet.md"}},
		{"packet flag", []string{"run", "--packet", "nowhere"}, []string{"no such directory", "nowhere"}},
		{"committer", []string{"run", "p", "--committer", "svn"}, []string{`--committer "svn"`, "git or noop"}},
		{"detach in the foreground", []string{"run", "p", "--detach", "--foreground"}, []string{"--detach and --foreground"}},
		{"unknown prompt", []string{"run", "p", "7"}, []string{"07", "01", "02"}},
		{"ids for a command without", []string{"stop", "03"}, []string{"no prompt ids"}},
		{"negative attempt", []string{"logs", "p", "--attempt", "-1"}, []string{"--attempt -1"}},
		{"two prompts", []string{"logs", "p", "1", "2"}, []string{"one prompt id"}},
		{"nothing open to stop", []string{"stop", "p"}, []string{"no run of", "is open", "prompt-runner run"}},
		{"nothing open to attach to", []string{"attach", "p"}, []string{"no run of", "is open"}},
		{"nothing to log", []string{"logs", "p"}, []string{"no attempt of", "prompt-runner status"}},
		{"no server log", []string{"server", "logs"}, []string{"no log yet"}},
		{"invalid environment", []string{"run", "p", "--profile", "missing"}, []string{"missing"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShell(t)
			s.packet("p")
			s.write("workspace.yml", "")
			s.write("notes.txt", "")
			code, stdout, stderr := s.run(tt.args...)
			require.Equal(t, 2, code, stderr)
			require.Empty(t, stdout)
			require.Regexp(t, `^prompt-runner: `, stderr)
			for _, want := range tt.want {
				require.Contains(t, stderr, want)
			}
			s.untouched()
		})
	}
}

func TestInvalidPacketFailsBeforeAnythingStarts(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.write("p/prompts/02_second.prompt.md", "---\nid: \"02\"\nverify:\n  files_exit: [a]\n---\n")
	s.write("p/prompts/03_third.prompt.md", "---\nid: \"01\"\n---\n")
	for _, args := range [][]string{{"run", "p"}, {"run", "p", "--json"}, {"run", "p", "--foreground"}} {
		code, stdout, stderr := s.run(args...)
		require.Equal(t, 2, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "02_second.prompt.md:4: verify.files_exit")
		require.Contains(t, stderr, "03_third.prompt.md", "all findings are told at once")
		s.untouched()
	}
}

func TestDirectoryWithoutManifest(t *testing.T) {
	s := newShell(t)
	code, _, stderr := s.run("run")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "prompt_runner_packet.md")
}

func TestUnreachableTemporal(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	code, stdout, stderr := s.run("run", "p", "--json", "--address", "127.0.0.1:1")
	require.Equal(t, 6, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "Temporal at 127.0.0.1:1 is unreachable")
	s.untouched()
}

func TestSessionStartsNoRuntime(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	s.env.Environ = append(s.env.Environ, run.SessionVariable+"=01-1-0-x")
	for _, flag := range []string{"--foreground", "--foreground=false"} {
		code, _, stderr := s.run("run", "p", flag)
		require.Equal(t, 6, code)
		require.Contains(t, stderr, run.SessionVariable)
		s.untouched()
	}
}

func TestHelp(t *testing.T) {
	s := newShell(t)
	code, stdout, stderr := s.run()
	require.Equal(t, 0, code)
	require.Empty(t, stderr)
	for _, command := range []string{"run", "demo", "attach", "status", "stop", "logs", "server"} {
		require.Regexp(t, `(?m)^  `+command+` `, stdout)
		code, help, _ := s.run(command, "--help")
		require.Equal(t, 0, code)
		require.Contains(t, help, "Example:\n  prompt-runner "+command)
	}
	_, help, _ := s.run("run", "--help")
	require.Regexp(t, `(?s)\nFlags:.*--no-commit.*\nTemporal Flags:.*--address`, help)
	require.NotContains(t, help, "--workspace")
	_, help, _ = s.run("server", "--help")
	require.NotContains(t, help, "serve ", "the background process is not for people")
}

func TestServerStatusStartsNothing(t *testing.T) {
	s := newShell(t)
	code, stdout, _ := s.run("server", "status")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "not running")
	_, stdout, _ = s.run("server", "status", "--json")
	require.JSONEq(t, `{"running": false}`, stdout)
	code, stdout, _ = s.run("server", "stop")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "not running")
	s.untouched()
}

const twoRuns = `{"version": 1, "run_id": "new", "prompts": {
  "01": {"run_id": "new", "status": "completed", "failure_class": "ok", "attempts": [
    {"run_id": "old", "seq": 1, "attempt": 1, "mode": "run", "status": "failed", "started_at": "2026-02-28T10:00:00.000000Z", "log_file": "logs/old.log"},
    {"run_id": "new", "seq": 1, "attempt": 1, "mode": "run", "status": "failed", "started_at": "2026-03-01T10:00:00.000000Z", "log_file": "logs/01-1.log"},
    {"run_id": "new", "seq": 2, "attempt": 2, "mode": "retry", "status": "completed", "started_at": "2026-03-01T10:01:00.000000Z", "log_file": "logs/01-2.log"}]},
  "02": {"run_id": "new", "status": "verification_failed", "reason": "file_exists out.txt: missing", "attempts": [
    {"run_id": "new", "seq": 1, "attempt": 1, "mode": "run", "status": "verification_failed", "started_at": "2026-03-01T10:02:00.000000Z", "log_file": "logs/02-1.log"}]}}}`

// ran makes the packet look as if two runs had worked on it.
func (s *shell) ran(state string) string {
	dir := s.packet("p")
	s.write("p/.prompt_runner/state.json", state)
	for _, name := range []string{"old", "01-1", "01-2", "02-1"} {
		s.write("p/.prompt_runner/logs/"+name+".log", "transcript "+name+"\n")
	}
	return dir
}

func TestLogs(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"logs", "p"}, "02-1"},
		{[]string{"logs", "p", "1"}, "01-2"},
		{[]string{"logs", "p", "01", "--attempt", "1"}, "01-1"},
		{[]string{"logs", "--packet", "p", "02"}, "02-1"},
	} {
		s := newShell(t)
		s.ran(twoRuns)
		code, stdout, stderr := s.run(tt.args...)
		require.Equal(t, 0, code, stderr)
		require.Equal(t, "transcript "+tt.want+"\n", stdout, "%v", tt.args)
		require.Contains(t, stderr, tt.want+".log")
	}
}

func TestLogsThatAreNotThere(t *testing.T) {
	s := newShell(t)
	dir := s.ran(twoRuns)
	for _, args := range [][]string{{"logs", "p", "01", "--attempt", "9"}, {"logs", "p", "05"}} {
		code, stdout, stderr := s.run(args...)
		require.Equal(t, 2, code, stderr)
		require.Empty(t, stdout)
	}
	require.NoError(t, os.Remove(filepath.Join(dir, ".prompt_runner", "logs", "02-1.log")))
	code, _, stderr := s.run("logs", "p", "02")
	require.Equal(t, 4, code)
	require.Contains(t, stderr, "is gone")
}

func TestLogsStayInTheStateDirectory(t *testing.T) {
	s := newShell(t)
	s.ran(`{"version": 1, "prompts": {"01": {"attempts": [{"attempt": 1, "log_file": "../../secret"}]}}}`)
	s.write("secret", "secret")
	code, stdout, stderr := s.run("logs", "p")
	require.Equal(t, 4, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "lies outside")
}

func TestStatus(t *testing.T) {
	s := newShell(t)
	dir := s.ran(twoRuns)
	s.record(dir, run.RunFailed)

	code, stdout, stderr := s.run("status", "p")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "Packet p at "+dir+"\nRun: new, failed\n")
	require.Regexp(t, `01 +First +completed +run, retry`, stdout)
	require.Regexp(t, `02 +Second +verification failed +run +.*file_exists out.txt: missing`, stdout)
	require.Contains(t, stdout, "1 of 2 prompts completed")
	require.Contains(t, stdout, "prompt-runner logs "+dir)
	require.NotContains(t, stdout, "\x1b")

	code, stdout, _ = s.run("status", "p", "--json")
	require.Equal(t, 0, code)
	var document struct {
		Packet  string
		Run     struct{ ID, State string }
		Live    bool
		Prompts []struct {
			ID, Name, Status, Reason string
			Attempts                 []struct {
				Number    int
				Mode, Log string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &document))
	require.Equal(t, dir, document.Packet)
	require.Equal(t, "failed", document.Run.State)
	require.False(t, document.Live)
	require.Len(t, document.Prompts, 2)
	require.Len(t, document.Prompts[0].Attempts, 2, "attempts of the newest run alone")
	require.Equal(t, filepath.Join(dir, ".prompt_runner", "logs", "01-2.log"), document.Prompts[0].Attempts[1].Log)
	s.untouched()
}

// record stores a run of the packet as its current one.
func (s *shell) record(dir string, state run.RunState) {
	s.t.Helper()
	root, err := statedir.Open(s.env.Getenv)
	require.NoError(s.t, err)
	store := runstore.New(root)
	require.NoError(s.t, store.SaveRecord(runstore.Record{ID: "new", Packet: dir, Name: "p", State: state}))
	require.NoError(s.t, store.SetCurrent(dir, "new"))
}

func TestStatusOfARunThatWasCutOff(t *testing.T) {
	s := newShell(t)
	dir := s.ran(twoRuns)
	s.record(dir, run.RunOpen)
	_, stdout, _ := s.run("status", "p")
	require.Contains(t, stdout, "nobody works on it")

	root, err := statedir.Open(s.env.Getenv)
	require.NoError(t, err)
	require.NoError(t, runstore.New(root).TakeLock(dir, runstore.Lock{Execution: run.Execution{WorkflowID: "packet/p-1", RunID: "r"}}))
	code, stdout, _ := s.run("status", "p", "--json")
	require.Equal(t, 0, code)
	require.True(t, json.Valid([]byte(stdout)))
	require.Contains(t, stdout, "the local runtime is not running")
	require.Contains(t, stdout, "packet/p-1")
	s.untouched()
}

func TestStatusOfAPacketThatNeverRan(t *testing.T) {
	s := newShell(t)
	s.packet("p")
	code, stdout, _ := s.run("status", "p")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "Run: none yet")
	require.Regexp(t, `02 +Second +pending`, stdout)
	_, stdout, _ = s.run("status", "p", "--json")
	require.True(t, json.Valid([]byte(stdout)))
}

// A packet that was broken while its run is known can still be looked at.
func TestStatusOfABrokenPacket(t *testing.T) {
	s := newShell(t)
	dir := s.ran(twoRuns)
	s.record(dir, run.RunFailed)
	s.write("p/prompt_runner_packet.md", "---\nname: [\n---\n")
	code, stdout, _ := s.run("status", "p")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "note: the packet cannot be run")
	require.Regexp(t, `01 +completed`, stdout)
}

func TestUnreadableStateIsAnError(t *testing.T) {
	for name, state := range map[string]string{"corrupt": `{"version": 1, "prompts": `, "other version": `{"version": 2}`} {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			dir := s.ran(state)
			for _, args := range [][]string{{"status", "p"}, {"status", "p", "--json"}, {"logs", "p"}} {
				code, stdout, stderr := s.run(args...)
				require.Equal(t, 4, code)
				require.Empty(t, stdout)
				require.Contains(t, stderr, filepath.Join(dir, ".prompt_runner", "state.json"))
			}
		})
	}
}

// What the Elixir tool wrote has no sequence numbers, and reasons of any shape.
func TestStateOfTheElixirTool(t *testing.T) {
	s := newShell(t)
	s.ran(`{"version": 1, "prompts": {"01": {"status": "failed", "reason": ["commit_failed", 1], "attempts": [
	  {"attempt": 1, "mode": "run", "status": "failed", "started_at": "2026-03-01T10:00:00.000000Z"}]}}}`)
	code, stdout, stderr := s.run("status", "p")
	require.Equal(t, 0, code, stderr)
	require.Regexp(t, `01 +First +failed +run +\["commit_failed", 1\]`, stdout)
}
