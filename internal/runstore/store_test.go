package runstore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/runstore"
	packets "github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestPlansAreContentAddressed(t *testing.T) {
	state := newState(t)
	one := runstore.Plan{
		Packet:  packets.Packet{Name: "one", Prompts: []packets.Prompt{{ID: "01", Body: "do it"}}},
		Commit:  run.CommitGit,
		GitDirs: map[string]runstore.GitDirs{"app": {Own: "/a/.git", Common: "/a/.git"}},
	}
	digest, err := runstore.New(state).SavePlan(runID, one)
	require.NoError(t, err)
	again, err := runstore.New(state).SavePlan(runID, one)
	require.NoError(t, err)
	require.Equal(t, digest, again)
	two := one
	two.Commit = run.CommitNone
	other, err := runstore.New(state).SavePlan(runID, two)
	require.NoError(t, err)
	require.NotEqual(t, digest, other)

	read, err := runstore.New(state).Plan(run.Ref{ID: runID, Plan: digest})
	require.NoError(t, err)
	require.Equal(t, one, *read)
}

func TestPlanThatCannotBeTrusted(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(path string) error
		want   string
	}{
		"edited": {func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.Replace(string(data), "do it", "do no", 1)), 0o600)
		}, "was changed"},
		"torn":    {func(path string) error { return os.Truncate(path, 10) }, "was changed"},
		"missing": {os.Remove, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			state := newState(t)
			digest, err := runstore.New(state).SavePlan(runID, runstore.Plan{
				Packet: packets.Packet{Prompts: []packets.Prompt{{ID: "01", Body: "do it"}}},
			})
			require.NoError(t, err)
			path := filepath.Join(state.Run(runID), "plans", digest+".json")
			require.NoError(t, tc.change(path))
			_, err = runstore.New(state).Plan(run.Ref{ID: runID, Plan: digest})
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestRecord(t *testing.T) {
	store := newStore(t)
	_, err := store.Record(runID)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, store.SetState(runID, run.RunFailed, at), fs.ErrNotExist)
	_, ok, err := store.Current(packet)
	require.NoError(t, err)
	require.False(t, ok)

	record := runstore.Record{
		Protocol: run.Protocol, ID: runID, Packet: packet, Name: "one", Fingerprint: "f", State: run.RunOpen,
		Prompts: []string{"01"}, Legs: []runstore.Leg{{Plan: "p", Prompts: []run.PlannedPrompt{{ID: "01"}}}},
		CreatedAt: at, UpdatedAt: at,
	}
	require.NoError(t, store.SaveRecord(record))
	require.NoError(t, store.SetCurrent(packet, runID))
	current, ok, err := store.Current(packet)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, record, current)

	require.NoError(t, store.SetState(runID, run.RunCompleted, at.AddDate(0, 0, 1)))
	read, err := store.Record(runID)
	require.NoError(t, err)
	record.State, record.UpdatedAt = run.RunCompleted, at.AddDate(0, 0, 1)
	require.Equal(t, record, read)

	_, ok, err = store.Current("/packets/another")
	require.NoError(t, err)
	require.False(t, ok)
}

func TestRecordsOfOtherReleasesAreRefused(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"newer protocol": {`{"protocol": 2, "run_id": "run-1"}`, "protocol 2, this release speaks 1"},
		"no protocol":    {`{"run_id": "run-1"}`, "protocol 0"},
		"unknown field":  {`{"protocol": 1, "run_id": "run-1", "colour": "red"}`, "colour"},
		"no JSON":        {"junk", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			path := filepath.Join(store.RunDir(runID), "run.json")
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(tc.text), 0o600))
			require.NoError(t, store.SetCurrent(packet, runID))
			_, err := store.Record(runID)
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, path)
			_, _, err = store.Current(packet)
			require.ErrorContains(t, err, tc.want, "an unreadable run is not the same as no run")
			require.ErrorContains(t, store.SetState(runID, run.RunFailed, at), tc.want)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, tc.text, string(data))
		})
	}
}

func TestLockBelongsToItsOwner(t *testing.T) {
	store := newStore(t)
	_, held, err := store.Lock(packet)
	require.NoError(t, err)
	require.False(t, held)

	owner := run.Execution{WorkflowID: "packet/one", RunID: "a"}
	lock := runstore.Lock{Address: "here", Namespace: "default", NamespaceID: "n", Execution: owner, RunID: runID}
	require.NoError(t, store.Guard(packet, func() error { return store.TakeLock(packet, lock) }))

	never := func() error {
		t.Error("what only the owner may do was done for another")
		return nil
	}
	for _, other := range []run.Execution{{WorkflowID: "packet/one", RunID: "b"}, {WorkflowID: "packet/two", RunID: "a"}, {}} {
		require.NoError(t, store.ReleaseLock(packet, other, never))
		read, held, err := store.Lock(packet)
		require.NoError(t, err)
		require.True(t, held)
		require.Equal(t, lock, read)
	}

	failed := errors.New("no")
	require.ErrorIs(t, store.ReleaseLock(packet, owner, func() error { return failed }), failed)
	_, held, err = store.Lock(packet)
	require.NoError(t, err)
	require.True(t, held, "what comes before the release failed")

	calls := 0
	require.NoError(t, store.ReleaseLock(packet, owner, func() error { calls++; return nil }))
	_, held, err = store.Lock(packet)
	require.NoError(t, err)
	require.False(t, held)
	require.NoError(t, store.ReleaseLock(packet, owner, never), "released already")
	require.Equal(t, 1, calls)
}

