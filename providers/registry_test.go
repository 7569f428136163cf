package providers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
)

type named string

func (n named) Name() string { return string(n) }

func TestRegistryLookup(t *testing.T) {
	registry := providers.NewRegistry(named("simulated"), named("echo"))
	require.Equal(t, []string{"echo", "simulated"}, registry.Names())

	provider, err := registry.Lookup("echo")
	require.NoError(t, err)
	require.Equal(t, named("echo"), provider)

	for _, name := range []string{"claude", "codex", "opencode", "amp", "cursor", "antigravity", "gemini", "command"} {
		_, err := registry.Lookup(name)
		require.EqualError(t, err, `provider "`+name+`" is not supported yet; this build has: echo, simulated`)
	}
	for _, name := range []string{"", "Echo", "cladue"} {
		_, err := registry.Lookup(name)
		require.EqualError(t, err, `provider "`+name+`" is unknown; this build has: echo, simulated`)
	}
}

func TestRegistryRefusesDuplicates(t *testing.T) {
	require.Panics(t, func() { providers.NewRegistry(named("echo"), named("echo")) })
}
