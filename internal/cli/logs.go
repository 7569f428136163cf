package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/projection"
)

type logsOptions struct {
	dir string
	// prompt and attempt select; "" and 0 mean the newest.
	prompt  string
	attempt int
	follow  bool
	display displayFlags
}

func (a *app) logsCommand() *cobra.Command {
	var (
		opts      logsOptions
		packetDir string
	)
	cmd := &cobra.Command{
		Use:   "logs [PACKET] [ID]",
		Short: "Print the transcript of an attempt",
		Long: `Print the transcript of an attempt: the newest one of the prompt, or of the
whole packet when no prompt is named.

With --follow it goes on while a run is open: with what the attempt adds, then with
the attempts after it, of the same prompt when one is named. An interrupt ends it;
the run goes on.`,
		Example: `  prompt-runner logs path/to/packet 03
  prompt-runner logs path/to/packet 03 --attempt 1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.display.check(); err != nil {
				return err
			}
			resolved, err := a.resolveTarget(packetDir, args)
			switch {
			case err != nil:
				return err
			case !resolved.Exists:
				return usagef("no such directory: %s", resolved.Dir)
			case len(resolved.Prompts) > 1:
				return usagef("logs takes one prompt id, got %d", len(resolved.Prompts))
			case opts.attempt < 0:
				return usagef("--attempt %d: attempts count from 1", opts.attempt)
			case len(resolved.Prompts) == 1:
				opts.prompt = resolved.Prompts[0]
			}
			opts.dir = resolved.Dir
			return a.runLogs(cmd.Context(), opts)
		},
		ValidArgsFunction: a.completePacketThenIDs(&packetDir),
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory; the argument is a prompt id then")
	cmd.Flags().IntVar(&opts.attempt, "attempt", 0, "number of the attempt (default the newest)")
	cmd.Flags().BoolVarP(&opts.follow, "follow", "f", false, "go on printing while a run is open")
	opts.display.add(cmd)
	return cmd
}

func (a *app) runLogs(ctx context.Context, opts logsOptions) error {
	dir := projection.In(opts.dir)
	state, err := dir.Read()
	if err != nil {
		return err
	}
	found, ok := newestTranscript(state, opts.prompt, opts.attempt)
	if opts.follow {
		return a.followLogs(ctx, opts, state, found, ok)
	}
	if !ok {
		return withNext(noTranscript(state, opts), step{"see the attempts", "prompt-runner status " + shellWord(opts.dir)})
	}
	path, err := dir.Transcript(found.attempt)
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the transcript of prompt %s, attempt %d is gone: %s does not exist", found.prompt, found.attempt.Number(), path)
	}
	if err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	defer func() { _ = file.Close() }()
	_, _ = fmt.Fprintf(a.env.Stderr, "prompt %s, attempt %d (%s), %s: %s\n", found.prompt, found.attempt.Number(), found.attempt.Mode, found.attempt.Status, path)
	if _, err := io.Copy(a.env.Stdout, file); err != nil {
		return fmt.Errorf("print %s: %w", path, err)
	}
	return nil
}

// followLogs prints the chosen attempt, and goes on while a run is open.
func (a *app) followLogs(ctx context.Context, opts logsOptions, state projection.View, first transcript, found bool) error {
	open, _, err := projection.In(opts.dir).Working()
	if err != nil {
		return err
	}
	if !found && !open {
		return withNext(noTranscript(state, opts), step{"see the attempts", "prompt-runner status " + shellWord(opts.dir)})
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	transcripts := newTail(opts.dir, opts.prompt, a.env.Stdout)
	transcripts.skip(state, first, found)
	err = transcripts.follow(ctx)
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return errDetached
	}
	if open, alive, workErr := projection.In(opts.dir).Working(); err == nil && workErr == nil && open && !alive {
		_, _ = fmt.Fprintf(a.env.Stderr, "the run is open but nobody works on it\nto go on: prompt-runner attach %s\n", shellWord(opts.dir))
	}
	return err
}

func noTranscript(state projection.View, opts logsOptions) error {
	switch {
	case opts.prompt == "" && opts.attempt == 0:
		return usagef("no attempt of %s has a transcript", opts.dir)
	case opts.prompt == "":
		return usagef("no prompt of %s has an attempt %d with a transcript", opts.dir, opts.attempt)
	case len(state.Prompts[opts.prompt].Attempts) == 0:
		return usagef("prompt %s of %s has not been run", opts.prompt, opts.dir)
	case opts.attempt == 0:
		return usagef("no attempt of prompt %s has a transcript", opts.prompt)
	}
	return usagef("prompt %s has no attempt %d with a transcript", opts.prompt, opts.attempt)
}
