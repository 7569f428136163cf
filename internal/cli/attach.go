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

type attachOptions struct {
	openTarget
	json bool
}

func (a *app) attachCommand() *cobra.Command {
	var (
		opts      attachOptions
		packetDir string
	)
	cmd := &cobra.Command{
		Use:   "attach [PACKET]",
		Short: "Follow the open run of a packet",
		Long: `Follow the open run of a packet until it ends, as run does.

The local runtime is started when it does not run: an open run then goes on.`,
		Example: `  prompt-runner attach path/to/packet`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			resolved, err := a.onePacket(packetDir, args)
			if err != nil {
				return err
			}
			opts.dir = resolved.Dir
			return a.runAttach(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the result as one JSON document, and no progress")
	temporalFlags(cmd.Flags(), &opts.temporal)
	return cmd
}

func (a *app) runAttach(ctx context.Context, opts attachOptions) error {
	conn, handle, err := a.requireOpenRun(ctx, opts.openTarget)
	if err != nil {
		return err
	}
	defer conn.close()
	state, _, err := a.openState()
	if err != nil {
		return err
	}
	w := watched{conn: conn, handle: handle, state: state, dir: opts.dir, quiet: opts.json}
	if loaded, err := a.load(opts.dir, a.loadOptions()); err == nil {
		w.names = promptNames(loaded)
	}
	if !opts.json {
		a.say("Following %s; Temporal: %s", handle.WorkflowID(), conn)
		if page := conn.web(handle.WorkflowID(), handle.RunID()); page != "" {
			a.say("Web: %s", page)
		}
	}
	return a.finish(w, a.watch(ctx, w), opts.json)
}
