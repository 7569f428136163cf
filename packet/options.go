package packet

import (
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/run"
)

const (
	// ConfigHomeVariable overrides where the user's profiles are kept.
	ConfigHomeVariable = "PROMPT_RUNNER_CONFIG_HOME"
	// ProviderVariable and ModelVariable are the weakest settings.
	ProviderVariable = "PROMPT_RUNNER_PROVIDER"
	ModelVariable    = "PROMPT_RUNNER_MODEL"
)

// Options say what a packet is resolved against besides its own files.
type Options struct {
	// ConfigHome is the directory with profiles/NAME.md; empty means none.
	ConfigHome string
	// HomeDir is what "~" in a repository path stands for.
	HomeDir string
	// Defaults are the weakest settings; every file beats them.
	Defaults run.Overrides
	// Artifacts are the files that a workspace built, by id.
	Artifacts map[string]string
	// Overrides are the command line's settings; they win over every file.
	Overrides run.Overrides
	// Template reports why a template of that name cannot be used, nil when it can.
	// Only [Lint] asks, and without it looks at no templates.
	Template func(name string) error
}

// EnvironmentOptions are the options of a user: profiles in
// $PROMPT_RUNNER_CONFIG_HOME or ~/.config/prompt_runner.
func EnvironmentOptions(getenv func(string) string) Options {
	options := Options{
		ConfigHome: getenv(ConfigHomeVariable),
		HomeDir:    getenv("HOME"),
		Defaults:   run.Overrides{Provider: getenv(ProviderVariable), Model: getenv(ModelVariable)},
	}
	if options.ConfigHome == "" && options.HomeDir != "" {
		options.ConfigHome = filepath.Join(options.HomeDir, ".config", "prompt_runner")
	}
	return options
}
