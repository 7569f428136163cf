package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/run"
)

// runDocument is what run --json prints.
type runDocument struct {
	run.Result
	WorkflowID    string `json:"workflow_id"`
	WorkflowRunID string `json:"workflow_run_id"`
	Web           string `json:"web,omitempty"`
	// Failure is absent from a completed run.
	Failure *failureDocument `json:"failure,omitempty"`
	// Prompts are the prompts of the leg.
	Prompts []run.PromptSnapshot `json:"prompts"`
}

type failureDocument struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// startedDocument is what run --detach --json prints.
type startedDocument struct {
	Packet        string `json:"packet"`
	WorkflowID    string `json:"workflow_id"`
	WorkflowRunID string `json:"workflow_run_id"`
	Web           string `json:"web,omitempty"`
}

// finish reports how a run ended and returns what becomes the exit code.
func (a *app) finish(ctx context.Context, w watched, end ending, asJSON bool) error {
	failure, failed := errors.AsType[*promptrunner.Failure](end.err)
	if end.err != nil && !failed {
		return end.err
	}
	if asJSON {
		document := runDocument{
			Result:        end.result,
			WorkflowID:    w.handle.WorkflowID(),
			WorkflowRunID: w.handle.RunID(),
			Web:           w.conn.web(w.handle.WorkflowID(), w.handle.RunID()),
			Prompts:       append([]run.PromptSnapshot{}, end.snapshot.Prompts...),
		}
		if document.Packet == "" {
			document.Packet = w.dir
		}
		if failed {
			document.Failure = &failureDocument{Type: failure.Type, Message: failure.Message}
		}
		if err := a.printJSON(document); err != nil {
			return err
		}
	} else if end.result.Run != "" {
		a.summarise(end)
		a.showChanges(ctx, w, end)
	}
	if !failed {
		return nil
	}
	if failure.Type == promptrunner.FailureStopped {
		return withNext(failure, step{"go on", "prompt-runner run " + shellWord(w.dir)})
	}
	return withNext(failure,
		step{"see where it stands", "prompt-runner status " + shellWord(w.dir)},
		step{"go on", "prompt-runner run " + shellWord(w.dir)})
}

// summarise prints the table of prompts. Where progress was redrawn in place,
// the warnings have only been counted so far.
func (a *app) summarise(end ending) {
	if a.env.redrawable() {
		for _, warning := range end.result.Warnings {
			a.say("warning: %s", render.OneLine(warning))
		}
	}
	a.say("")
	for _, line := range render.Summary(end.result, end.snapshot.Prompts, a.style()) {
		a.say("%s", line)
	}
}

func (a *app) reportDetached(w watched, asJSON bool) error {
	page := w.conn.web(w.handle.WorkflowID(), w.handle.RunID())
	if asJSON {
		return a.printJSON(startedDocument{Packet: w.dir, WorkflowID: w.handle.WorkflowID(), WorkflowRunID: w.handle.RunID(), Web: page})
	}
	a.say("started %s", w.handle.WorkflowID())
	if page != "" {
		a.say("Web: %s", page)
	}
	a.say("to follow it: prompt-runner attach %s", shellWord(w.dir))
	a.say("to stop it: prompt-runner stop %s", shellWord(w.dir))
	return nil
}

func (a *app) printJSON(document any) error {
	encoder := json.NewEncoder(a.env.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("write the JSON document: %w", err)
	}
	return nil
}
