package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

func (a *app) initCommand() *cobra.Command {
	var (
		profile string
		force   bool
	)
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create the configuration directory with profiles and templates",
		Long: `Create the configuration directory, ~/.config/prompt_runner or the one that
PROMPT_RUNNER_CONFIG_HOME names: config.md with the default profile, profiles, and
templates of prompts, all to be changed. Files that are there stay as they are.`,
		Example: `  prompt-runner init --default-profile claude-default`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := a.configHome()
			if err != nil {
				return err
			}
			files, err := scaffold.Init(home, profile, force)
			for _, file := range files {
				if file.Kept {
					a.say("kept   %s", file.Path)
				} else {
					a.say("wrote  %s", file.Path)
				}
			}
			if err == nil {
				err = a.writeSchemas(home, "profile")
			}
			if err == nil && cmd.Flags().Changed("default-profile") {
				err = a.noteDefault(home, profile)
			}
			if err != nil {
				return scaffolded(err)
			}
			a.say("to write a packet: prompt-runner packet new NAME --repo NAME=PATH")
			return nil
		},
	}
	cmd.Flags().StringVarP(&profile, "default-profile", "p", "codex-default", "profile of packets that name none")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that are there")
	_ = cmd.RegisterFlagCompletionFunc("default-profile", a.completeProfiles) // the flag exists
	return cmd
}

// noteDefault says that a config.md which was kept names another default profile
// than the one asked for.
func (a *app) noteDefault(home, asked string) error {
	named, err := scaffold.DefaultProfile(home)
	if err == nil && named != asked {
		a.note("the default profile stays %q, as %s says; change it there", named, filepath.Join(home, packet.ConfigFile))
	}
	return err
}

// note says on stderr what a person should know besides the result.
func (a *app) note(format string, args ...any) {
	_, _ = fmt.Fprintf(a.env.Stderr, "note: "+format+"\n", args...)
}

// configHome is the user's configuration directory.
func (a *app) configHome() (string, error) {
	home := a.loadOptions().ConfigHome
	if home == "" {
		return "", usagef("no configuration directory is known; set HOME or %s", packet.ConfigHomeVariable)
	}
	return a.abs(home), nil
}
