package simulated

import (
	"cmp"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// failureOf is the failure that a scripted error stands for. Its kind alone
// decides, never its message: a script means what it says. An explicit recovery
// map replaces the kind's flags altogether.
func failureOf(e simulation.Error) run.Failure {
	failure := recovery.ClassifyKind(e.Kind, "")
	// A simulated provider knows no load and suggests no wait.
	failure.SuggestedDelayMS = 0
	if e.Recovery != nil {
		kind := failure.ProviderCode
		failure = *e.Recovery
		failure.Class = cmp.Or(failure.Class, run.ClassUnknown)
		failure.Severity = cmp.Or(failure.Severity, "error")
		failure.ProviderCode = cmp.Or(failure.ProviderCode, kind)
	}
	failure.Message = run.Cut(cmp.Or(failure.Message, e.Message, "simulated failure"), run.MaxMessage, "")
	return failure
}
