package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/run"
)

// Cluster is what opening a run asks the Temporal server.
type Cluster interface {
	// NamespaceID is the UUID of the namespace.
	NamespaceID(ctx context.Context) (string, error)
	// Open reports whether the execution, or its continue-as-new chain, is open.
	Open(ctx context.Context, execution run.Execution) (bool, error)
	// Hosts lists the host ids whose workers polled the queue within that time.
	Hosts(ctx context.Context, queue string, within time.Duration) ([]string, error)
	// SearchAttributes reports whether the namespace has all of ours.
	SearchAttributes(ctx context.Context) (bool, error)
}

// NewCluster asks through a client.
func NewCluster(temporalClient client.Client, namespace string) Cluster {
	return &cluster{client: temporalClient, namespace: namespace}
}

type cluster struct {
	client    client.Client
	namespace string

	mu         sync.Mutex
	id         string
	attributes bool
}

func (c *cluster) NamespaceID(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.id != "" {
		return c.id, nil
	}
	described, err := c.client.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: c.namespace})
	if err != nil {
		return "", fmt.Errorf("describe namespace %s: %w", c.namespace, err)
	}
	c.id = described.GetNamespaceInfo().GetId()
	return c.id, nil
}

func (c *cluster) Open(ctx context.Context, execution run.Execution) (bool, error) {
	// Without a run id the server describes the newest run under the workflow
	// id; its first run id tells whether that is still the same chain.
	described, err := c.client.DescribeWorkflowExecution(ctx, execution.WorkflowID, "")
	if _, ok := errors.AsType[*serviceerror.NotFound](err); ok {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("describe workflow %s: %w", execution.WorkflowID, err)
	}
	info := described.GetWorkflowExecutionInfo()
	return info.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING && info.GetFirstRunId() == execution.RunID, nil
}

func (c *cluster) Hosts(ctx context.Context, queue string, within time.Duration) ([]string, error) {
	described, err := c.client.DescribeTaskQueue(ctx, queue, enumspb.TASK_QUEUE_TYPE_ACTIVITY)
	if err != nil {
		return nil, fmt.Errorf("describe task queue %s: %w", queue, err)
	}
	var hosts []string
	for _, poller := range described.GetPollers() {
		host := run.HostOfIdentity(poller.GetIdentity())
		if host == "" || time.Since(poller.GetLastAccessTime().AsTime()) > within || slices.Contains(hosts, host) {
			continue
		}
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	return hosts, nil
}

func (c *cluster) SearchAttributes(ctx context.Context) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attributes {
		return true, nil
	}
	listed, err := c.client.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: c.namespace})
	if err != nil {
		return false, fmt.Errorf("list search attributes: %w", err)
	}
	has := func(names []string, kind enumspb.IndexedValueType) bool {
		for _, name := range names {
			if listed.GetCustomAttributes()[name] != kind {
				return false
			}
		}
		return true
	}
	c.attributes = has(run.KeywordAttributes, enumspb.INDEXED_VALUE_TYPE_KEYWORD) &&
		has(run.KeywordListAttributes, enumspb.INDEXED_VALUE_TYPE_KEYWORD_LIST)
	return c.attributes, nil
}
