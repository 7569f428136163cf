package activities

import (
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

// Dependencies are what the activities of one host work with.
type Dependencies struct {
	// Client talks to the Temporal server the worker polls.
	Client client.Client
	// Namespace is the namespace of Client.
	Namespace string
	// Address names the server, for the run lock and for people.
	Address string
	State   statedir.Dir
	// Host is the id of this host.
	Host string
	// Environ is the environment of sessions, verifier commands and git.
	Environ []string
}

// Register registers every activity under the name of its descriptor.
func Register(registry worker.ActivityRegistry, deps Dependencies) {
	_, _ = registry, deps
}
