package cli

import (
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
whole packet when no prompt is named.`,
		Example: `  prompt-runner logs path/to/packet 03
  prompt-runner logs path/to/packet 03 --attempt 1`,
		RunE: func(_ *cobra.Command, args []string) error {
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
			return a.runLogs(opts)
		},
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory; the argument is a prompt id then")
	cmd.Flags().IntVar(&opts.attempt, "attempt", 0, "number of the attempt (default the newest)")
	return cmd
}

func (a *app) runLogs(opts logsOptions) error {
	dir := projection.In(opts.dir)
	state, err := dir.Read()
	if err != nil {
		return err
	}
	found, ok := newestTranscript(state, opts.prompt, opts.attempt)
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
