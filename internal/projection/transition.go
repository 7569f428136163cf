package projection

import (
	"path/filepath"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// StartAttempt records that an attempt began. promptName is the prompt's name
// for people, log the path of the attempt's transcript.
func (d Dir) StartAttempt(in run.PrepareAttemptInput, seq int, promptName, log string) error {
	relative, err := filepath.Rel(d.root, log)
	if err != nil {
		return err
	}
	_, err = d.change(in.Run, in.Prompt, in.Revision, in.At, func(entry map[string]any) {
		if attemptOf(entry, in.Run.ID, seq) == nil {
			entry["attempts"] = append(attempts(entry), map[string]any{
				"attempt":     in.Number,
				"iteration":   in.Iteration,
				"log_file":    relative,
				"mode":        in.Mode,
				"prompt_name": promptName,
				"run_id":      in.Run.ID,
				"seq":         seq,
				"started_at":  in.At.UTC().Format(timeLayout),
				"status":      run.StatusRunning,
			})
		}
		entry["last_attempt"] = in.Number
		entry["status"] = run.StatusRunning
		drop(entry, "reason", "failure", "failure_class", "retry_delay_ms", "blocked_by")
	})
	return err
}

// Apply records a transition. report is the verifier report it refers to, in
// the form state.json holds it, or nil.
func (d Dir) Apply(in run.ProjectStateInput, report any) error {
	superseded, err := d.change(in.Run, in.Prompt, in.Revision, in.At, func(entry map[string]any) {
		if attempt := attemptOf(entry, in.Run.ID, in.Seq); attempt != nil && in.AttemptStatus != "" {
			attempt["status"] = in.AttemptStatus
			attempt["completed_at"] = in.At.UTC().Format(timeLayout)
			set(attempt, "verifier", report)
			setFailure(attempt, in)
		}
		entry["status"] = in.Status
		set(entry, "verifier", report)
		setFailure(entry, in)
		drop(entry, "retry_delay_ms", "blocked_by", "commit_info", "unverified", "late_error")
		if in.RetryDelayMS != nil {
			entry["retry_delay_ms"] = *in.RetryDelayMS
		}
		if len(in.BlockedBy) > 0 {
			entry["blocked_by"] = in.BlockedBy
		}
		if in.Commits != nil {
			entry["commit_info"] = commitInfo(in.Commits)
		}
		if in.Unverified {
			entry["unverified"] = true
		}
		if in.LateError {
			entry["late_error"] = true
		}
		if in.Status == run.StatusRepairing {
			set(entry, "last_verifier", report)
			if in.Failure != nil {
				entry["last_error"] = in.Failure.Message
			}
		}
	})
	if err != nil || superseded || !in.Final() {
		return err
	}
	return d.locked(func() error {
		switch in.Status {
		case run.StatusCompleted:
			return d.appendProgress(progressLine(in.Prompt, run.StatusCompleted, in.At, progressSuffix(in.Commits)))
		case run.StatusFailed, run.StatusVerificationFailed, run.StatusCommitFailed:
			return d.appendProgress(progressLine(in.Prompt, run.StatusFailed, in.At, ""))
		default:
			return nil
		}
	})
}

// CloseOrphans ends the attempts of a run that a leg left behind as running:
// it was terminated, or its server lost. Call it when no leg is open.
func (d Dir) CloseOrphans(runID string, at time.Time) error {
	return d.locked(func() error {
		doc, err := d.read()
		if err != nil {
			return err
		}
		changed := false
		for id := range doc.prompts {
			entry, err := d.entry(doc, id)
			if err != nil {
				return err
			}
			if entry["run_id"] != runID {
				continue
			}
			for _, item := range attempts(entry) {
				attempt, _ := item.(map[string]any)
				if attempt["run_id"] == runID && attempt["status"] == string(run.StatusRunning) {
					attempt["status"] = run.StatusStopped
					attempt["completed_at"] = at.UTC().Format(timeLayout)
					entry["status"] = run.StatusStopped
					changed = true
				}
			}
		}
		if !changed {
			return nil
		}
		return d.save(doc)
	})
}

// setFailure writes the failure fields; on success the class is "ok".
func setFailure(entry map[string]any, in run.ProjectStateInput) {
	if in.Failure != nil {
		entry["failure"] = in.Failure
		entry["failure_class"] = in.Failure.Class
	} else {
		entry["failure_class"] = run.ClassOK
		delete(entry, "failure")
	}
	if in.Reason != "" {
		entry["reason"] = in.Reason
	} else {
		delete(entry, "reason")
	}
}

// commitInfo is the encoding that state.json has always had: one result for one
// repository, a list with repository names for several.
func commitInfo(commits []run.RepoCommit) any {
	encode := func(commit run.RepoCommit, named bool) map[string]any {
		encoded := map[string]any{"status": commit.Status}
		if named {
			encoded["repo"] = commit.Repo
		}
		if commit.SHA != "" {
			encoded["value"] = commit.SHA
		}
		if commit.Reason != "" {
			encoded["reason"] = commit.Reason
		}
		if commit.LeftOut > 0 {
			encoded["left_out"] = commit.LeftOut
		}
		return encoded
	}
	if len(commits) == 1 {
		return encode(commits[0], false)
	}
	list := make([]any, len(commits))
	for i, commit := range commits {
		list[i] = encode(commit, true)
	}
	return list
}

func set(entry map[string]any, key string, value any) {
	if value != nil {
		entry[key] = value
	}
}

func drop(entry map[string]any, keys ...string) {
	for _, key := range keys {
		delete(entry, key)
	}
}
