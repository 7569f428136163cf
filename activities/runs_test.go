package activities_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

var two = map[string]string{
	"01_one.prompt.md": "---\nid: '01'\n---\nDo it.\n",
	"02_two.prompt.md": "---\nid: '02'\ndepends_on: ['01']\n---\nDo it.\n",
}

// complete records that a prompt is complete.
func (h *host) complete(ref run.Ref, prompt string) {
	h.t.Helper()
	must(h, run.ProjectState, run.ProjectStateInput{
		Run: ref, Prompt: prompt, Status: run.StatusCompleted, Seq: 1, At: at, Revision: run.Revision{Leg: ref.Leg, Sequence: 1},
	})
}

func (h *host) runState(ref run.Ref) run.RunState {
	h.t.Helper()
	record, err := h.store.Record(ref.ID)
	require.NoError(h.t, err)
	return record.State
}

func TestOwnerOpensTheSameRun(t *testing.T) {
	t.Parallel()
	h := newHost(t, two)
	in := run.OpenRunInput{Request: h.request(), Execution: leg("a")}
	opened := must(h, run.OpenRun, in)
	// The worker died before it made the run the packet's current one.
	current, err := filepath.Glob(filepath.Join(h.state.Root(), "packets", "*", "current.json"))
	require.NoError(t, err)
	require.Len(t, current, 1)
	require.NoError(t, os.Remove(current[0]))
	require.Equal(t, opened, must(h, run.OpenRun, in))
	require.FileExists(t, current[0])
	require.Equal(t, 1, opened.Run.Leg)
	require.Len(t, opened.Prompts, 2)

	// The owner's workflow is open: nobody else gets in.
	h.cluster.open = true
	failure := refused(h, run.OpenRun, run.OpenRunInput{Request: h.request(), Execution: leg("b")})
	require.Equal(t, run.FailureRunLocked, failure.Type())
	require.True(t, failure.NonRetryable())
	require.Contains(t, failure.Message(), opened.Run.ID)

	// It is closed: the run is continued.
	h.cluster.open = false
	h.complete(opened.Run, "01")
	continued := must(h, run.OpenRun, run.OpenRunInput{Request: h.request(), Execution: leg("b")})
	require.Equal(t, opened.Run.ID, continued.Run.ID)
	require.Equal(t, 2, continued.Run.Leg)
	require.True(t, continued.Continued)
	require.Equal(t, 1, continued.Done)
	require.Len(t, continued.Prompts, 1)
}

func TestCloseReleasesOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.prepared()
	h.complete(ref, "01")
	closing := run.CloseRunInput{Run: ref, Execution: leg("a"), State: run.RunCompleted, At: at}
	pid := projection.In(h.packet).PidFile()
	require.FileExists(t, pid)
	require.Empty(t, must(h, run.CloseRun, closing).Warning)
	require.Equal(t, run.RunCompleted, h.runState(ref))
	require.NoFileExists(t, pid)
	_, held, err := h.store.Lock(h.packet)
	require.NoError(t, err)
	require.False(t, held)

	// The worker died before it could say so, and another leg has begun.
	next := h.open(leg("b"))
	require.NotEqual(t, ref.ID, next.ID)
	closing.State = run.RunFailed
	must(h, run.CloseRun, closing)
	require.Equal(t, run.RunCompleted, h.runState(ref))
	require.FileExists(t, pid, "it is the other leg's")
	lock, held, err := h.store.Lock(h.packet)
	require.NoError(t, err)
	require.True(t, held)
	require.Equal(t, leg("b"), lock.Execution)
}

