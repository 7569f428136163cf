package cli

import "github.com/spf13/cobra"

func (a *app) packetCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "packet",
		Short: "Write and check packets",
		Long: `Write and check packets.

A packet is a directory with a manifest (prompt_runner_packet.md) and ordered
prompt files.`,
	},
		a.packetNewCommand(),
		a.packetLintCommand(),
		a.packetDoctorCommand(),
		a.packetPreflightCommand(),
		a.packetExplainCommand(),
	)
}
