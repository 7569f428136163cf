package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) completionCommand() *cobra.Command {
	shells := map[string]func(root *cobra.Command) error{
		"bash": func(root *cobra.Command) error { return root.GenBashCompletionV2(a.env.Stdout, true) },
		"zsh":  func(root *cobra.Command) error { return root.GenZshCompletion(a.env.Stdout) },
		"fish": func(root *cobra.Command) error { return root.GenFishCompletion(a.env.Stdout, true) },
	}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print the completion script of a shell",
		Long: `Print the completion script of a shell. It completes commands and flags, packet
directories, prompt ids with their names, profiles and templates.

  bash: source <(prompt-runner completion bash)
  zsh:  prompt-runner completion zsh > "${fpath[1]}/_prompt-runner"
  fish: prompt-runner completion fish | source`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completionOf("bash", "zsh", "fish"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, known := shells[args[0]]
			if !known {
				return usagef("there is no completion for %q; there is for bash, zsh and fish", args[0])
			}
			return write(cmd.Root())
		},
	}
}
