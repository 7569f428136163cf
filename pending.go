package promptrunner

import (
	"context"
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// failing describes the activities of a workflow that have failed and are tried
// again; empty when there is none. Temporal knows them, the workflow does not.
func (h *Handle) failing(ctx context.Context, workflowID string) (string, error) {
	described, err := h.temporal.DescribeWorkflowExecution(ctx, workflowID, "")
	if err != nil {
		return "", fmt.Errorf("describe workflow %s: %w", workflowID, err)
	}
	var lines []string
	for _, activity := range described.GetPendingActivities() {
		failure := activity.GetLastFailure()
		if failure == nil || failure.GetApplicationFailureInfo().GetType() == "Handover" {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s keeps failing and is tried again: %s", activity.GetActivityType().GetName(), failure.GetMessage()))
	}
	return run.Cut(strings.Join(lines, "; "), run.MaxMessage, ""), nil
}

// addFailing completes a snapshot by what keeps failing.
func (h *Handle) addFailing(ctx context.Context, snapshot *run.Snapshot) error {
	waiting, err := h.failing(ctx, h.workflowID)
	if err != nil {
		return err
	}
	snapshot.Waiting = waiting
	for i := range snapshot.Prompts {
		prompt := &snapshot.Prompts[i]
		if prompt.WorkflowID == "" || prompt.Status.Final() || prompt.Waiting != "" {
			continue
		}
		if prompt.Waiting, err = h.failing(ctx, prompt.WorkflowID); err != nil {
			return err
		}
	}
	return nil
}
