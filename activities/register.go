package activities

import (
	"context"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/run"
)

// Dependencies are what the activities of one host work with.
type Dependencies struct {
	// Client sends heartbeats to the Temporal server the worker polls. It may be
	// nil in tests.
	Client client.Client
	// Cluster answers questions about that server.
	Cluster Cluster
	// Namespace and Address name the server, for the run lock and for people.
	Namespace string
	Address   string
	State     statedir.Dir
	// Host is the id of this host.
	Host string
	// Providers are the agents this host can run.
	Providers *providers.Registry
	// Environ is the environment of sessions, verifier commands and git.
	Environ []string
	// Packets is what packets are resolved against; requests add the overrides.
	Packets packet.Options
}

// Register registers every activity under the name of its descriptor.
func Register(registry worker.ActivityRegistry, deps Dependencies) {
	store := runstore.New(deps.State)
	host := host{Dependencies: deps, store: store}
	runs, prompts := &runs{host}, &prompts{host}
	regular(registry, host, run.OpenRun, runs.open)
	regular(registry, host, run.CloseRun, runs.close)
	regular(registry, host, run.RunSession, (&sessions{host}).run)
	regular(registry, host, run.Verify, (&contracts{host}).verify)
	regular(registry, host, run.Commit, (&commits{host}).commit)
	local(registry, run.PrepareIteration, prompts.prepareIteration)
	local(registry, run.PrepareAttempt, prompts.prepareAttempt)
	local(registry, run.ProjectState, prompts.projectState)
}

// host is what every concern of this package works with.
type host struct {
	Dependencies
	store *runstore.Store
}

// regular registers an activity that beats while it works.
func regular[In, Out any](registry worker.ActivityRegistry, host host, descriptor run.Activity[In, Out], do func(context.Context, In) (Out, error)) {
	local(registry, descriptor, func(ctx context.Context, in In) (Out, error) {
		return beating(ctx, host.Client, func(ctx context.Context) (Out, error) { return do(ctx, in) })
	})
}

// local registers an activity that is too short to beat.
func local[In, Out any](registry worker.ActivityRegistry, descriptor run.Activity[In, Out], do func(context.Context, In) (Out, error)) {
	registry.RegisterActivityWithOptions(func(ctx context.Context, in In) (Out, error) {
		out, err := do(ctx, in)
		return out, outward(err)
	}, activity.RegisterOptions{Name: descriptor.Name})
}

// plan returns the plan snapshot of a leg and one prompt of it. A snapshot that
// is gone or damaged does not come back: that is a refusal.
func (h host) plan(ref run.Ref, id string) (*runstore.Plan, *packetPrompt, error) {
	plan, err := h.store.Plan(ref)
	if err != nil {
		return nil, nil, &refusal{Type: run.FailurePacketInvalid, Message: err.Error() + "; start over with a new run", Cause: err}
	}
	prompt, ok := plan.Packet.Prompt(id)
	if !ok {
		return nil, nil, &refusal{Type: run.FailurePacketInvalid, Message: "the plan of run " + ref.ID + " has no prompt " + id}
	}
	return plan, prompt, nil
}
