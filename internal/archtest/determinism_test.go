package archtest_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// workflowcheck finds what would make a replay differ: clocks, random numbers,
// goroutines, map ranges.
func TestWorkflowsAreDeterministic(t *testing.T) {
	command := exec.CommandContext(t.Context(), "go", "tool", "workflowcheck", "./workflows")
	command.Dir = "../.."
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
