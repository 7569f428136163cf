package acceptance_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

var record = flag.Bool("record", false, "record the histories that package workflows replays")

// histories is where package workflows finds them.
const histories = "../workflows/testdata/histories"

// paths are the packets whose histories are recorded, by the name of the path.
// Each has a prompt 01 and, where drive is nil, is run to its end.
var paths = map[string]struct {
	front string
	hook  string
	drive func(t *testing.T, s *site)
}{
	"clean":      {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}"},
	"unverified": {front: "simulate: {attempts: [{messages: [done]}]}"},
	"retry":      {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{error: {kind: provider_capacity}}, {writes: [{path: out.txt, text: x}]}]}"},
	"retry-with-backoff": {front: "verify: {files_exist: [out.txt]}\nrecovery: {retry: {base_delay_ms: 200, max_delay_ms: 200}}\n" +
		"simulate: {attempts: [{error: {kind: provider_capacity}}, {writes: [{path: out.txt, text: x}]}]}"},
	"repair":               {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{}, {writes: [{path: out.txt, text: x}]}]}"},
	"resume":               {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{error: {kind: protocol_error}}], resume: {writes: [{path: out.txt, text: x}]}}"},
	"late-error":           {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}], error: {kind: provider_runtime_claim}}]}"},
	"repair-after-retries": {front: "verify: {files_exist: [out.txt]}\nrecovery: {retry: {max_attempts: 1}}\nsimulate: {attempts: [{error: {kind: provider_runtime_claim}}, {writes: [{path: a.txt, text: x}], error: {kind: provider_runtime_claim}}, {writes: [{path: out.txt, text: x}]}]}"},
	"terminal":             {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{error: {kind: approval_denied}}]}"},
	"verification-failed":  {front: "verify: {files_exist: [out.txt]}\nrecovery: {repair: {max_attempts: 1}}"},
	"fault":                {front: "verify: {commands: [{exec: no-such-program, timeout_ms: 1000}]}"},
	"blocked":              {front: "depends_on: [2]"},
	"commit-refused":       {front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}", hook: "#!/bin/sh\nexit 1\n"},
	"continue-at-commit": {
		front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}", hook: "#!/bin/sh\nexit 1\n",
		drive: func(t *testing.T, s *site) {
			t.Helper()
			_, err := s.exec("prompt-runner", "run", "packet", "01", "--new-run")
			require.Error(t, err)
			require.NoError(t, os.Remove(s.path("app/.git/hooks/pre-commit")))
			s.must("prompt-runner", "run", "packet", "01")
		},
	},
	"stopped-in-session": {
		front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}], delay_ms: 60000}]}",
		drive: func(t *testing.T, s *site) { t.Helper(); s.stopWhen(t, "app/out.txt", "") },
	},
	"stopped-in-backoff": {
		front: "verify: {files_exist: [out.txt]}\nrecovery: {retry: {base_delay_ms: 60000, max_delay_ms: 60000}}\nsimulate: {attempts: [{error: {kind: provider_capacity}}]}",
		drive: func(t *testing.T, s *site) {
			t.Helper()
			s.stopWhen(t, "packet/.prompt_runner/state.json", "retry_scheduled")
		},
	},
	"worker-killed": {
		front: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x, append: true}], delay_ms: 2000}]}",
		drive: func(t *testing.T, s *site) {
			t.Helper()
			s.must("prompt-runner", "run", "packet", "01", "--new-run", "--detach")
			require.NoError(t, await(func() (bool, error) { _, err := os.Stat(s.path("app/out.txt")); return err == nil, nil }))
			require.NoError(t, kill(s.dir))
			s.must("prompt-runner", "attach", "packet")
		},
	},
}

// stopWhen starts a run and stops it once a file exists and contains text.
func (s *site) stopWhen(t *testing.T, file, text string) {
	t.Helper()
	s.must("prompt-runner", "run", "packet", "01", "--new-run", "--detach")
	require.NoError(t, await(func() (bool, error) {
		data, err := os.ReadFile(s.path(file))
		return err == nil && strings.Contains(string(data), text), nil
	}))
	_, _ = s.exec("prompt-runner", "stop", "packet")
}

