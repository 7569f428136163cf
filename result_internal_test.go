package promptrunner

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/prompt-runner/prompt-runner/run"
)

// ending is the error a client gets when a workflow returns err.
func ending(t *testing.T, err error) error {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.ExecuteWorkflow(func(workflow.Context) (run.Result, error) { return run.Result{}, err })
	return env.GetWorkflowError()
}

func TestFailures(t *testing.T) {
	result := run.Result{Run: "r", Leg: 2, State: run.RunFailed, Completed: 3, Total: 9}
	typed := func(details ...any) error {
		return temporal.NewApplicationErrorWithOptions("prompt 04 failed", run.FailurePrompt, temporal.ApplicationErrorOptions{NonRetryable: true, Details: details})
	}
	for _, tt := range []struct {
		name string
		err  error
		want Failure
	}{
		{"typed, with its result", typed(result), Failure{Type: run.FailurePrompt, Message: "prompt 04 failed", Result: result}},
		{"typed, without details", typed(), Failure{Type: run.FailurePrompt, Message: "prompt 04 failed"}},
		{"typed, with foreign details", typed("text"), Failure{Type: run.FailurePrompt, Message: "prompt 04 failed"}},
		{"cancelled, with its result", temporal.NewCanceledError(result), Failure{Type: FailureStopped, Message: "the run was stopped", Result: result}},
		{"cancelled", temporal.NewCanceledError(), Failure{Type: FailureStopped, Message: "the run was stopped"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failure := failureOf("w", ending(t, tt.err))
			require.NotNil(t, failure)
			require.Equal(t, tt.want.Type == FailureStopped, errors.Is(failure, ErrStopped))
			require.Equal(t, tt.want.Message, failure.Error())
			failure.cause = nil
			require.Equal(t, tt.want, *failure)
		})
	}
}

func TestOtherErrorsAreNoFailures(t *testing.T) {
	require.Nil(t, failureOf("w", errors.New("connection refused")))
}
