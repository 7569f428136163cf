package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/scaffold"
)

func (a *app) profileCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "profile",
		Short: "Write and show profiles, the defaults of packets",
		Long: `Write and show profiles, the defaults of packets.

A profile is a file in the configuration directory; some are built in.`,
	}, a.profileNewCommand(), a.profileListCommand(), a.profileShowCommand())
}

func (a *app) profileNewCommand() *cobra.Command {
	var (
		given settingFlags
		tools []string
		force bool
	)
	cmd := &cobra.Command{
		Use:     "new NAME",
		Short:   "Write a profile",
		Long:    `Write a profile with the settings given. What is not given stays with the defaults.`,
		Example: `  prompt-runner profile new careful --provider claude --permission plan --repair-attempts 1`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := given.given(cmd)
			if err != nil {
				return err
			}
			settings.AllowedTools = tools
			home, err := a.configHome()
			if err == nil {
				err = settings.Check("profile " + args[0])
			}
			if err != nil {
				return unusable("profile", err)
			}
			path, err := scaffold.NewProfile(home, args[0], settings, force)
			if err != nil {
				return scaffolded(err)
			}
			a.say("wrote %s", path)
			a.say("to use it in a packet: prompt-runner packet new NAME --profile %s", shellWord(args[0]))
			return nil
		},
	}
	given.add(cmd)
	cmd.Flags().StringSliceVar(&tools, "tools", nil, "tools that the agent may use, with commas between them")
	cmd.Flags().BoolVar(&force, "force", false, "replace a profile that is there")
	return cmd
}

func (a *app) profileListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the profiles, your own and the built-in ones",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			names := a.profileNames()
			if asJSON {
				return a.printJSON(names)
			}
			for _, name := range names {
				a.say("%s", render.OneLine(name))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) profileShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "show NAME",
		Short:             "Print a profile",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeProfiles,
		RunE: func(_ *cobra.Command, args []string) error {
			profile, err := scaffold.FindProfile(a.loadOptions().ConfigHome, args[0])
			if err != nil {
				return withNext(scaffolded(err), step{"see the profiles", "prompt-runner profile list"})
			}
			return a.printFile(cmp.Or(profile.Location, "built in"), profile.Text())
		},
	}
}
