package activities_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/prompt-runner/prompt-runner/activities"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/providers/simulated"
	"github.com/prompt-runner/prompt-runner/run"
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// host is one host with a packet; its activities run as a worker would run them.
type host struct {
	t      *testing.T
	packet string
	app    *gittest.Repo
	// lib is there when prompt 01 names it.
	lib       *gittest.Repo
	state     statedir.Dir
	store     *runstore.Store
	providers *providers.Registry
	environ   []string
	cluster   *cluster
	// stopping, when set, is closed while the worker stops.
	stopping chan struct{}
}

// cluster answers for the server, which activities of tests do not have.
type cluster struct {
	open  bool
	hosts []string
}

func (c *cluster) NamespaceID(context.Context) (string, error)       { return "namespace-1", nil }
func (c *cluster) Open(context.Context, run.Execution) (bool, error) { return c.open, nil }
func (c *cluster) SearchAttributes(context.Context) (bool, error)    { return true, nil }
func (c *cluster) Hosts(context.Context, string, time.Duration) ([]string, error) {
	return c.hosts, nil
}

const manifest = `---
name: tested
profile: simulated-default
repos:
  app: {path: ../app, default: true}
  lib: {path: ../lib}
---
`

// one is a prompt file for prompt 01 with further front matter.
func one(front string) map[string]string {
	return map[string]string{"01_one.prompt.md": "---\nid: '01'\nname: One\ncommit: 'feat: one'\n" + front + "\n---\nDo it.\n"}
}

// both is a prompt that works on both repositories.
var both = one("targets: [app, lib]")

func newHost(t *testing.T, prompts map[string]string) *host {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	h := &host{t: t, packet: filepath.Join(base, "packet"), cluster: &cluster{}}
	h.write(filepath.Join(h.packet, packet.ManifestName), manifest)
	for name, text := range prompts {
		h.write(filepath.Join(h.packet, "prompts", name), text)
	}
	h.app = h.repository("app")
	if strings.Contains(prompts["01_one.prompt.md"], "lib") {
		h.lib = h.repository("lib")
	}
	h.state, err = statedir.At(filepath.Join(base, "state"))
	require.NoError(t, err)
	h.store = runstore.New(h.state)
	h.providers = providers.NewRegistry(simulated.New())
	h.environ = h.app.Env
	return h
}

// repository makes a repository beside the packet.
func (h *host) repository(name string) *gittest.Repo {
	h.t.Helper()
	dir := filepath.Join(filepath.Dir(h.packet), name)
	require.NoError(h.t, os.Mkdir(dir, 0o755))
	repo := gittest.At(h.t, dir)
	repo.Git("commit", "--quiet", "--allow-empty", "--message=start")
	return repo
}

func (h *host) write(path, text string) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(h.t, os.WriteFile(path, []byte(text), 0o644))
}

func (h *host) read(path string) string {
	h.t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(h.t, err)
	return string(data)
}

// call executes an activity in a worker of its own, as after a restart.
func call[In, Out any](h *host, descriptor run.Activity[In, Out], in In) (Out, error) {
	h.t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	env.SetTestTimeout(time.Minute)
	if h.stopping != nil {
		env.SetWorkerStopChannel(h.stopping)
	}
	activities.Register(env, activities.Dependencies{
		Cluster:   h.cluster,
		Namespace: "default",
		Address:   "test",
		State:     h.state,
		Host:      "h1",
		Providers: h.providers,
		Environ:   h.environ,
		Packets:   packet.Options{HomeDir: h.state.Root()},
	})
	var out Out
	value, err := env.ExecuteActivity(descriptor.Name, in)
	if err == nil {
		require.NoError(h.t, value.Get(&out))
	}
	return out, err
}

func must[In, Out any](h *host, descriptor run.Activity[In, Out], in In) Out {
	h.t.Helper()
	out, err := call(h, descriptor, in)
	require.NoError(h.t, err)
	return out
}

// refused executes an activity that must fail, and returns its failure.
func refused[In, Out any](h *host, descriptor run.Activity[In, Out], in In) *temporal.ApplicationError {
	h.t.Helper()
	_, err := call(h, descriptor, in)
	failure, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(h.t, ok, "%v", err)
	return failure
}

// leg names the workflow of a leg.
func leg(name string) run.Execution {
	return run.Execution{WorkflowID: "packet/tested", RunID: name}
}

func (h *host) request() run.Request { return run.Request{Packet: h.packet, Host: "h1"} }

func (h *host) open(execution run.Execution) run.Ref {
	h.t.Helper()
	return must(h, run.OpenRun, run.OpenRunInput{Request: h.request(), Execution: execution}).Run
}

// prepared opens a run and records the baseline of prompt 01.
func (h *host) prepared() run.Ref {
	h.t.Helper()
	ref := h.open(leg("a"))
	must(h, run.PrepareIteration, run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1})
	return ref
}

func attemptOf(ref run.Ref, number int, execution string) run.PrepareAttemptInput {
	return run.PrepareAttemptInput{
		Run: ref, Prompt: "01", Iteration: 1, Number: number, Mode: run.ModeRun, Execution: execution,
		At: at, Revision: run.Revision{Leg: ref.Leg, Sequence: number},
	}
}

// sessionOf is the first session of the first attempt.
func (h *host) sessionOf(ref run.Ref) run.RunSessionInput {
	h.t.Helper()
	attempt := must(h, run.PrepareAttempt, attemptOf(ref, 1, "x"))
	return run.RunSessionInput{
		Run: ref, Prompt: "01", Iteration: 1, Number: 1, Seq: attempt.Seq, Mode: run.ModeRun, Execution: "x", Log: attempt.Log,
	}
}

// verified judges the first attempt, which records what its session changed.
func (h *host) verified(ref run.Ref) {
	h.t.Helper()
	must(h, run.Verify, run.VerifyInput{Run: ref, Prompt: "01", Iteration: 1, Seq: 1})
}

// commitOf is the commit of the first attempt.
func commitOf(ref run.Ref) run.CommitInput {
	return run.CommitInput{Run: ref, Prompt: "01", Iteration: 1, Seq: 1}
}

// hook makes git run a script before each commit in a repository.
func (h *host) hook(repo *gittest.Repo, script string) string {
	h.t.Helper()
	path := filepath.Join(repo.Dir, ".git", "hooks", "pre-commit")
	h.write(path, "#!/bin/sh\n"+script+"\n")
	require.NoError(h.t, os.Chmod(path, 0o755))
	return path
}

// subjects are the commit subjects of a repository, newest first.
func subjects(repo *gittest.Repo) []string {
	return strings.Split(repo.Git("log", "--format=%s"), "\n")
}

// trailers are the values of our commit trailer, newest first.
func trailers(repo *gittest.Repo) []string {
	return strings.Fields(repo.Git("log", fmt.Sprintf("--format=%%(trailers:key=%s,valueonly)", run.TrailerCommit)))
}
