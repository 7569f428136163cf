package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/run"
)

// statusPatience bounds asking a run that nobody may be there to answer for.
const statusPatience = 3 * time.Second

type statusOptions struct {
	openTarget
	json bool
}

func (a *app) statusCommand() *cobra.Command {
	var opts statusOptions
	cmd := &cobra.Command{
		Use:   "status [PACKET]",
		Short: "Show where the run of a packet stands",
		Long: `Show where the run of a packet stands: its prompts, their attempts and why
they ended, and where to read more. Nothing is started; an open run is asked when
its Temporal can be reached.`,
		Example: `  prompt-runner status path/to/packet
  prompt-runner status path/to/packet --json`,
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON document")
	return a.takesPacket(cmd, &opts.openTarget, func(ctx context.Context) error { return a.runStatus(ctx, opts) })
}

func (a *app) runStatus(ctx context.Context, opts statusOptions) error {
	file, err := projection.In(opts.dir).Read()
	if err != nil {
		return err
	}
	state, host, err := a.openState()
	if err != nil {
		return err
	}
	store := runstore.New(state)
	record, recorded, err := store.Current(opts.dir)
	if err != nil {
		return err
	}
	lock, locked, lockErr := store.Lock(opts.dir)

	report := newStatusReport(opts.dir, file)
	if lockErr != nil {
		report.note("run lock: %v", lockErr)
	}
	if recorded {
		report.addRecord(record)
		entries, err := store.Ledger(record.ID).Read()
		if err != nil {
			return err
		}
		report.addCompletions(record, entries)
	}
	loaded, err := a.load(opts.dir, a.loadOptions())
	if err != nil {
		if !recorded && len(file.Prompts) == 0 {
			return err
		}
		report.note("%v", err)
	} else {
		report.addPacket(loaded)
	}
	live, err := a.addLive(ctx, report, openExecution{state: state, host: host, lock: lock, locked: locked}, opts.temporal)
	switch {
	case err != nil:
		report.note("whether the run is open cannot be told: %v", err)
	case !live && !locked && recorded && record.State == run.RunOpen:
		report.note("the run is recorded as running but nobody works on it; `prompt-runner run %s` continues it", shellWord(opts.dir))
	}
	if opts.json {
		return a.printJSON(report)
	}
	a.printStatus(report)
	return nil
}

// openExecution is what is known about an open run before anybody is asked.
type openExecution struct {
	state  statedir.Dir
	host   string
	lock   runstore.Lock
	locked bool
}

// addLive asks the open run itself and reports whether there is one: the run
// lock names it, and before that is taken the workflow id of the packet does.
// An open run that does not answer is a note: the files say what was last known.
func (a *app) addLive(ctx context.Context, report *statusReport, open openExecution, temporal temporalconn.Target) (bool, error) {
	if open.locked {
		report.run().WorkflowID, report.Run.WorkflowRunID = open.lock.Execution.WorkflowID, open.lock.Execution.RunID
	}
	conn, err := a.connect(ctx, open.state, temporal, findRuntime)
	switch {
	case errors.Is(err, errNoRuntime) && open.locked:
		report.note("the run is open, but the local runtime is not running; `prompt-runner server start` lets it go on")
		return true, nil
	case errors.Is(err, errNoRuntime):
		return false, nil
	case err != nil:
		return false, err
	}
	defer conn.close()
	bounded, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	runs := promptrunner.New(conn.client)
	handle := runs.Attach(open.lock.Execution.WorkflowID, open.lock.Execution.RunID)
	if !open.locked {
		if handle, err = runs.Open(bounded, run.PacketRunID(report.Name, open.host, report.Packet)); err != nil || handle == nil {
			return false, err
		}
	}
	report.run().WorkflowID, report.Run.WorkflowRunID = handle.WorkflowID(), handle.RunID()
	report.Run.Web = conn.web(handle.WorkflowID(), handle.RunID())
	snapshot, err := handle.Snapshot(bounded)
	if err != nil {
		report.note("the run is open, but does not answer: %v", err)
		return true, nil
	}
	report.addSnapshot(snapshot)
	return true, nil
}

func (a *app) printStatus(report *statusReport) {
	title := "Packet " + report.Packet
	if report.Name != "" {
		title = fmt.Sprintf("Packet %s at %s", render.OneLine(report.Name), report.Packet)
	}
	a.say("%s", title)
	if report.Run == nil {
		a.say("Run: none yet")
	} else {
		a.say("Run: %s, %s", cmp.Or(report.Run.ID, "about to open"), report.Run.State)
	}
	if len(report.Prompts) > 0 {
		a.say("")
		for _, line := range render.Summary(run.Result{Completed: report.completed(), Total: len(report.Prompts)}, report.snapshots(), a.style()) {
			a.say("%s", line)
		}
		a.say("")
	}
	a.say("State: %s", report.StateFile)
	a.say("Transcripts: %s (prompt-runner logs %s ID)", report.LogDir, shellWord(report.Packet))
	if report.Run != nil && report.Run.Web != "" {
		a.say("Web: %s", report.Run.Web)
	}
	for _, note := range report.Notes {
		a.say("note: %s", note)
	}
}
