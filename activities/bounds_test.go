package activities_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// vast is a text that must never enter a history as it is; its characters grow
// when JSON escapes them.
var vast = strings.Repeat("x\\", 3<<19)

// large does not fit either, and a prompt file has room for several.
var large = strings.Repeat("x\\", run.MaxPayload/2+1)

// aliases are as many names for the repository app as a prompt may target, too
// long to be repeated with a reason each.
var aliases = func() []string {
	names := make([]string, 20)
	for i := range names {
		names[i] = fmt.Sprintf("%s%02d", strings.Repeat("r", 4600), i)
	}
	return names
}()

// vastHost has a packet in which everything that has no limit is large or vast.
func vastHost(t *testing.T) *host {
	t.Helper()
	var files, classes strings.Builder
	for i := range 300 {
		fmt.Fprintf(&files, "    - %s%03d\n", strings.Repeat("f", 200), i)
		fmt.Fprintf(&classes, "      class_%03d: 1\n", i)
	}
	prompts := map[string]string{"01_one.prompt.md": `---
id: '01'
name: '` + large + `'
commit: 'feat: one'
model: '` + large + `'
colour: '` + large + `'
targets: [` + strings.Join(aliases, ", ") + `]
verify:
  files_exist:
` + files.String() + `  contains: [{path: vast, text: '` + large + `'}]
  commands:
    - {exec: sh, args: [-c, 'yes vast | head -c 3000000; exit 1'], timeout_ms: 30000}
    - {exec: 'no-` + large + `', timeout_ms: 1000}
recovery:
  retry:
    class_attempts:
` + classes.String() + `simulate:
  attempts:
    - messages: ['` + large + `']
      writes: [{path: vast, text: '` + large + `'}]
      error:
        kind: provider_capacity
        message: '` + vast + `'
        stderr: '` + large + `'
        recovery: {class: '` + large + `', severity: '` + large + `', phase: '` + large + `', provider_code: '` + large + `'}
---
` + large}
	// Prompts that need what never completed.
	var ids []string
	for i := range 40 {
		ids = append(ids, fmt.Sprintf("'%020d'", i+100))
		prompts[fmt.Sprintf("%020d_x.prompt.md", i+100)] = "---\ntargets: [" + aliases[0] + "]\n---\n"
	}
	prompts["02_two.prompt.md"] = "---\nid: '02'\ntargets: [" + aliases[0] + "]\ndepends_on: [" + strings.Join(ids, ", ") + "]\n---\n"

	h := newHost(t, prompts)
	var repos strings.Builder
	for _, name := range aliases {
		fmt.Fprintf(&repos, "  - {name: %s, path: ../app}\n", name)
	}
	h.write(filepath.Join(h.packet, packet.ManifestName), "---\nname: '"+large+"'\nprofile: simulated-default\nrepos:\n"+repos.String()+"---\n")
	// Control characters are what JSON makes longest.
	h.hook(h.app, "head -c 30000 /dev/zero | tr '\\0' '\\1' >&2; exit 1")
	return h
}

// outcome is what an execution puts into the history.
type outcome struct {
	result any
	err    error
}

// size is its length there, in bytes.
func (o outcome) size(t *testing.T) int {
	t.Helper()
	if o.err != nil {
		data, err := proto.Marshal(temporal.GetDefaultFailureConverter().ErrorToFailure(o.err))
		require.NoError(t, err)
		return len(data)
	}
	payloads, err := converter.GetDefaultDataConverter().ToPayloads(o.result)
	require.NoError(t, err)
	return proto.Size(payloads)
}

func tried[In, Out any](h *host, descriptor run.Activity[In, Out], in In) outcome {
	h.t.Helper()
	out, err := call(h, descriptor, in)
	return outcome{out, err}
}

