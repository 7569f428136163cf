package activities

import (
	"cmp"
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
	dirs, err := r.preflight(ctx, loaded, selected, in.Request)
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

// commitMode is the commit mode of a request; git is the default.
func commitMode(request run.Request) run.CommitMode {
	return cmp.Or(request.Commit, run.CommitGit)
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
	if request.Defaults != (run.Overrides{}) {
		options.Defaults = request.Defaults
	}
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
