package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/internal/projection"
	"github.com/prompt-runner/prompt-runner/internal/runstore"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// statusReport is what status prints; with --json as it stands.
type statusReport struct {
	Packet string     `json:"packet"`
	Name   string     `json:"name,omitempty"`
	Run    *statusRun `json:"run,omitempty"`
	// Live says that the open run itself was asked.
	Live      bool           `json:"live"`
	Prompts   []statusPrompt `json:"prompts"`
	StateFile string         `json:"state_file"`
	LogDir    string         `json:"log_dir"`
	Notes     []string       `json:"notes,omitempty"`
}

type statusRun struct {
	ID            string       `json:"id"`
	State         run.RunState `json:"state"`
	WorkflowID    string       `json:"workflow_id,omitempty"`
	WorkflowRunID string       `json:"workflow_run_id,omitempty"`
	Web           string       `json:"web,omitempty"`
}

type statusPrompt struct {
	ID         string          `json:"id"`
	Name       string          `json:"name,omitempty"`
	Status     run.Status      `json:"status"`
	Activity   string          `json:"activity,omitempty"`
	Reason     string          `json:"reason,omitempty"`
	Class      run.Class       `json:"failure_class,omitempty"`
	Unverified bool            `json:"unverified,omitempty"`
	LateError  bool            `json:"late_error,omitempty"`
	UpdatedAt  time.Time       `json:"updated_at,omitzero"`
	Attempts   []statusAttempt `json:"attempts"`
}

// statusAttempt is an attempt of the newest run that has worked on the prompt.
type statusAttempt struct {
	Number  int        `json:"number"`
	Mode    run.Mode   `json:"mode"`
	Status  run.Status `json:"status"`
	Resumes int        `json:"resumes,omitempty"`
	Log     string     `json:"log,omitempty"`
}

func newStatusReport(dir string, file projection.View) *statusReport {
	state := projection.In(dir)
	report := &statusReport{Packet: dir, Prompts: []statusPrompt{}, StateFile: state.StateFile(), LogDir: state.LogDir()}
	for id, entry := range file.Prompts {
		report.Prompts = append(report.Prompts, promptStatus(state, id, entry))
	}
	slices.SortFunc(report.Prompts, func(a, b statusPrompt) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID))
	})
	return report
}

func promptStatus(dir projection.Dir, id string, entry projection.PromptView) statusPrompt {
	prompt := statusPrompt{
		ID:         id,
		Status:     cmp.Or(entry.Status, run.StatusPending),
		Reason:     string(entry.Reason),
		Unverified: entry.Unverified,
		LateError:  entry.LateError,
		UpdatedAt:  entry.UpdatedAt,
		Attempts:   []statusAttempt{},
	}
	if entry.FailureClass != run.ClassOK {
		prompt.Class = entry.FailureClass
	}
	for _, attempt := range entry.Attempts {
		if attempt.RunID != entry.RunID {
			continue
		}
		log := ""
		if path, err := dir.Transcript(attempt); err == nil && attempt.LogFile != "" {
			log = path
		}
		prompt.Attempts = append(prompt.Attempts, statusAttempt{
			Number: attempt.Number(), Mode: attempt.Mode, Status: attempt.Status, Log: log,
		})
	}
	return prompt
}

// run is the run, made on first use.
func (r *statusReport) run() *statusRun {
	if r.Run == nil {
		r.Run = &statusRun{State: run.RunOpen}
	}
	return r.Run
}

// addCompletions marks prompts that the run's ledger has as completed: the state
// file, a projection, may have been removed.
func (r *statusReport) addCompletions(record runstore.Record, entries []runstore.Entry) {
	for _, id := range record.Prompts {
		if runstore.Completions(entries, id) == 0 {
			continue
		}
		switch i := r.index(id); {
		case i < 0:
			r.Prompts = append(r.Prompts, statusPrompt{ID: id, Status: run.StatusCompleted, Attempts: []statusAttempt{}})
		case r.Prompts[i].Status == run.StatusPending:
			r.Prompts[i].Status = run.StatusCompleted
		}
	}
}

func (r *statusReport) addRecord(record runstore.Record) {
	r.Name = record.Name
	r.Run = &statusRun{ID: record.ID, State: record.State}
}

// addPacket adds names and the prompts that have not been run, in file order;
// prompts that the packet no longer has come last.
func (r *statusReport) addPacket(loaded *packet.Packet) {
	r.Name = loaded.Name
	var ordered []statusPrompt
	for _, prompt := range loaded.Prompts {
		entry := statusPrompt{ID: prompt.ID, Status: run.StatusPending, Attempts: []statusAttempt{}}
		if i := r.index(prompt.ID); i >= 0 {
			entry = r.Prompts[i]
		}
		entry.Name = prompt.Name
		ordered = append(ordered, entry)
	}
	for _, entry := range r.Prompts {
		if _, ok := loaded.Prompt(entry.ID); !ok {
			ordered = append(ordered, entry)
		}
	}
	r.Prompts = ordered
}

// addSnapshot lets what the run says now win over what was last written.
func (r *statusReport) addSnapshot(snapshot run.Snapshot) {
	r.Live = true
	if snapshot.Run != "" {
		r.run().ID = snapshot.Run
	}
	r.run().State = snapshot.State
	for _, live := range snapshot.Prompts {
		if live.Status == run.StatusPending {
			continue
		}
		i := r.index(live.Prompt)
		if i < 0 {
			r.Prompts = append(r.Prompts, statusPrompt{ID: live.Prompt, Name: live.Name, Attempts: []statusAttempt{}})
			i = len(r.Prompts) - 1
		}
		entry := &r.Prompts[i]
		entry.Status, entry.Activity = live.Status, cmp.Or(live.Waiting, live.Activity)
		entry.Reason, entry.Class = live.Message, live.FailureClass
		entry.Unverified, entry.LateError = live.Unverified, live.LateError
		if len(live.Attempts) > 0 {
			entry.Attempts = entry.Attempts[:0]
			for _, attempt := range live.Attempts {
				entry.Attempts = append(entry.Attempts, statusAttempt{
					Number: attempt.Seq, Mode: attempt.Mode, Status: attempt.Status, Resumes: attempt.Resumes, Log: attempt.Log,
				})
			}
		}
	}
	if snapshot.Waiting != "" {
		r.note("%s", snapshot.Waiting)
	}
	for _, warning := range snapshot.Warnings {
		r.note("%s", warning)
	}
}

func (r *statusReport) index(id string) int {
	return slices.IndexFunc(r.Prompts, func(p statusPrompt) bool { return p.ID == id })
}

func (r *statusReport) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *statusReport) completed() int {
	completed := 0
	for _, prompt := range r.Prompts {
		if prompt.Status == run.StatusCompleted {
			completed++
		}
	}
	return completed
}

// snapshots gives the prompts the form that tables are made of.
func (r *statusReport) snapshots() []run.PromptSnapshot {
	snapshots := make([]run.PromptSnapshot, len(r.Prompts))
	for i, prompt := range r.Prompts {
		snapshot := &snapshots[i]
		snapshot.Prompt, snapshot.Name, snapshot.Status = prompt.ID, prompt.Name, prompt.Status
		snapshot.Activity = prompt.Activity
		snapshot.Message, snapshot.FailureClass = prompt.Reason, prompt.Class
		snapshot.Unverified, snapshot.LateError = prompt.Unverified, prompt.LateError
		for _, attempt := range prompt.Attempts {
			snapshot.Modes = append(snapshot.Modes, attempt.Mode)
			snapshot.Resumes += attempt.Resumes
		}
	}
	return snapshots
}
