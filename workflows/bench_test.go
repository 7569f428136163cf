package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/prompt-runner/prompt-runner/activities"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/workflows"
)

// bench runs real workflows on real activities, a real packet and a real
// repository; only time is virtual.
type bench struct {
	t     *testing.T
	suite testsuite.WorkflowTestSuite
	env   *testsuite.TestWorkflowEnvironment
	// packet and repo are directories.
	packet, repo string
	state        statedir.Dir
	cluster      *cluster
}

// cluster answers for the server that the test environment does not have.
type cluster struct {
	open  bool
	hosts []string
}

func (c *cluster) NamespaceID(context.Context) (string, error) { return "namespace-1", nil }
func (c *cluster) Open(context.Context, run.Execution) (bool, error) {
	return c.open, nil
}

func (c *cluster) Hosts(context.Context, string, time.Duration) ([]string, error) {
	return c.hosts, nil
}
func (c *cluster) SearchAttributes(context.Context) (bool, error) { return false, nil }

const manifest = `---
name: bench
profile: simulated-default
repos:
  app: {path: ../app, default: true}
%s---
`

// newBench makes a packet of the given prompt files; extra are further manifest
// lines.
func newBench(t *testing.T, extra string, prompts map[string]string) *bench {
	t.Helper()
	base := t.TempDir()
	b := &bench{t: t, packet: filepath.Join(base, "packet"), repo: filepath.Join(base, "app"), cluster: &cluster{hosts: []string{"h1"}}}
	require.NoError(t, os.MkdirAll(filepath.Join(b.packet, "prompts"), 0o755))
	b.write("prompt_runner_packet.md", fmt.Sprintf(manifest, extra))
	for name, text := range prompts {
		b.write(filepath.Join("prompts", name), text)
	}
	b.git("init", "-q", "-b", "main", b.repo)
	b.git("-C", b.repo, "commit", "-q", "--allow-empty", "-m", "start")
	state, err := statedir.At(filepath.Join(base, "state"))
	require.NoError(t, err)
	b.state = state
	b.reset()
	return b
}

// environ lets git work without the configuration of whoever runs the tests.
func environ() []string {
	return append(os.Environ(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
}

func (b *bench) git(args ...string) string {
	b.t.Helper()
	command := exec.CommandContext(b.t.Context(), "git", args...)
	command.Env = environ()
	out, err := command.CombinedOutput()
	require.NoError(b.t, err, "git %v: %s", args, out)
	return string(out)
}

// subjects are the commit subjects of the repository, newest first.
func (b *bench) subjects() []string {
	b.t.Helper()
	return strings.Split(strings.TrimSpace(b.git("-C", b.repo, "log", "--format=%s")), "\n")
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(filepath.Join(b.packet, name), []byte(text), 0o644))
}

// reset prepares a new test environment over the same packet and state: the
// next leg.
func (b *bench) reset() {
	b.suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	b.env = b.suite.NewTestWorkflowEnvironment()
	b.env.SetTestTimeout(time.Minute)
	workflows.Register(b.env)
	activities.Register(b.env, activities.Dependencies{
		Cluster:   b.cluster,
		Namespace: "default",
		Address:   "test",
		State:     b.state,
		Host:      "h1",
		Providers: providers.NewRegistry(simulated.New()),
		Environ:   environ(),
		Packets:   packet.Options{HomeDir: b.state.Root()},
	})
}

// run executes a leg and returns its result, decoded from the error's details
// when the leg failed.
func (b *bench) run(request run.Request) (run.Result, error) {
	b.t.Helper()
	request.Packet = b.packet
	b.env.ExecuteWorkflow(workflows.PacketRun, request)
	require.True(b.t, b.env.IsWorkflowCompleted())
	return decoded(b.t, b.env)
}

// decoded returns the result of a finished PacketRun, whichever way it ended.
func decoded(t *testing.T, env *testsuite.TestWorkflowEnvironment) (run.Result, error) {
	t.Helper()
	var result run.Result
	err := env.GetWorkflowError()
	if err == nil {
		require.NoError(t, env.GetWorkflowResult(&result))
		return result, nil
	}
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		require.NoError(t, app.Details(&result))
	}
	return result, err
}

func (b *bench) snapshot() run.Snapshot {
	b.t.Helper()
	value, err := b.env.QueryWorkflow(run.SnapshotQuery)
	require.NoError(b.t, err)
	var snapshot run.Snapshot
	require.NoError(b.t, value.Get(&snapshot))
	return snapshot
}

// modes renders the modes of a prompt in the leg: "run retry repair".
func (b *bench) modes(prompt string) string {
	b.t.Helper()
	for _, candidate := range b.snapshot().Prompts {
		if candidate.Prompt == prompt {
			words := make([]string, len(candidate.Modes))
			for i, mode := range candidate.Modes {
				words[i] = string(mode)
			}
			return strings.Join(words, " ")
		}
	}
	b.t.Fatalf("prompt %s is not in the snapshot", prompt)
	return ""
}
