package activities

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/run"
)

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
		unmet, err := r.unmet(record, prompt.DependsOn, wanted)
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

// unmet lists the dependencies that are neither part of the leg nor complete: in
// this run, in an earlier one, or in the packet's progress ledger, which another
// tool may have written.
func (r *runs) unmet(record runstore.Record, dependencies, leg []string) ([]string, error) {
	var missing []string
	for _, id := range dependencies {
		if slices.Contains(leg, id) {
			continue
		}
		complete, err := r.everCompleted(record, id)
		if err != nil {
			return nil, err
		}
		if !complete {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	completed, err := projection.In(record.Packet).Completed()
	if err != nil {
		return nil, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	return slices.DeleteFunc(missing, func(id string) bool { return completed[id] }), nil
}

// maxEarlierRuns bounds how far back completions count.
const maxEarlierRuns = 100

// everCompleted reports whether a prompt was completed in a run or in one before.
func (r *runs) everCompleted(record runstore.Record, prompt string) (bool, error) {
	for range maxEarlierRuns {
		entries, err := r.store.Ledger(record.ID).Read()
		if err != nil || runstore.Completions(entries, prompt) > 0 {
			return err == nil, err
		}
		if record.Previous == "" {
			break
		}
		record, err = r.store.Record(record.Previous)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}
