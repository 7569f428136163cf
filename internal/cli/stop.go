package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	promptrunner "github.com/prompt-runner/prompt-runner"
)

func (a *app) stopCommand() *cobra.Command {
	var opts openTarget
	cmd := &cobra.Command{
		Use:   "stop [PACKET]",
		Short: "Stop the open run of a packet",
		Long: `Stop the open run of a packet and wait until it has ended.

Its sessions are ended; what was completed stays completed, and the run can be
continued. When the local runtime was killed it is started first, so that the
run does not go on the next time.`,
		Example: `  prompt-runner stop path/to/packet`,
	}
	return a.takesPacket(cmd, &opts, func(ctx context.Context) error { return a.runStop(ctx, opts) })
}

func (a *app) runStop(ctx context.Context, opts openTarget) error {
	conn, handle, err := a.requireOpenRun(ctx, opts)
	if err != nil {
		return err
	}
	defer conn.close()
	if err := handle.Stop(ctx); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(a.env.Stderr, "stopping; a commit that has begun, its hooks included, is finished first")
	result, err := handle.Result(ctx)
	switch failure, failed := errors.AsType[*promptrunner.Failure](err); {
	case errors.Is(err, promptrunner.ErrStopped):
		a.say("stopped: %d of %d prompts completed", result.Completed, result.Total)
		a.say("to go on: prompt-runner run %s", shellWord(opts.dir))
	case failed:
		a.say("the run had failed before it could be stopped: %s", failure.Message)
	case err != nil:
		return err
	default:
		a.say("the run had completed before it could be stopped: %d of %d prompts completed", result.Completed, result.Total)
	}
	return nil
}
