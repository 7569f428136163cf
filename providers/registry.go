package providers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// planned are providers that packets may name but that no build plays yet.
var planned = []string{"amp", "antigravity", "claude", "codex", "command", "cursor", "gemini", "opencode"}

// Registry holds the providers of a build by name.
type Registry struct {
	byName map[string]Provider
}

// NewRegistry makes a registry of the given providers. Two of one name are a
// programming error and panic.
func NewRegistry(ps ...Provider) *Registry {
	byName := make(map[string]Provider, len(ps))
	for _, p := range ps {
		if _, taken := byName[p.Name()]; taken {
			panic("providers: two providers are called " + p.Name())
		}
		byName[p.Name()] = p
	}
	return &Registry{byName: byName}
}

// Names lists the registered providers in alphabetical order.
func (r *Registry) Names() []string {
	return slices.Sorted(maps.Keys(r.byName))
}

// Lookup returns the provider of that name, or an error that says which ones
// this build has.
func (r *Registry) Lookup(name string) (Provider, error) {
	if p, ok := r.byName[name]; ok {
		return p, nil
	}
	available := strings.Join(r.Names(), ", ")
	if slices.Contains(planned, name) {
		return nil, fmt.Errorf("provider %q is not supported yet; this build has: %s", name, available)
	}
	return nil, fmt.Errorf("provider %q is unknown; this build has: %s", name, available)
}
