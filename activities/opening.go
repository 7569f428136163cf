package activities

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// opening is what a run is opened with: the request, the packet as it was read,
// the prompts it selects, and where their repositories keep git's files.
type opening struct {
	run.OpenRunInput
	packet   *packet.Packet
	selected []string
	gitDirs  map[string]runstore.GitDirs
}

// enter takes the run lock and writes the run's record and plan. It runs within
// the packet's guard.
func (r *runs) enter(ctx context.Context, in opening) (run.OpenRunResult, error) {
	root := in.packet.Root
	lock, locked, err := r.store.Lock(root)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	owned := locked && lock.Execution == in.Execution
	if locked && !owned {
		if err := r.stale(ctx, root, lock); err != nil {
			return run.OpenRunResult{}, err
		}
	}
	if owned {
		record, err := r.store.Record(lock.RunID)
		if err == nil && len(record.Legs) > 0 && record.Legs[len(record.Legs)-1].Execution == in.Execution {
			// It may have died between the record and the pointer to it.
			return r.opened(record), r.store.SetCurrent(root, record.ID)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return run.OpenRunResult{}, err
		}
	}
	record, err := r.record(in)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	leg, err := r.leg(in, record)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	namespaceID, err := r.Cluster.NamespaceID(ctx)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	err = r.store.TakeLock(root, runstore.Lock{
		Address: r.Address, Namespace: r.Namespace, NamespaceID: namespaceID, Execution: in.Execution, RunID: record.ID,
	})
	if err != nil {
		return run.OpenRunResult{}, err
	}
	return r.begin(in, record, leg)
}

// stale returns nil when the lock's owner is known to be gone, and the refusal
// to open otherwise.
func (r *runs) stale(ctx context.Context, root string, lock runstore.Lock) error {
	namespaceID, err := r.Cluster.NamespaceID(ctx)
	if err != nil {
		return err
	}
	if lock.NamespaceID != namespaceID {
		return &refusal{Type: run.FailureRunLocked, Message: fmt.Sprintf(
			"the packet is locked by run %s (workflow %s) on another Temporal, %s namespace %s, which only that server can call finished; stop the run there, or, if that server is gone for good, remove %s",
			lock.RunID, lock.Execution.WorkflowID, lock.Address, lock.Namespace, r.store.LockPath(root))}
	}
	open, err := r.Cluster.Open(ctx, lock.Execution)
	if err != nil {
		return err
	}
	if open {
		return &refusal{Type: run.FailureRunLocked, Message: fmt.Sprintf(
			"run %s of this packet is open (workflow %s)\nto follow it: prompt-runner attach %s\nto end it: prompt-runner stop %s",
			lock.RunID, lock.Execution.WorkflowID, root, root)}
	}
	return nil
}

// record returns the run to work on: the unfinished one, or a new one.
func (r *runs) record(in opening) (runstore.Record, error) {
	current, ok, err := r.store.Current(in.packet.Root)
	if _, damaged := errors.AsType[*atomicfile.DamagedError](err); damaged && in.Request.NewRun {
		// What cannot be read cannot be continued; it is left as it is.
		err = nil
	}
	if err != nil {
		return runstore.Record{}, err
	}
	now := time.Now().UTC()
	fresh := runstore.Record{
		ID:          runstore.NewID(),
		Packet:      in.packet.Root,
		Name:        in.packet.Name,
		Fingerprint: in.packet.Fingerprint,
		State:       run.RunOpen,
		Prompts:     in.selected,
		CreatedAt:   now,
		UpdatedAt:   now,
	}
	if ok {
		fresh.Previous = current.ID
	}
	if !ok || current.State.Finished() {
		return fresh, nil
	}
	if in.Request.NewRun {
		return fresh, r.store.SetState(current.ID, run.RunSuperseded, now)
	}
	if current.Fingerprint != in.packet.Fingerprint {
		return runstore.Record{}, &refusal{Type: run.FailurePacketChanged, Message: fmt.Sprintf(
			"the packet was changed since its unfinished run %s began; undo the change to continue that run, or start over with: prompt-runner run %s --new-run",
			current.ID, in.packet.Root)}
	}
	if len(in.Request.Prompts) > 0 {
		for _, id := range in.selected {
			if !slices.Contains(current.Prompts, id) {
				return runstore.Record{}, &refusal{Type: run.FailurePacketChanged, Message: fmt.Sprintf(
					"prompt %s is not part of the unfinished run %s, which has %s; finish that run first, or start over with --new-run",
					id, current.ID, strings.Join(current.Prompts, ", "))}
			}
		}
	}
	return current, nil
}

// begin writes the leg: plan snapshot, record, pointer.
func (r *runs) begin(in opening, record runstore.Record, leg runstore.Leg) (run.OpenRunResult, error) {
	digest, err := r.store.SavePlan(record.ID, runstore.Plan{Packet: *in.packet, Commit: commitMode(in.Request), GitDirs: in.gitDirs})
	if err != nil {
		return run.OpenRunResult{}, err
	}
	leg.Plan = digest
	record.Legs = append(record.Legs, leg)
	record.State, record.UpdatedAt = run.RunOpen, time.Now().UTC()
	if err := r.store.SaveRecord(record); err != nil {
		return run.OpenRunResult{}, err
	}
	if err := r.store.SetCurrent(in.packet.Root, record.ID); err != nil {
		return run.OpenRunResult{}, err
	}
	return r.opened(record), nil
}
