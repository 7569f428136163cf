package promptrunner

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/run"
)

// Handle is one leg of a run: a PacketRun workflow with its continue-as-new
// chain. It is safe for concurrent use.
type Handle struct {
	temporal   client.Client
	workflowID string
	runID      string

	mu sync.Mutex
	// ended are the last words of prompts that are done with, by the workflow
	// that ran them: they never change, and are asked for once.
	ended map[string]run.PromptSnapshot
}

// maxEndedQueries bounds how many finished prompts one snapshot asks: whoever
// follows a large run late learns of them in portions.
const maxEndedQueries = 32

// WorkflowID is the workflow id of the leg.
func (h *Handle) WorkflowID() string { return h.workflowID }

// RunID is the first Temporal run id of the leg's chain; empty when the handle
// was made for the newest execution.
func (h *Handle) RunID() string { return h.runID }

// Snapshot asks where the leg stands. It needs a worker to answer, so give it a
// context with a deadline. Each prompt that was started is asked itself, because
// it alone knows its attempts; for one that does not answer, what PacketRun
// knows of it is returned.
//
// The newest execution of the workflow id answers, because a chain goes on under
// run ids of its own.
func (h *Handle) Snapshot(ctx context.Context) (run.Snapshot, error) {
	return h.snapshot(ctx, true)
}

// snapshot leaves out what keeps failing unless it is asked for: that takes
// further calls.
func (h *Handle) snapshot(ctx context.Context, failing bool) (run.Snapshot, error) {
	var snapshot run.Snapshot
	if err := h.query(ctx, h.workflowID, &snapshot); err != nil {
		return run.Snapshot{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := 0
	for i, prompt := range snapshot.Prompts {
		if prompt.WorkflowID == "" {
			continue
		}
		final := prompt.Status.Final()
		child, known := h.ended[prompt.WorkflowID]
		if !known {
			if final {
				if asked++; asked > maxEndedQueries {
					continue
				}
			}
			if err := h.query(ctx, prompt.WorkflowID, &child); err != nil {
				if ctx.Err() != nil {
					// Half an answer would look as if the attempts were gone.
					return run.Snapshot{}, err
				}
				continue
			}
			if final {
				h.ended[prompt.WorkflowID] = child
			}
		}
		snapshot.Prompts[i] = merge(prompt, child)
	}
	if failing && snapshot.State == run.RunOpen {
		if err := h.addFailing(ctx, &snapshot); err != nil {
			return run.Snapshot{}, err
		}
	}
	return snapshot, nil
}

// Stop asks the leg to end: its sessions are ended and the run can be continued
// later. It returns when Temporal has recorded the wish; wait with Result. A leg
// that is closed already is left alone.
func (h *Handle) Stop(ctx context.Context) error {
	current, err := (&Client{temporal: h.temporal}).Open(ctx, h.workflowID)
	if err != nil {
		return err
	}
	if current == nil || (h.runID != "" && h.runID != current.runID) {
		return nil
	}
	if err := h.temporal.CancelWorkflow(ctx, h.workflowID, ""); err != nil {
		return fmt.Errorf("stop workflow %s: %w", h.workflowID, err)
	}
	return nil
}

func (h *Handle) query(ctx context.Context, workflowID string, answer any) error {
	value, err := h.temporal.QueryWorkflow(ctx, workflowID, "", run.SnapshotQuery)
	if err != nil {
		return fmt.Errorf("query %q of workflow %s: %w", run.SnapshotQuery, workflowID, err)
	}
	if err := value.Get(answer); err != nil {
		return fmt.Errorf("query %q of workflow %s: the answer cannot be read: %w", run.SnapshotQuery, workflowID, err)
	}
	return nil
}

// merge completes what the parent knows by what the prompt says of itself. A
// verdict is the parent's: it waited for it.
func merge(parent, child run.PromptSnapshot) run.PromptSnapshot {
	merged := child
	merged.Prompt = parent.Prompt
	merged.WorkflowID = parent.WorkflowID
	merged.StartedAt = parent.StartedAt
	if parent.Status.Final() {
		merged.PromptOutcome = parent.PromptOutcome
		merged.EndedAt = parent.EndedAt
	}
	if merged.Name == "" {
		merged.Name = cmp.Or(parent.Name, child.Name)
	}
	return merged
}