func TestPartialRunStaysUnfinished(t *testing.T) {
	t.Parallel()
	h := newHost(t, two)
	request := h.request()
	ref := h.open(leg("a"))
	h.complete(ref, "01")
	must(h, run.CloseRun, run.CloseRunInput{Run: ref, Execution: leg("a"), State: run.RunCompleted, At: at})
	require.Equal(t, run.RunStopped, h.runState(ref), "prompt 02 is missing")

	request.Prompts = []string{"02"}
	opened := must(h, run.OpenRun, run.OpenRunInput{Request: request, Execution: leg("b")})
	require.Equal(t, ref.ID, opened.Run.ID)
	h.complete(opened.Run, "02")
	must(h, run.CloseRun, run.CloseRunInput{Run: opened.Run, Execution: leg("b"), State: run.RunCompleted, At: at})
	require.Equal(t, run.RunCompleted, h.runState(ref))
}

func TestOpenRefusals(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil func(h *host, request *run.Request)
		kind  string
		want  string
	}{
		"no packet":      {func(_ *host, r *run.Request) { r.Packet = "/none" }, run.FailurePacketInvalid, "does not exist"},
		"relative":       {func(_ *host, r *run.Request) { r.Packet = "p" }, run.FailurePacketInvalid, "absolute path"},
		"another host":   {func(_ *host, r *run.Request) { r.Host = "h2" }, run.FailureHost, `host "h2" was asked for`},
		"several hosts":  {func(h *host, r *run.Request) { r.Host = ""; h.cluster.hosts = []string{"h1", "h2"} }, run.FailureHost, "h1, h2"},
		"unknown prompt": {func(_ *host, r *run.Request) { r.Prompts = []string{"99"} }, run.FailurePacketInvalid, "99"},
		"no repository":  {func(h *host, _ *run.Request) { h.app.Remove(".") }, run.FailurePreflight, "does not exist"},
		"no git":         {func(h *host, _ *run.Request) { h.app.Remove(".git") }, run.FailurePreflight, "not a git repository"},
		"unknown provider": {
			func(_ *host, r *run.Request) { r.Overrides.Provider = "claude" },
			run.FailurePacketInvalid, "not supported yet",
		},
		"damaged ledger of dependencies": {func(h *host, r *run.Request) {
			r.Prompts = []string{"02"}
			h.write(projection.In(h.packet).ProgressFile(), "")
		}, run.FailurePacketInvalid, "progress.log:1"},
		"protocol": {func(_ *host, r *run.Request) { r.Protocol = 2 }, run.FailurePacketInvalid, "protocol 2"},
		"broken packet": {
			func(h *host, _ *run.Request) {
				h.write(filepath.Join(h.packet, packet.ManifestName), "---\nname: [\n---\n")
			},
			run.FailurePacketInvalid, packet.ManifestName,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, two)
			h.environ = append(h.environ, "GIT_CEILING_DIRECTORIES="+filepath.Dir(h.packet))
			request := h.request()
			tc.spoil(h, &request)
			failure := refused(h, run.OpenRun, run.OpenRunInput{Request: request, Execution: leg("a")})
			require.Equal(t, tc.kind, failure.Type(), failure.Message())
			require.True(t, failure.NonRetryable())
			require.Contains(t, failure.Message(), tc.want)
			_, held, err := h.store.Lock(h.packet)
			require.NoError(t, err)
			require.False(t, held, "a run that was not opened holds no lock")
		})
	}
}

func TestChangedPacketIsNotContinued(t *testing.T) {
	t.Parallel()
	h := newHost(t, one(""))
	ref := h.open(leg("a"))
	must(h, run.CloseRun, run.CloseRunInput{Run: ref, Execution: leg("a"), State: run.RunFailed, At: at})
	h.write(filepath.Join(h.packet, "prompts", "01_one.prompt.md"), "---\nid: '01'\n---\nDo something else.\n")
	failure := refused(h, run.OpenRun, run.OpenRunInput{Request: h.request(), Execution: leg("b")})
	require.Equal(t, run.FailurePacketChanged, failure.Type())
	require.Equal(t, run.RunFailed, h.runState(ref))

	request := h.request()
	request.NewRun = true
	fresh := must(h, run.OpenRun, run.OpenRunInput{Request: request, Execution: leg("b")})
	require.NotEqual(t, ref.ID, fresh.Run.ID)
	require.Equal(t, run.RunSuperseded, h.runState(ref))
}