// Whatever an activity is fed with, its result and its failure fit.
func TestNothingVastEntersHistory(t *testing.T) {
	t.Parallel()
	h := vastHost(t)
	request := h.request()
	request.Prompts = []string{"01", "02"}
	opened := must(h, run.OpenRun, run.OpenRunInput{Request: request, Execution: leg("a")})
	ref := opened.Run
	lost := run.Ref{ID: large, Leg: 1, Packet: large, Plan: large}
	iteration := run.PrepareIterationInput{Run: ref, Prompt: "01", Iteration: 1}
	var session run.RunSessionInput
	var verified run.VerifyResult
	var committed run.CommitResult

	// In the order of a run: each step needs the one before.
	for _, tc := range []struct {
		activity string
		good     func() outcome
		// full is the least size that shows that good was fed with enough.
		full int
		bad  func() outcome
	}{
		{
			run.OpenRun.Name,
			func() outcome { return outcome{opened, nil} }, 700,
			func() outcome {
				return tried(h, run.OpenRun, run.OpenRunInput{Request: run.Request{Packet: "/" + large, Host: "h1"}, Execution: leg("a")})
			},
		},
		{
			run.PrepareIteration.Name,
			func() outcome { return tried(h, run.PrepareIteration, iteration) }, 4000,
			func() outcome {
				return tried(h, run.PrepareIteration, run.PrepareIterationInput{Run: lost, Prompt: large, Iteration: 1})
			},
		},
		{
			run.PrepareAttempt.Name,
			func() outcome {
				session = h.sessionOf(ref)
				return tried(h, run.PrepareAttempt, attemptOf(ref, 1, "x"))
			}, 50,
			func() outcome { return tried(h, run.PrepareAttempt, attemptOf(lost, 1, large)) },
		},
		{
			run.RunSession.Name,
			func() outcome { return tried(h, run.RunSession, session) }, run.MaxMessage,
			func() outcome {
				in := session
				in.Execution = large
				return tried(h, run.RunSession, in)
			},
		},
		{
			run.Verify.Name,
			func() outcome {
				in := run.VerifyInput{Run: ref, Prompt: "01", Iteration: 1, Seq: 1}
				verified = must(h, run.Verify, in)
				require.Equal(t, 303, verified.Report.Items)
				return outcome{verified, nil}
			}, run.MaxMessage,
			func() outcome { return tried(h, run.Verify, run.VerifyInput{Run: lost, Prompt: large, Iteration: 1}) },
		},
		{
			run.Commit.Name,
			func() outcome {
				committed = must(h, run.Commit, commitOf(ref))
				require.Len(t, committed.Repos, len(aliases))
				for _, repo := range committed.Repos {
					require.Equal(t, run.CommitStatusError, repo.Status)
					require.NotEmpty(t, repo.Reason)
				}
				return outcome{committed, nil}
			}, 100 << 10,
			func() outcome { return tried(h, run.Commit, run.CommitInput{Run: lost, Prompt: large}) },
		},
		{
			run.ProjectState.Name,
			func() outcome {
				return tried(h, run.ProjectState, run.ProjectStateInput{
					Run: ref, Prompt: "01", Status: run.StatusCommitFailed, Seq: 1, AttemptStatus: run.StatusCompleted,
					Revision: run.Revision{Leg: 1, Sequence: 9}, Reason: committed.Failed, Commits: committed.Repos,
					// A report of that name cannot be read: the warning names it.
					Report: strings.ReplaceAll(large, "/", "_"),
				})
			}, 1000,
			func() outcome {
				return tried(h, run.ProjectState, run.ProjectStateInput{Run: lost, Prompt: large, Status: run.StatusCompleted})
			},
		},
		{
			run.CloseRun.Name,
			func() outcome {
				return tried(h, run.CloseRun, run.CloseRunInput{Run: run.Ref{ID: ref.ID, Packet: large}, Execution: leg(large), State: run.RunFailed})
			}, 0,
			func() outcome {
				return tried(h, run.CloseRun, run.CloseRunInput{Run: run.Ref{ID: large, Packet: ref.Packet}, Execution: leg("a"), State: run.RunFailed})
			},
		},
	} {
		good := tc.good()
		require.NoError(t, good.err, tc.activity)
		require.Less(t, good.size(t), run.MaxPayload, tc.activity)
		require.Greater(t, good.size(t), tc.full, tc.activity)

		bad := tc.bad()
		_, failed := errors.AsType[*temporal.ApplicationError](bad.err)
		require.True(t, failed, "%s: %v", tc.activity, bad.err)
		require.Less(t, bad.size(t), 4*run.MaxMessage, tc.activity)
	}
	require.Len(t, opened.Prompts, 2)
	require.NotEmpty(t, opened.Prompts[1].BlockedBy)
	require.NotEmpty(t, opened.Warnings)
}

// What cannot be cut is refused before anything begins.
func TestPacketsBeyondTheBounds(t *testing.T) {
	t.Parallel()
	manyPrompts := map[string]string{}
	for i := range 1001 {
		manyPrompts[fmt.Sprintf("%04d_x.prompt.md", i)] = ""
	}
	var classes strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&classes, "class_number_%d: 1, ", i)
	}
	long := strings.Repeat("r", 100<<10)
	for name, tc := range map[string]struct {
		prompts map[string]string
		repos   string
		want    string
	}{
		"prompts": {manyPrompts, "{name: app, path: ../app}", "1001 prompts are selected"},
		"targets": {one("targets: [" + long + "]"), "{name: " + long + ", path: ../app}", "targets: the 1 repositories"},
		"classes": {one("recovery: {retry: {class_attempts: {" + classes.String() + "}}}"), "{name: app, path: ../app}", "class_attempts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, tc.prompts)
			h.write(filepath.Join(h.packet, packet.ManifestName), "---\nprofile: simulated-default\nrepos: ["+tc.repos+"]\n---\n")
			failure := refused(h, run.OpenRun, run.OpenRunInput{Request: h.request(), Execution: leg("a")})
			require.Equal(t, run.FailurePacketInvalid, failure.Type())
			require.True(t, failure.NonRetryable())
			require.Contains(t, failure.Message(), tc.want)
		})
	}
}
