package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
)

// Register registers every workflow under its name on the wire.
func Register(registry worker.WorkflowRegistry) {
	registry.RegisterWorkflowWithOptions(PacketRun, workflow.RegisterOptions{Name: run.PacketRun})
	registry.RegisterWorkflowWithOptions(PromptRun, workflow.RegisterOptions{Name: run.PromptRun})
}
