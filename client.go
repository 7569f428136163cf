package promptrunner

import (
	"context"
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/run"
)

// Client starts and finds runs on one Temporal namespace. It is safe for
// concurrent use.
type Client struct{ temporal client.Client }

// New uses a connected Temporal client, which stays the caller's to close.
func New(temporal client.Client) *Client { return &Client{temporal: temporal} }

// StartOptions say how a run appears in Temporal.
type StartOptions struct {
	// WorkflowID is required. run.PacketRunID makes the one that the command
	// line uses; two runs with one id are never open at once.
	WorkflowID string
	// Summary is the line shown beside the workflow; empty means one that names
	// the packet.
	Summary string
}

// Start begins a leg of a run. It returns as soon as Temporal has recorded it;
// no worker needs to be there. When a run with the same workflow id is open the
// error is an *AlreadyRunningError.
func (c *Client) Start(ctx context.Context, request run.Request, options StartOptions) (*Handle, error) {
	if options.WorkflowID == "" {
		return nil, errors.New("start a run: no workflow id was given; run.PacketRunID makes one")
	}
	request.Protocol = run.Protocol
	if err := request.Validate(); err != nil {
		return nil, fmt.Errorf("start a run: %w", err)
	}
	if options.Summary == "" {
		options.Summary = "run " + request.Packet
	}
	started, err := c.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                    options.WorkflowID,
		TaskQueue:             run.SharedQueue,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		// Without it a second start would silently return the open run.
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		StaticSummary:                            options.Summary,
	}, run.PacketRun, request)
	if already, ok := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); ok {
		return nil, &AlreadyRunningError{WorkflowID: options.WorkflowID, RunID: already.RunId}
	}
	if err != nil {
		return nil, fmt.Errorf("start workflow %s: %w", options.WorkflowID, err)
	}
	return c.Attach(started.GetID(), started.GetRunID()), nil
}

// Attach returns a handle on a run that was started before, without asking
// Temporal. An empty runID means the newest execution of the workflow id.
func (c *Client) Attach(workflowID, runID string) *Handle {
	return &Handle{
		temporal:   c.temporal,
		workflowID: workflowID,
		runID:      runID,
		ended:      map[string]run.PromptSnapshot{},
	}
}

// Open finds the open execution of a workflow id. The handle is nil when there
// is none.
func (c *Client) Open(ctx context.Context, workflowID string) (*Handle, error) {
	described, err := c.temporal.DescribeWorkflowExecution(ctx, workflowID, "")
	if _, missing := errors.AsType[*serviceerror.NotFound](err); missing {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("describe workflow %s: %w", workflowID, err)
	}
	info := described.GetWorkflowExecutionInfo()
	if info.GetStatus() != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return nil, nil
	}
	return c.Attach(workflowID, info.GetFirstRunId()), nil
}
