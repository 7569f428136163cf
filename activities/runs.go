package activities

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

// pollerAge is how old a poll may be for its worker to count as alive: an idle
// live poller looks up to 60 s old.
const pollerAge = 70 * time.Second

// runs opens and closes runs.
type runs struct{ host }

// open opens a run, or continues the packet's unfinished one. The owner of the
// run lock gets the same run however often it asks.
func (r *runs) open(ctx context.Context, in run.OpenRunInput) (run.OpenRunResult, error) {
	if err := in.Request.Validate(); err != nil {
		return run.OpenRunResult{}, &refusal{Type: run.FailurePacketInvalid, Message: err.Error()}
	}
	if err := r.onlyHost(ctx, in.Request); err != nil {
		return run.OpenRunResult{}, err
	}
	root, err := canonical(in.Request.Packet)
	if err != nil {
		return run.OpenRunResult{}, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	loaded, err := r.load(root, in.Request)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	selected, err := packet.Select(loaded, in.Request.Prompts)
	if err != nil {
		return run.OpenRunResult{}, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	if err := bounded(loaded, selected); err != nil {
		return run.OpenRunResult{}, err
	}
	if err := r.supported(loaded, selected); err != nil {
		return run.OpenRunResult{}, err
	}
	dirs, err := r.preflight(ctx, loaded, selected)
	if err != nil {
		return run.OpenRunResult{}, err
	}
	var opened run.OpenRunResult
	err = r.store.Guard(root, func() error {
		opened, err = r.enter(ctx, opening{in, loaded, selected, dirs})
		return err
	})
	if err != nil {
		return run.OpenRunResult{}, err
	}
	opened.SearchAttributes, err = r.Cluster.SearchAttributes(ctx)
	if err != nil || !opened.SearchAttributes {
		opened.Warnings = append(opened.Warnings, "the namespace lacks the search attributes of Prompt Runner; the run goes on without them")
	}
	for _, finding := range loaded.Warnings[:min(len(loaded.Warnings), 15)] {
		opened.Warnings = append(opened.Warnings, run.Cut(finding.String(), 500, ""))
	}
	dir := projection.In(root)
	err = dir.WritePid()
	if opened.Continued {
		err = errors.Join(dir.CloseOrphans(opened.Run.ID, time.Now()), err)
	}
	if err != nil {
		opened.Warnings = append(opened.Warnings, run.Cut("state is not shown in the packet directory: "+err.Error(), 500, ""))
	}
	return opened, nil
}

// onlyHost refuses a request without a host when several could be meant.
func (r *runs) onlyHost(ctx context.Context, request run.Request) error {
	if request.Host == r.Host {
		return nil
	}
	if request.Host != "" {
		return &refusal{Type: run.FailureHost, Message: fmt.Sprintf("host %q was asked for, and host %q answered its queue; start the worker of host %q", request.Host, r.Host, request.Host)}
	}
	hosts, err := r.Cluster.Hosts(ctx, run.SharedQueue, pollerAge)
	if err != nil {
		return err
	}
	if len(hosts) > 1 {
		return &refusal{Type: run.FailureHost, Message: fmt.Sprintf("several hosts poll the queue %s: %s; name the one that has the packet: {\"packet\": %q, \"host\": %q}",
			run.SharedQueue, strings.Join(hosts, ", "), request.Packet, hosts[0])}
	}
	return nil
}

// canonical resolves a packet directory so that one directory has one name.
func canonical(directory string) (string, error) {
	if !filepath.IsAbs(directory) {
		return "", fmt.Errorf("packet %q is not an absolute path; give the absolute path of the packet directory", directory)
	}
	root, err := filepath.EvalSymlinks(directory)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("packet %s does not exist on this host", directory)
	}
	if err != nil {
		return "", fmt.Errorf("packet %s: %w", directory, err)
	}
	return root, nil
}

func (r *runs) load(root string, request run.Request) (*packet.Packet, error) {
	options := r.Packets
	options.Overrides = request.Overrides
	loaded, err := packet.Load(root, options)
	if err != nil {
		return nil, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	return loaded, nil
}

// supported refuses prompts whose provider this host cannot run.
func (r *runs) supported(loaded *packet.Packet, selected []string) error {
	var problems []string
	for _, id := range selected {
		prompt, _ := loaded.Prompt(id)
		if _, err := r.Providers.Lookup(prompt.Settings.Provider); err != nil {
			problems = append(problems, prompt.File+": "+err.Error())
		}
	}
	if len(problems) > 0 {
		return &refusal{Type: run.FailurePacketInvalid, Message: strings.Join(problems, "\n")}
	}
	return nil
}

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
			return r.opened(record), nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return run.OpenRunResult{}, err
		}
	}
	record, err := r.record(in)
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
	return r.begin(in, record)
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
func (r *runs) begin(in opening, record runstore.Record) (run.OpenRunResult, error) {
	mode := in.Request.Commit
	if mode == "" {
		mode = run.CommitGit
	}
	digest, err := r.store.SavePlan(record.ID, runstore.Plan{Packet: *in.packet, Commit: mode, GitDirs: in.gitDirs})
	if err != nil {
		return run.OpenRunResult{}, err
	}
	leg, err := r.leg(in, record)
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

// leg decides which prompts the leg runs. A continued run goes on with what is
// not complete; a prompt that a person names runs again even if it is.
func (r *runs) leg(in opening, record runstore.Record) (runstore.Leg, error) {
	entries, err := r.store.Ledger(record.ID).Read()
	if err != nil {
		return runstore.Leg{}, err
	}
	leg := runstore.Leg{Execution: in.Execution, Continued: len(record.Legs) > 0}
	wanted := record.Prompts
	if len(in.Request.Prompts) > 0 {
		wanted = in.selected
	}
	for _, id := range record.Prompts {
		complete := runstore.Completions(entries, id) > 0
		if !slices.Contains(wanted, id) || (complete && len(in.Request.Prompts) == 0) {
			if complete {
				leg.Done++
			}
			continue
		}
		prompt, _ := in.packet.Prompt(id)
		planned := run.PlannedPrompt{ID: id, Provider: prompt.Settings.Provider}
		if pending := runstore.PendingCommit(entries, id); pending != nil {
			planned.CommitSeq = pending.Seq
		}
		unmet, err := r.unmet(in.packet, prompt.DependsOn, wanted, entries)
		if err != nil {
			return runstore.Leg{}, err
		}
		planned.BlockedBy = unmet[:min(len(unmet), maxBlockers)]
		leg.Prompts = append(leg.Prompts, planned)
	}
	if len(in.Request.Prompts) > 0 {
		slices.SortStableFunc(leg.Prompts, func(a, b run.PlannedPrompt) int {
			return slices.Index(in.selected, a.ID) - slices.Index(in.selected, b.ID)
		})
	}
	return leg, nil
}

// unmet lists the dependencies that are neither part of the leg nor complete,
// in this run or in the packet's progress ledger.
func (r *runs) unmet(loaded *packet.Packet, dependencies, leg []string, entries []runstore.Entry) ([]string, error) {
	var missing []string
	for _, id := range dependencies {
		if !slices.Contains(leg, id) && runstore.Completions(entries, id) == 0 {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	completed, err := projection.In(loaded.Root).Completed()
	if err != nil {
		return nil, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	return slices.DeleteFunc(missing, func(id string) bool { return completed[id] }), nil
}

// opened is the compact plan of a run's newest leg.
func (r *runs) opened(record runstore.Record) run.OpenRunResult {
	number := len(record.Legs)
	leg := record.Legs[number-1]
	return run.OpenRunResult{
		Run:       run.Ref{ID: record.ID, Leg: number, Packet: record.Packet, Plan: leg.Plan},
		Name:      run.Cut(record.Name, maxName, ""),
		Host:      r.Host,
		Prompts:   leg.Prompts,
		Done:      leg.Done,
		Continued: leg.Continued,
		Rules:     recovery.Rules,
	}
}

// close ends a leg: it records the state the run has reached, takes back what
// is only there while a run is open, and releases the run lock last.
func (r *runs) close(_ context.Context, in run.CloseRunInput) (run.CloseRunResult, error) {
	state := in.State
	if state == run.RunCompleted {
		complete, err := r.complete(in.Run.ID)
		if err != nil {
			return run.CloseRunResult{}, err
		}
		if !complete {
			// The leg did all it was asked to, and the run has more.
			state = run.RunStopped
		}
	}
	var result run.CloseRunResult
	err := r.store.ReleaseLock(in.Run.Packet, in.Execution, func() error {
		if err := projection.In(in.Run.Packet).RemovePid(); err != nil {
			result.Warning = run.Cut(err.Error(), run.MaxMessage, "")
		}
		return r.store.SetState(in.Run.ID, state, in.At)
	})
	return result, err
}

// complete reports whether every prompt of the run is complete.
func (r *runs) complete(id string) (bool, error) {
	record, err := r.store.Record(id)
	if err != nil {
		return false, err
	}
	entries, err := r.store.Ledger(id).Read()
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(record.Prompts, func(prompt string) bool {
		return runstore.Completions(entries, prompt) == 0
	}), nil
}
