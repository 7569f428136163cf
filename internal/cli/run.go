package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

type runOptions struct {
	target    target
	overrides run.Overrides
	commit    run.CommitMode
	newRun    bool
	detach    bool
	json      bool
	dryRun    bool
	// skipPreflight opens the run whatever state its repositories are in.
	skipPreflight bool
	display       displayFlags
	foreground    bool
	// foregroundGiven says that --foreground or --foreground=false was typed.
	foregroundGiven bool
	workflowID      string
	temporal        temporalconn.Target
}

func (a *app) runCommand() *cobra.Command {
	var (
		opts                 runOptions
		packetDir, workspace string
		noCommit             bool
		committer            string
	)
	cmd := &cobra.Command{
		Use:   "run [PACKET] [ID...]",
		Short: "Run a packet, or continue its unfinished run",
		Long: `Run a packet, or continue its unfinished run.

The packet is the directory given first or with --packet, else the working
directory. Prompt ids select prompts, in the order to run them; without any all
of them run. The run goes on when this command ends: the first interrupt
detaches from it, a second one within three seconds stops it.`,
		Example: `  prompt-runner run path/to/packet
  prompt-runner run path/to/packet 03 04
  prompt-runner run --no-commit --provider simulated`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if workspace != "" {
				return usagef("--workspace %s: workspaces are not supported yet; give the packet directory", workspace)
			}
			var err error
			if opts.target, err = a.resolveTarget(packetDir, args); err != nil {
				return err
			}
			if opts.commit, err = commitMode(noCommit, committer); err != nil {
				return err
			}
			if err := opts.display.check(); err != nil {
				return err
			}
			if opts.dryRun {
				return a.refused(opts.json, "", a.runDry(opts))
			}
			opts.foregroundGiven = cmd.Flags().Changed("foreground")
			if opts.detach && opts.foreground {
				return usagef("--detach and --foreground exclude each other: a run hosted by this command ends with it")
			}
			return a.runRun(cmd.Context(), opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&packetDir, "packet", "", "packet directory; all arguments are prompt ids then")
	flags.StringVar(&workspace, "workspace", "", "not supported yet")
	_ = flags.MarkHidden("workspace") // the flag exists
	flags.BoolVar(&noCommit, "no-commit", false, "leave completed work uncommitted")
	flags.StringVar(&committer, "committer", "git", "what commits completed work: git or noop")
	a.overrideFlags(cmd, &opts.overrides)
	flags.BoolVar(&opts.dryRun, "dry-run", false, "describe what each prompt would do, and do nothing")
	flags.BoolVar(&opts.skipPreflight, "skip-preflight", false, "start whatever state the repositories are in")
	flags.BoolVar(&opts.newRun, "new-run", false, "begin anew instead of continuing an unfinished run")
	flags.BoolVar(&opts.detach, "detach", false, "start the run and return")
	flags.BoolVar(&opts.json, "json", false, "print the result as one JSON document, and no progress")
	flags.BoolVar(&opts.foreground, "foreground", false, "host the run in this process (default where CI is set)")
	flags.StringVar(&opts.workflowID, "workflow-id", "", "workflow id to use instead of the packet's own")
	flags.Lookup("workflow-id").Annotations = map[string][]string{flagGroup: {"Temporal"}}
	temporalFlags(flags, &opts.temporal)
	opts.display.add(cmd)
	cmd.ValidArgsFunction = a.completePacketThenIDs(&packetDir)
	return cmd
}

// commitMode combines the two flags; --no-commit wins.
func commitMode(noCommit bool, committer string) (run.CommitMode, error) {
	mode := run.CommitMode(committer)
	if mode != run.CommitGit && mode != run.CommitNoop {
		return "", usagef("--committer %q: it must be git or noop", committer)
	}
	if noCommit {
		return run.CommitNone, nil
	}
	return mode, nil
}

func (a *app) runRun(ctx context.Context, opts runOptions) error {
	loaded, err := a.loadTarget(opts)
	if err != nil {
		return err
	}
	state, host, err := a.openState()
	if err != nil {
		return err
	}
	mode := startRuntime
	if opts.foreground || (!opts.foregroundGiven && !opts.detach && truthy(a.env.Getenv("CI"))) {
		mode = hostRuntime
	}
	conn, err := a.connect(ctx, state, opts.temporal, mode)
	if err != nil {
		return err
	}
	defer conn.close()
	if err := a.requireWorker(ctx, conn); err != nil {
		return err
	}
	w, err := a.begin(ctx, conn, state, host, loaded, opts)
	if err != nil {
		return err
	}
	if opts.detach {
		return a.reportDetached(w, opts.json)
	}
	if !opts.json {
		a.announce(w, loaded)
	}
	w.quiet, w.display = opts.json, opts.display
	return a.finish(ctx, w, a.watch(ctx, w), opts.json)
}

// loadTarget validates the packet before anything is started. A packet that is
// not on this machine is validated where it is.
func (a *app) loadTarget(opts runOptions) (*packet.Packet, error) {
	if !opts.target.Exists {
		_, explicit, err := temporalconn.FromEnvironment(a.env.Environ, opts.temporal)
		if err != nil {
			return nil, usagef("%v", err)
		}
		if !explicit {
			return nil, usagef("no such directory: %s", opts.target.Dir)
		}
		return &packet.Packet{Name: filepath.Base(opts.target.Dir), Root: opts.target.Dir}, nil
	}
	options := a.loadOptions()
	options.Overrides = opts.overrides
	loaded, err := a.load(opts.target.Dir, options)
	if err != nil {
		return nil, err
	}
	if _, err := packet.Select(loaded, opts.target.Prompts); err != nil {
		return nil, usagef("%v", err)
	}
	return loaded, nil
}

// begin starts the workflow.
func (a *app) begin(ctx context.Context, conn *connection, state statedir.Dir, host string, loaded *packet.Packet, opts runOptions) (watched, error) {
	request := run.Request{
		Packet:        loaded.Root,
		Prompts:       opts.target.Prompts,
		NewRun:        opts.newRun,
		SkipPreflight: opts.skipPreflight,
		Overrides:     opts.overrides,
		Defaults:      a.loadOptions().Defaults,
		Commit:        opts.commit,
	}
	if conn.local {
		// Its worker is this host's; elsewhere the worker that has the packet may
		// call itself otherwise.
		request.Host = host
	}
	workflowID := opts.workflowID
	if workflowID == "" {
		workflowID = run.PacketRunID(loaded.Name, host, loaded.Root)
	}
	handle, err := promptrunner.New(conn.client).Start(ctx, request, promptrunner.StartOptions{
		WorkflowID: workflowID,
		Summary:    "run " + loaded.Name,
	})
	already, ok := errors.AsType[*promptrunner.AlreadyRunningError](err)
	if ok && conn.hosted {
		// Nobody else can host it: it was left open when its host died.
		_, _ = fmt.Fprintln(a.env.Stderr, "the packet's run was open already; it goes on")
		handle, err, ok = promptrunner.New(conn.client).Attach(already.WorkflowID, already.RunID), nil, false
	}
	if ok {
		return watched{}, withNext(already,
			step{"follow it", "prompt-runner attach " + shellWord(loaded.Root)},
			step{"stop it", "prompt-runner stop " + shellWord(loaded.Root)})
	}
	if err != nil {
		return watched{}, err
	}
	return watched{conn: conn, handle: handle, state: state, dir: loaded.Root, names: promptNames(loaded)}, nil
}

func promptNames(p *packet.Packet) map[string]string {
	names := make(map[string]string, len(p.Prompts))
	for _, prompt := range p.Prompts {
		names[prompt.ID] = prompt.Name
	}
	return names
}

// announce prints what is about to happen.
func (a *app) announce(w watched, loaded *packet.Packet) {
	a.say("%s; Temporal: %s", describePacket(loaded), w.conn)
	if page := w.conn.web(w.handle.WorkflowID(), w.handle.RunID()); page != "" {
		a.say("Web: %s", page)
	}
	switch {
	case w.conn.hosted:
		a.say("An interrupt (Ctrl-C) stops the run.")
	case a.env.StdoutTerminal:
		a.say("An interrupt (Ctrl-C) detaches; the run goes on.")
	}
}

// describePacket is the resolved target with the settings that matter most: who
// works, and what they may do.
func describePacket(p *packet.Packet) string {
	var providers, permissions []string
	add := func(list *[]string, value string) {
		if value != "" && !slices.Contains(*list, value) {
			*list = append(*list, value)
		}
	}
	for _, prompt := range p.Prompts {
		provider := prompt.Settings.Provider
		if prompt.Settings.Model != "" {
			provider += " (" + prompt.Settings.Model + ")"
		}
		add(&providers, provider)
		add(&permissions, prompt.Settings.PermissionMode)
	}
	text := fmt.Sprintf("Packet %s at %s", render.OneLine(p.Name), p.Root)
	if len(p.Prompts) == 0 {
		return text
	}
	return fmt.Sprintf("%s: provider %s, permission mode %s", text, strings.Join(providers, ", "), strings.Join(permissions, ", "))
}
