package workflows_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/prompt-runner/prompt-runner/run"
)

// prompt makes a prompt file from front matter.
func prompt(frontMatter string) string {
	return "---\n" + strings.TrimPrefix(frontMatter, "\n") + "\n---\n# Title\n\nDo it.\n"
}

const writesOut = "{writes: [{path: out.txt, text: ok}]}"

func TestRecoveryPaths(t *testing.T) {
	t.Parallel()
	failing := func(kind string) string { return "{error: {kind: " + kind + ", message: it broke}}" }
	for name, test := range map[string]struct {
		attempts, resume string
		recovery         string
		verify           string
		modes            string
		status           run.Status
		kind             string
		late, unverified bool
		resumes          int
	}{
		"clean":                          {attempts: writesOut, modes: "run", status: run.StatusCompleted},
		"retry after capacity":           {attempts: failing("provider_capacity") + "," + writesOut, modes: "run retry", status: run.StatusCompleted},
		"retry after rate limit":         {attempts: failing("provider_rate_limit") + "," + writesOut, modes: "run retry", status: run.StatusCompleted},
		"retry after auth claim":         {attempts: failing("provider_auth_claim") + "," + writesOut, modes: "run retry", status: run.StatusCompleted},
		"two retries after config claim": {attempts: failing("provider_config_claim") + "," + failing("provider_config_claim") + "," + writesOut, modes: "run retry retry", status: run.StatusCompleted},
		"repair":                         {attempts: "{}," + writesOut, modes: "run repair", status: run.StatusCompleted},
		"repair is bounded":              {attempts: "{},{},{},{}", modes: "run repair repair", status: run.StatusVerificationFailed, kind: run.FailurePrompt},
		"repair disabled":                {attempts: "{}," + writesOut, recovery: "{repair: {enabled: false}}", modes: "run", status: run.StatusVerificationFailed, kind: run.FailurePrompt},
		"resume after protocol error":    {attempts: failing("protocol_error"), resume: writesOut, modes: "run", resumes: 1, status: run.StatusCompleted},
		"resume after disconnect":        {attempts: failing("transport_disconnect"), resume: writesOut, modes: "run", resumes: 1, status: run.StatusCompleted},
		"second resume plays its own":    {attempts: failing("transport_timeout"), resume: "[" + failing("transport_timeout") + "," + writesOut + "]", modes: "run", resumes: 2, status: run.StatusCompleted},
		"resumes spent, then retry":      {attempts: failing("transport_timeout") + "," + writesOut, resume: failing("transport_timeout"), modes: "run retry", resumes: 2, status: run.StatusCompleted},
		"late error":                     {attempts: "{writes: [{path: out.txt, text: ok}], error: {kind: provider_runtime_claim}}", modes: "run", status: run.StatusCompleted, late: true},
		"repair after retries":           {attempts: failing("provider_runtime_claim") + ",{writes: [{path: other.txt, text: x}], error: {kind: provider_runtime_claim}}," + writesOut, recovery: "{retry: {class_attempts: {provider_runtime_claim: 1}}}", modes: "run retry repair", status: run.StatusCompleted},
		"retries spent, nothing changed": {attempts: failing("provider_runtime_claim") + "," + failing("provider_runtime_claim") + "," + writesOut, recovery: "{retry: {max_attempts: 1}}", modes: "run retry", status: run.StatusFailed, kind: run.FailurePrompt},
		"approval denied, clean tree":    {attempts: failing("approval_denied"), modes: "run", status: run.StatusFailed, kind: run.FailurePrompt},
		"guardrail, contract met":        {attempts: "{writes: [{path: out.txt, text: ok}], error: {kind: guardrail_blocked}}", modes: "run", status: run.StatusFailed, kind: run.FailurePrompt},
		"user cancelled, dirty tree":     {attempts: "{writes: [{path: other.txt, text: x}], error: {kind: user_cancelled}}," + writesOut, modes: "run", status: run.StatusFailed, kind: run.FailurePrompt},
		"write outside":                  {attempts: "{writes: [{path: /etc/never, text: x}]}", modes: "run", status: run.StatusFailed, kind: run.FailurePrompt},
		"fault":                          {attempts: writesOut, verify: "{commands: [{exec: no-such-program, timeout_ms: 1000}]}", modes: "run", status: run.StatusVerifierFault, kind: run.FailureFault},
		"no contract":                    {attempts: "{}", verify: "{}", modes: "run", status: run.StatusCompleted, unverified: true},
		"no contract, retried":           {attempts: failing("provider_capacity") + ",{}", verify: "{}", modes: "run retry", status: run.StatusCompleted, unverified: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			front := "id: 01\ncommit: 'feat: one'\nverify: " + either(test.verify, "{files_exist: [out.txt]}") +
				"\nsimulate:\n  attempts: [" + test.attempts + "]"
			if test.resume != "" {
				front += "\n  resume: " + test.resume
			}
			if test.recovery != "" {
				front += "\nrecovery: " + test.recovery
			}
			b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt(front)})
			result, err := b.run(run.Request{})
			require.Equal(t, test.modes, b.modes("01"))
			got := b.snapshot().Prompts[0]
			require.Equal(t, test.status, got.Status, got.Message)
			require.Equal(t, test.late, got.LateError)
			require.Equal(t, test.unverified, got.Unverified)
			require.Equal(t, test.resumes, got.Resumes)
			if test.kind == "" {
				require.NoError(t, err)
				require.Equal(t, run.RunCompleted, result.State)
				return
			}
			app, ok := errors.AsType[*temporal.ApplicationError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, test.kind, app.Type())
			require.True(t, app.NonRetryable())
			require.Equal(t, run.RunFailed, result.State)
			require.Len(t, result.Unfinished, 1)
			require.Contains(t, app.Message(), "prompt-runner logs")
			require.Equal(t, []string{"start"}, b.subjects(), "nothing may be committed")
		})
	}
}

