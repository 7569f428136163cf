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

// takesPacket makes cmd a command on the open run of one packet. t is complete when
// do is called.
func (a *app) takesPacket(cmd *cobra.Command, t *openTarget, do func(context.Context) error) *cobra.Command {
	temporalFlags(cmd.Flags(), &t.temporal)
	return a.onPacket(cmd, &t.dir, new(bool), do)
}

// onPacket makes cmd a command on one packet: the directory given, or with
// --packet, else the working directory; dir is it when do is called. With --json an
// error is a document, too.
func (a *app) onPacket(cmd *cobra.Command, dir *string, asJSON *bool, do func(context.Context) error) *cobra.Command {
	var packetDir string
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory")
	cmd.ValidArgsFunction = a.completePacket
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		resolved, err := a.onePacket(packetDir, args)
		if err == nil {
			*dir = resolved.Dir
			err = do(cmd.Context())
		}
		return a.refused(*asJSON, "", err)
	}
	return cmd
}
