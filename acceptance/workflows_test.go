package acceptance_test

import (
	"context"
	"fmt"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// openWorkflows lists the ids of open workflows that start with prefix, once
// there is at least one: the visibility store follows with a delay.
func openWorkflows(ctx context.Context, temporal client.Client, prefix string) ([]string, error) {
	var ids []string
	err := await(func() (bool, error) {
		listed, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("ExecutionStatus = 'Running' AND WorkflowId STARTS_WITH %q", prefix),
		})
		if err != nil {
			return false, err
		}
		ids = ids[:0]
		for _, execution := range listed.GetExecutions() {
			ids = append(ids, execution.GetExecution().GetWorkflowId())
		}
		return len(ids) > 0, nil
	})
	return ids, err
}