func either(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// Backoff passes in durable timers: hours go by in virtual time.
func TestBackoffIsDurable(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt(
		"id: 01\nverify: {files_exist: [out.txt]}\n" +
			"recovery: {retry: {base_delay_ms: 3600000, max_delay_ms: 14400000, jitter: false}}\n" +
			"simulate: {attempts: [{error: {kind: provider_capacity}}, {error: {kind: provider_capacity}}, {error: {kind: provider_capacity}}, " + writesOut + "]}")})
	start := b.env.Now()
	_, err := b.run(run.Request{})
	require.NoError(t, err)
	require.Equal(t, "run retry retry retry", b.modes("01"))
	// 1 h, 2 h, 4 h.
	require.InDelta(t, (7 * time.Hour).Seconds(), b.env.Now().Sub(start).Seconds(), 60)
}

func TestCancelDuringBackoff(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt(
		"id: 01\nverify: {files_exist: [out.txt]}\n" +
			"recovery: {retry: {base_delay_ms: 3600000, max_delay_ms: 3600000, jitter: false}}\n" +
			"simulate: {attempts: [{error: {kind: provider_capacity}}, " + writesOut + "]}")})
	b.env.RegisterDelayedCallback(b.env.CancelWorkflow, 10*time.Minute)
	_, err := b.run(run.Request{})
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Equal(t, run.RunStopped, b.snapshot().State)
	require.Equal(t, run.StatusStopped, b.snapshot().Prompts[0].Status)
	require.NoFileExists(t, filepath.Join(b.packet, ".prompt_runner", "run.pid"))

	// The run is unfinished; the next leg continues it, with fresh budgets.
	first := b.snapshot()
	b.reset()
	result, err := b.run(run.Request{})
	require.NoError(t, err)
	require.Equal(t, first.Run, result.Run)
	require.Equal(t, 2, result.Leg)
}