// TestRecordHistories writes a real history of each path for package workflows
// to replay: go test ./acceptance -run TestRecordHistories -record
func TestRecordHistories(t *testing.T) {
	if !*record {
		t.Skip("histories are recorded with -record")
	}
	require.NoError(t, os.RemoveAll(histories))
	require.NoError(t, os.MkdirAll(histories, 0o755))
	s := newSite(t)
	for name, path := range paths {
		s.write("packet/prompt_runner_packet.md", "---\nname: "+name+"\nprofile: simulated-default\nrepos: {app: {path: ../app}}\n---\n")
		s.write("packet/prompts/01_one.prompt.md", "---\nid: 01\ncommit: \"feat: one\"\n"+path.front+"\n---\n# One\n")
		s.write("packet/prompts/02_two.prompt.md", "---\nid: 02\n---\n# Two\n")
		s.must("git", "init", "-q", "-b", "main", "app")
		s.must("git", "-C", "app", "commit", "-q", "--allow-empty", "-m", "start")
		if path.hook != "" {
			s.write("app/.git/hooks/pre-commit", path.hook)
		}
		if path.drive != nil {
			path.drive(t, s)
		} else {
			_, _ = s.exec("prompt-runner", "run", "packet", "01", "--new-run")
		}
		s.export(t, name)
		require.NoError(t, os.RemoveAll(s.path("packet")))
		require.NoError(t, os.RemoveAll(s.path("app")))
	}
	s.recoveryPacket(0)
	s.must("prompt-runner", "run", "packet", "--new-run")
	s.export(t, "simulated-recovery")
}

// packetID is what a workflow id of the command line has around the packet's name.
var packetID = regexp.MustCompile(`^packet/|-[0-9a-f]{8}$`)

// export writes the histories of all runs of the packet of that name.
func (s *site) export(t *testing.T, packet string) {
	t.Helper()
	ctx := t.Context()
	temporal, err := dial(ctx, s.dir)
	require.NoError(t, err)
	defer temporal.Close()
	// A closed run shows up in visibility with a delay; its children are found
	// through its own history.
	var runs []string
	require.NoError(t, await(func() (bool, error) {
		listed, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("WorkflowId STARTS_WITH %q", "packet/"+packet+"-"),
		})
		if err != nil {
			return false, err
		}
		runs = runs[:0]
		for _, execution := range listed.GetExecutions() {
			if execution.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
				return false, nil
			}
			if id := execution.GetExecution().GetWorkflowId(); packetID.ReplaceAllString(id, "") == packet {
				runs = append(runs, id+" "+execution.GetExecution().GetRunId())
			}
		}
		return len(runs) > 0, nil
	}))
	for i, one := range runs {
		id, runID, _ := strings.Cut(one, " ")
		leg := fmt.Sprintf("%s-leg%d", packet, len(runs)-i)
		history := s.save(ctx, t, temporal, id, runID, leg+"-packet.json")
		for _, event := range history.GetEvents() {
			if started := event.GetChildWorkflowExecutionStartedEventAttributes(); started != nil {
				child := started.GetWorkflowExecution()
				prompt := child.GetWorkflowId()[strings.LastIndex(child.GetWorkflowId(), "-")+1:]
				s.save(ctx, t, temporal, child.GetWorkflowId(), child.GetRunId(), leg+"-prompt-"+prompt+".json")
			}
		}
	}
}

func (s *site) save(ctx context.Context, t *testing.T, temporal client.Client, id, runID, name string) *historypb.History {
	t.Helper()
	history := new(historypb.History)
	events := temporal.GetWorkflowHistory(ctx, id, runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	data, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(history)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(histories, name), append(data, '\n'), 0o644))
	return history
}
