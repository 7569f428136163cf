package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

// checklistDocument is what checklist sync --json prints.
type checklistDocument struct {
	Packet     string               `json:"packet"`
	Checklists []scaffold.Checklist `json:"checklists"`
	Pass       bool                 `json:"pass?"`
}

func (a *app) checklistCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "checklist",
		Short: "Keep checklists of the contracts for people",
	}, a.checklistSyncCommand())
}

func (a *app) checklistSyncCommand() *cobra.Command {
	var (
		dir           string
		check, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "sync [PACKET]",
		Short: "Write a checklist of each prompt's contract beside it",
		Long: `Write a checklist of each prompt's contract beside it. Boxes that somebody ticked
stay ticked while their item is the same. Checklists of prompts that are gone are
removed when nobody wrote in them, else listed as orphaned.

With --check nothing is written, and the exit code is 1 when one is missing, stale
or left over.`,
		Example: `  prompt-runner checklist sync path/to/packet --check`,
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and fail when a checklist is not what it should be")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return a.onPacket(cmd, &dir, &asJSON, func(context.Context) error { return a.runChecklists(dir, check, asJSON) })
}

func (a *app) runChecklists(dir string, check, asJSON bool) error {
	found, err := packet.Diagnose(dir, a.loadOptions())
	if err != nil {
		return cannotRun(err)
	}
	lists, err := scaffold.SyncChecklists(found.Packet, found.PromptDir, check)
	if err != nil {
		return scaffolded(err)
	}
	document := checklistDocument{Packet: found.Packet.Name, Checklists: append([]scaffold.Checklist{}, lists...), Pass: true}
	for _, list := range lists {
		if check && list.State != scaffold.ChecklistCurrent || list.State == scaffold.ChecklistForeign {
			document.Pass = false
		}
		if asJSON {
			continue
		}
		a.say("%-8s %s", list.State, list.Path)
		if list.State == scaffold.ChecklistForeign {
			a.say("WARNING  that file is no checklist and was left as it is; rename it and sync again")
		}
		if list.Empty {
			a.say("WARNING  prompt %s has no contract yet, so its checklist is empty", list.Prompt)
		}
	}
	if asJSON {
		if err := a.printJSON(document); err != nil {
			return err
		}
	}
	if !asJSON && !document.Pass && check {
		a.say("to write them: prompt-runner checklist sync %s", shellWord(dir))
	}
	if !document.Pass {
		return outcomeError(exitFailed)
	}
	return nil
}
