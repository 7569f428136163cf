package cli

import (
	"context"

	"github.com/spf13/cobra"
)

type attachOptions struct {
	openTarget
	json    bool
	display displayFlags
}

func (a *app) attachCommand() *cobra.Command {
	var opts attachOptions
	cmd := &cobra.Command{
		Use:   "attach [PACKET]",
		Short: "Follow the open run of a packet",
		Long: `Follow the open run of a packet until it ends, as run does.

The local runtime is started when it does not run: an open run then goes on.`,
		Example: `  prompt-runner attach path/to/packet`,
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the result as one JSON document, and no progress")
	opts.display.add(cmd)
	return a.takesPacket(cmd, &opts.openTarget, func(ctx context.Context) error { return a.runAttach(ctx, opts) })
}

func (a *app) runAttach(ctx context.Context, opts attachOptions) error {
	if err := opts.display.check(); err != nil {
		return err
	}
	conn, handle, err := a.requireOpenRun(ctx, opts.openTarget)
	if err != nil {
		return err
	}
	defer conn.close()
	state, _, err := a.openState()
	if err != nil {
		return err
	}
	w := watched{conn: conn, handle: handle, state: state, dir: opts.dir, quiet: opts.json, display: opts.display}
	if loaded, err := a.load(opts.dir, a.loadOptions()); err == nil {
		w.names = promptNames(loaded)
	}
	if !opts.json {
		a.say("Following %s; Temporal: %s", handle.WorkflowID(), conn)
		if page := conn.web(handle.WorkflowID(), handle.RunID()); page != "" {
			a.say("Web: %s", page)
		}
	}
	return a.finish(ctx, w, a.watch(ctx, w), opts.json)
}
