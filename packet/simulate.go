package packet

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/simulation"
)

const (
	defaultWritePath    = "simulated.out"
	defaultErrorKind    = "provider_runtime_claim"
	defaultErrorMessage = "simulated failure"
)

// errorKinds are the failures that a simulated session can be scripted with.
var errorKinds = []string{
	"provider_capacity", "provider_rate_limit", "rate_limit", "provider_auth_claim", "auth_error",
	"provider_config_claim", "config_invalid", "provider_runtime_claim", "runtime_error",
	"protocol_error", "transport_disconnect", "transport_error", "transport_exit", "transport_timeout",
	"user_cancelled", "approval_denied", "guardrail_blocked",
}

// script reads a simulate block. Everything in it is checked: a misspelt step
// would silently play an empty success.
func (c contractReader) script(n node) simulation.Script {
	var script simulation.Script
	if !c.block(n) {
		return script
	}
	c.only(n, simulateObject)
	script.Attempts = c.steps(n.get("attempts"))
	switch resume := n.get("resume"); resume.kind {
	case kindMap:
		script.Resume = []simulation.Step{c.step(resume)}
	default:
		script.Resume = c.steps(resume)
		script.ResumeEach = resume.kind == kindList
	}
	return script
}

// steps reads a list of steps; null or absent is none.
func (c contractReader) steps(n node) []simulation.Step {
	var steps []simulation.Step
	for _, item := range c.listed(n) {
		steps = append(steps, c.step(item))
	}
	return steps
}

// listed returns the items of a list; something else that was given is an error.
func (r *report) listed(n node) []node {
	if n.given() && n.kind != kindList {
		r.errorf(n.place, "is %s; it must be a list", n.describe())
	}
	return n.items
}

func (c contractReader) step(n node) simulation.Step {
	var step simulation.Step
	if !c.block(n) {
		return step
	}
	c.only(n, stepObject)
	step.Label, _ = c.text(n.get("label"))
	if messages := n.get("messages"); len(c.listed(messages)) > 0 {
		step.Messages = c.texts(messages)
	}
	for _, item := range c.listed(n.get("writes")) {
		step.Writes = append(step.Writes, c.write(item))
	}
	step.DelayMS, _ = c.whole(n.get("delay_ms"), delays)
	if failure := n.get("error"); c.block(failure) {
		step.Error = c.failure(failure)
	}
	return step
}

func (c contractReader) write(n node) simulation.Write {
	write := simulation.Write{Path: defaultWritePath}
	if n.kind != kindMap {
		c.errorf(n.place, "is %s; a write is a map with path and text", n.describe())
		return write
	}
	c.only(n, writeObject)
	write.Repo, _ = c.repo(n.get("repo"))
	if path, ok := c.word(n.get("path")); ok {
		write.Path = path
		if !filepath.IsAbs(path) && !filepath.IsLocal(path) {
			c.errorf(n.get("path").place, "%q leads out of the directory it starts in; name the repository with repo", path)
		}
	}
	write.Text, _ = c.text(n.get("text"))
	write.Append, _ = c.looseTruth(n.get("append"))
	return write
}

func (c contractReader) failure(n node) *simulation.Error {
	c.only(n, errorObject)
	failure := &simulation.Error{Kind: defaultErrorKind, Message: defaultErrorMessage}
	if kind, ok := c.word(n.get("kind")); ok {
		failure.Kind = kind
		if !slices.Contains(errorKinds, kind) {
			c.errorf(n.get("kind").place, "unknown error kind %q%s; known are: %s", kind, didYouMean(kind, errorKinds), strings.Join(errorKinds, ", "))
		}
	}
	if message, ok := c.text(n.get("message")); ok {
		failure.Message = message
	}
	failure.Stderr, _ = c.text(n.get("stderr"))
	if recovery := n.get("recovery"); c.block(recovery) && len(recovery.fields) > 0 {
		failure.Recovery = c.envelope(recovery, failure)
	}
	return failure
}

// envelope reads the failure that replaces what the error kind implies.
func (c contractReader) envelope(n node, failure *simulation.Error) *run.Failure {
	c.only(n, envelopeObject)
	flag := func(name string) bool {
		value, _ := c.looseTruth(c.either(n, envelopeObject, name))
		return value
	}
	envelope := &run.Failure{
		Class:              run.ClassUnknown,
		Retryable:          flag("retryable"),
		Repairable:         flag("repairable"),
		Resumable:          flag("resumeable"),
		RemoteClaim:        flag("remote_claim"),
		LocalDeterministic: flag("local_deterministic"),
		Severity:           "error",
		ProviderCode:       failure.Kind,
		Message:            run.Cut(failure.Message, run.MaxMessage, ""),
	}
	if class, ok := c.word(n.get("class")); ok {
		envelope.Class = classNamed(class)
	}
	if severity, ok := c.word(n.get("severity")); ok {
		envelope.Severity = severity
	}
	envelope.Phase, _ = c.text(n.get("phase"))
	if code, ok := c.word(n.get("provider_code")); ok {
		envelope.ProviderCode = code
	}
	envelope.SuggestedDelayMS, _ = c.whole(n.get("suggested_delay_ms"), delays)
	if most := readCount(c.report, n.get("suggested_max_attempts")); most.set {
		attempts := int(most.value)
		envelope.SuggestedMaxAttempts = &attempts
	}
	return envelope
}