// What an agent says without end must not enter history.
func TestOversizedMaterialStaysOutside(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("x", 3<<20)
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt(
		"id: 01\ncommit: 'feat: one'\nverify:\n  files_exist: [out.txt]\n  commands: [{exec: sh, args: [-c, 'yes unmet | head -c 3000000; test -f done'], timeout_ms: 60000}]\n" +
			"simulate:\n  attempts:\n    - {messages: [" + huge + "], error: {kind: provider_runtime_claim, message: " + huge + "}}\n" +
			"    - {writes: [{path: out.txt, text: ok}]}\n    - {writes: [{path: done, text: ok}]}")})
	_, err := b.run(run.Request{})
	require.NoError(t, err)
	require.Equal(t, "run retry repair", b.modes("01"))
	for _, attempt := range b.snapshot().Prompts[0].Attempts {
		require.LessOrEqual(t, len(attempt.Message), run.MaxMessage)
		require.LessOrEqual(t, len(attempt.Unmet), run.MaxMessage)
	}
	reports, err := filepath.Glob(filepath.Join(b.state.Root(), "runs", "*", "reports", "*.json"))
	require.NoError(t, err)
	require.Len(t, reports, 3)
}

// A prompt whose dependency never completed does not run.
func TestBlockedByDependency(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{
		"01_one.prompt.md": prompt("id: 01\nsimulate: {attempts: [{}]}"),
		"02_two.prompt.md": prompt("id: 02\ndepends_on: [1]\nsimulate: {attempts: [{}]}"),
	})
	_, err := b.run(run.Request{Prompts: []string{"02"}})
	require.ErrorContains(t, err, "01")
	require.Equal(t, run.StatusBlockedByDep, b.snapshot().Prompts[0].Status)
}

// A changed packet is not continued in silence.
func TestChangedPacket(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt("id: 01\nverify: {files_exist: [never.txt]}\nrecovery: {repair: {enabled: false}}")})
	_, err := b.run(run.Request{})
	require.Error(t, err)
	first := b.snapshot().Run

	b.write("prompts/01_one.prompt.md", prompt("id: 01\nverify: {files_absent: [never.txt]}"))
	b.reset()
	_, err = b.run(run.Request{})
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok)
	require.Equal(t, run.FailurePacketChanged, app.Type())
	require.Contains(t, app.Message(), "--new-run")

	b.reset()
	result, err := b.run(run.Request{NewRun: true})
	require.NoError(t, err)
	require.NotEqual(t, first, result.Run)
}

// An open run of the packet excludes another; a closed owner does not.
func TestRunLock(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt("id: 01\nsimulate: {attempts: [{}]}")})
	_, err := b.run(run.Request{})
	require.NoError(t, err)
	// The lock is released at the end; put one there as a killed leg leaves it.
	locks, err := filepath.Glob(filepath.Join(b.state.Root(), "packets", "*"))
	require.NoError(t, err)
	require.Len(t, locks, 1)
	lock := filepath.Join(locks[0], "run.lock")
	require.NoFileExists(t, lock)
	stale := `{"address":"test","namespace":"default","namespace_id":"namespace-1","execution":{"workflow_id":"w","run_id":"r"},"run_id":"abc"}`
	require.NoError(t, os.WriteFile(lock, []byte(stale), 0o600))

	b.cluster.open = true
	b.reset()
	_, err = b.run(run.Request{})
	app, ok := errors.AsType[*temporal.ApplicationError](err)
	require.True(t, ok)
	require.Equal(t, run.FailureRunLocked, app.Type())
	require.FileExists(t, lock)

	b.cluster.open = false
	b.reset()
	_, err = b.run(run.Request{})
	require.NoError(t, err)

	// Only the server of that namespace may call the owner gone.
	require.NoError(t, os.WriteFile(lock, []byte(strings.Replace(stale, "namespace-1", "namespace-2", 1)), 0o600))
	b.reset()
	_, err = b.run(run.Request{})
	require.ErrorContains(t, err, lock)
}

// A request without a host is refused when several could be meant.
func TestSeveralHosts(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", map[string]string{"01_one.prompt.md": prompt("id: 01")})
	b.cluster.hosts = []string{"h1", "h2"}
	_, err := b.run(run.Request{})
	require.ErrorContains(t, err, "h1, h2")
	b.reset()
	_, err = b.run(run.Request{Host: "h1"})
	require.NoError(t, err)
}
