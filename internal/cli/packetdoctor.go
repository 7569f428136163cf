package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/preflight"
	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
)

// diagnosis is what doctor and preflight print with --json. The JSON names are
// those of the Elixir tool.
type diagnosis struct {
	Packet       string           `json:"packet"`
	Root         string           `json:"root"`
	ManifestPath string           `json:"manifest_path"`
	PromptPath   string           `json:"prompt_path"`
	Profile      string           `json:"profile,omitempty"`
	Providers    []providerReport `json:"providers"`
	// ProvidersReady says that the program of every provider was found.
	ProvidersReady bool `json:"providers_ready?"`
	preflight.Report
	PromptFiles       []string         `json:"prompt_files"`
	AuthoringWarnings []packet.Finding `json:"authoring_warnings"`
	AuthoringReady    bool             `json:"authoring_ready?"`
	// Notes are warnings of the packet that do not concern its writing.
	Notes []packet.Finding `json:"warnings"`
}

// providerReport says whether the program of a provider can be found.
type providerReport struct {
	Provider string   `json:"provider"`
	Models   []string `json:"models"`
	// Command is the program; empty for a provider without one.
	Command string `json:"cli_command,omitempty"`
	// Variable overrides the program.
	Variable string `json:"cli_path_env,omitempty"`
	// Path is where it was found.
	Path  string `json:"cli_path,omitempty"`
	Found bool   `json:"cli_found?"`
	Error string `json:"error,omitempty"`
}

// providerPrograms are the programs of the providers and the variables that name
// others.
var providerPrograms = map[string]struct{ command, variable string }{
	"claude":      {"claude", "CLAUDE_CLI_PATH"},
	"codex":       {"codex", "CODEX_PATH"},
	"amp":         {"amp", "AMP_CLI_PATH"},
	"cursor":      {"agent", "CURSOR_CLI_PATH"},
	"antigravity": {"agy", "ANTIGRAVITY_CLI_PATH"},
	"opencode":    {"opencode", "OPENCODE_PATH"},
	"gemini":      {"gemini", "GEMINI_CLI_PATH"},
}

func (a *app) packetDoctorCommand() *cobra.Command {
	var opts preflightOptions
	cmd := &cobra.Command{
		Use:   "doctor [PACKET]",
		Short: "Tell how far the writing of a packet has come, and what it lacks to run",
		Long: `Tell how far the writing of a packet has come, and what it lacks to run: prompts,
contracts and placeholders, repositories, and the programs of its providers.

Exit code 0 whenever the packet can be read, ready or not; scripts use
"packet preflight".`,
		Example: `  prompt-runner packet doctor path/to/packet
  prompt-runner packet doctor path/to/packet --json`,
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return a.onPacket(cmd, &opts.dir, &opts.json, func(ctx context.Context) error { return a.runDoctor(ctx, opts) })
}

func (a *app) runDoctor(ctx context.Context, opts preflightOptions) error {
	report, err := a.diagnose(ctx, opts.dir)
	if err != nil {
		return err
	}
	if opts.json {
		return a.printJSON(report)
	}
	a.say("Packet %s at %s", render.OneLine(report.Packet), report.Root)
	a.say("Prompts: %d in %s", len(report.PromptFiles), report.PromptPath)
	a.printRepos(report.Report)
	for _, provider := range report.Providers {
		a.printProvider(provider)
	}
	style := a.style()
	for _, finding := range slices.Concat(report.AuthoringWarnings, report.Notes) {
		a.printFinding(style, report.Root, finding)
	}
	a.say("")
	a.say("repositories ready: %s; providers found: %s; written: %s", yesNo(report.RuntimeReady), yesNo(report.ProvidersReady), yesNo(report.AuthoringReady))
	return nil
}

func (a *app) printProvider(provider providerReport) {
	name := "Provider " + provider.Provider
	if len(provider.Models) > 0 {
		name += " (" + strings.Join(provider.Models, ", ") + ")"
	}
	switch {
	case provider.Command == "":
		a.say("%s: built in", name)
	case provider.Found:
		a.say("%s: %s", name, provider.Path)
	default:
		a.say("%s: NOT FOUND: %s; install it, or set %s", name, provider.Error, provider.Variable)
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// diagnose reads a packet, which may be without prompts yet, and looks at its
// repositories and programs.
func (a *app) diagnose(ctx context.Context, dir string) (diagnosis, error) {
	found, err := packet.Diagnose(dir, a.loadOptions())
	if err != nil {
		return diagnosis{}, cannotRun(err)
	}
	ready, err := preflight.Check(ctx, found.Packet.Repos, preflight.Options{Env: a.env.Environ, Commits: true})
	if err != nil {
		return diagnosis{}, err
	}
	providers := a.providers(found.Packet)
	return diagnosis{
		Packet:            found.Packet.Name,
		Root:              found.Packet.Root,
		ManifestPath:      found.Packet.Root + "/" + packet.ManifestName,
		PromptPath:        found.PromptDir,
		Profile:           found.Packet.Profile,
		Providers:         providers,
		ProvidersReady:    !slices.ContainsFunc(providers, func(p providerReport) bool { return !p.Found }),
		Report:            ready,
		PromptFiles:       found.PromptFiles,
		AuthoringWarnings: found.Warnings,
		AuthoringReady:    len(found.Warnings) == 0,
		Notes:             found.Packet.Warnings,
	}, nil
}

// providers looks for the programs of every provider that a prompt uses.
func (a *app) providers(p *packet.Packet) []providerReport {
	reports := []providerReport{}
	for _, prompt := range p.Prompts {
		settings := prompt.Settings
		i := slices.IndexFunc(reports, func(r providerReport) bool { return r.Provider == settings.Provider })
		if i < 0 {
			reports = append(reports, a.lookFor(settings.Provider))
			i = len(reports) - 1
		}
		if settings.Model != "" && !slices.Contains(reports[i].Models, settings.Model) {
			reports[i].Models = append(reports[i].Models, settings.Model)
		}
	}
	return reports
}

func (a *app) lookFor(provider string) providerReport {
	program, external := providerPrograms[provider]
	report := providerReport{Provider: provider, Models: []string{}, Command: program.command, Variable: program.variable, Found: !external}
	if !external {
		return report
	}
	path, err := proc.Look(cmp.Or(a.env.Getenv(program.variable), program.command), a.env.WorkDir, a.env.Environ)
	if err != nil {
		report.Error = program.command + " is not in PATH"
		if failure, ok := errors.AsType[*proc.StartError](err); ok && a.env.Getenv(program.variable) != "" {
			report.Error = failure.Error()
		}
		return report
	}
	report.Path, report.Found = path, true
	return report
}
