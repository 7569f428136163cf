package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// openTarget is the packet whose open run a command is about.
type openTarget struct {
	dir      string
	temporal temporalconn.Target
}

// takesPacket makes cmd a command on one packet: the directory given, or with
// --packet, else the working directory. t is complete when do is called.
func (a *app) takesPacket(cmd *cobra.Command, t *openTarget, do func(context.Context) error) *cobra.Command {
	var packetDir string
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.ValidArgsFunction = a.completePacket
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		resolved, err := a.onePacket(packetDir, args)
		if err != nil {
			return err
		}
		t.dir = resolved.Dir
		return do(cmd.Context())
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory")
	temporalFlags(cmd.Flags(), &t.temporal)
	return cmd
}