// A lock that cannot be read is held: nobody may work on the packet.
func TestUnreadableLockIsAnError(t *testing.T) {
	for name, text := range map[string]string{"junk": "junk", "unknown field": `{"run_id": "r", "colour": "red"}`, "empty": ""} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			require.NoError(t, os.MkdirAll(filepath.Dir(store.LockPath(packet)), 0o700))
			require.NoError(t, os.WriteFile(store.LockPath(packet), []byte(text), 0o600))
			_, held, err := store.Lock(packet)
			require.ErrorContains(t, err, store.LockPath(packet))
			require.False(t, held)
			require.Error(t, store.ReleaseLock(packet, run.Execution{}, func() error { return nil }))
			require.FileExists(t, store.LockPath(packet))
		})
	}
}

func TestBaselineIsTakenOnce(t *testing.T) {
	store := newStore(t)
	read := func(pass, iteration int, take string) string {
		var value string
		require.NoError(t, store.Baseline(runID, "01", pass, iteration, &value, func() error {
			value = take
			return nil
		}))
		return value
	}
	require.Equal(t, "first", read(0, 1, "first"))
	require.Equal(t, "first", read(0, 1, "later"))
	require.Equal(t, "next pass", read(1, 1, "next pass"))
	require.Equal(t, "next iteration", read(0, 2, "next iteration"))

	failed := errors.New("no")
	var value string
	require.ErrorIs(t, store.Baseline(runID, "02", 0, 1, &value, func() error { return failed }), failed)
	require.NoError(t, store.Baseline(runID, "02", 0, 1, &value, func() error { value = "x"; return nil }), "a failure leaves no baseline")
	require.Equal(t, "x", value)

	path := filepath.Join(store.RunDir(runID), "baselines", "02-0-1.json")
	require.NoError(t, os.Truncate(path, 0))
	require.ErrorContains(t, store.Baseline(runID, "02", 0, 1, &value, func() error {
		t.Error("a damaged baseline was taken anew from a tree the session has changed")
		return nil
	}), path)
}

func TestReports(t *testing.T) {
	store := newStore(t)
	name := runstore.ReportName("01", 3)
	require.NoError(t, store.SaveReport(runID, name, map[string]bool{"pass?": true}))
	var report map[string]bool
	require.NoError(t, store.Report(runID, name, &report))
	require.Equal(t, map[string]bool{"pass?": true}, report)
	require.ErrorIs(t, store.Report(runID, "none.json", &report), fs.ErrNotExist)
	require.Equal(t, store.ReportPath(runID, name), store.ReportPath(runID, "../../"+name), "a name is no way out of the run")
}

// A second verification would count what the commands of the first one did.
func TestChangesAreRecordedOnce(t *testing.T) {
	store := newStore(t)
	_, err := store.Changes(runID, "01", 1)
	require.ErrorIs(t, err, fs.ErrNotExist)
	first := runstore.Changes{"app": {Uncommitted: []string{"out"}, Paths: []string{"out"}, Changed: true}}
	require.NoError(t, store.SaveChanges(runID, "01", 1, first))
	require.NoError(t, store.SaveChanges(runID, "01", 1, runstore.Changes{"app": {Uncommitted: []string{"out", "leftover"}}}))
	read, err := store.Changes(runID, "01", 1)
	require.NoError(t, err)
	require.Equal(t, first, read)
	_, err = store.Changes(runID, "01", 2)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// A pointer to a run that is gone is not the same as no run: completed prompts
// would be played again.
func TestLostRunIsAnError(t *testing.T) {
	store := newStore(t)
	require.NoError(t, store.SetCurrent(packet, runID))
	_, ok, err := store.Current(packet)
	require.ErrorContains(t, err, "run "+runID)
	require.False(t, ok)
}

func TestNewIDIsSafeInNames(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := runstore.NewID()
		require.Regexp(t, `^[A-Za-z0-9_][A-Za-z0-9_-]{23}$`, id)
		require.False(t, seen[id])
		seen[id] = true
	}
}
