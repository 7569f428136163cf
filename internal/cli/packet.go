package cli

import "github.com/spf13/cobra"

func (a *app) packetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "packet",
		Short: "Write and check packets",
		Long: `Write and check packets.

A packet is a directory with a manifest (prompt_runner_packet.md) and ordered
prompt files.`,
		Args: unknownSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		a.packetNewCommand(),
		a.packetLintCommand(),
		a.packetDoctorCommand(),
		a.packetPreflightCommand(),
		a.packetExplainCommand(),
	)
	return cmd
}
