package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

func (a *app) repoCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "repo",
		Short: "Change the repositories of a packet",
	}, a.repoAddCommand())
}

func (a *app) repoAddCommand() *cobra.Command {
	var (
		packetDir          string
		makeDefault, force bool
	)
	cmd := &cobra.Command{
		Use:   "add NAME PATH",
		Short: "Add a repository to a packet's manifest",
		Long: `Add a repository to a packet's manifest. Comments, order and everything else in the
manifest stay as they are. The first repository becomes the default.`,
		Example: `  prompt-runner repo add lib ../lib --packet path/to/packet`,
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			resolved, err := a.onePacket(packetDir, nil)
			if err != nil {
				return err
			}
			path, exists := a.repoPath(args[1])
			if !exists && !force {
				return usagef("no such directory: %s (--force adds it all the same)", path)
			}
			err = scaffold.AddRepo(resolved.Dir, scaffold.Repo{Name: args[0], Path: path}, makeDefault, force)
			if err != nil {
				return scaffolded(err)
			}
			a.say("wrote %s", filepath.Join(resolved.Dir, packet.ManifestName))
			if err := a.sayRepos(resolved.Dir); err != nil {
				return err
			}
			a.say("to check it: prompt-runner packet preflight %s", shellWord(resolved.Dir))
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&packetDir, "packet", "", "packet directory (default the working directory)")
	flags.BoolVar(&makeDefault, "default", false, "make it the default, and no other")
	flags.BoolVar(&force, "force", false, "replace the path of a repository that is there, or add one that is not")
	_ = cmd.RegisterFlagCompletionFunc("packet", a.completePacket) // the flag exists
	return cmd
}

// sayRepos prints the repositories of a packet as they are found from now on.
func (a *app) sayRepos(dir string) error {
	found, err := packet.Diagnose(dir, a.loadOptions())
	if err != nil {
		return needsCorrecting(err)
	}
	for _, repo := range found.Packet.Repos {
		note := ""
		if repo.Default {
			note = " (default)"
		}
		a.say("  %s: %s%s", repo.Name, repo.Path, note)
	}
	return nil
}
