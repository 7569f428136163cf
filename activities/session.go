package activities

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/prompt-runner/prompt-runner/internal/sessionhost"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// sessions runs provider sessions.
type sessions struct{ host }

// run plays one turn of a session to its end. Executed again after its worker
// died, it finds the session in the ledger: one that has ended gives its result,
// one that has not plays again and has the effect of playing once.
func (s *sessions) run(ctx context.Context, in run.RunSessionInput) (run.RunSessionResult, error) {
	plan, prompt, err := s.plan(in.Run, in.Prompt)
	if err != nil {
		return run.RunSessionResult{}, err
	}
	provider, err := s.Providers.Lookup(prompt.Settings.Provider)
	if err != nil {
		return run.RunSessionResult{}, &refusal{Type: run.FailurePacketInvalid, Message: err.Error(), Cause: err}
	}
	player, ok := provider.(providers.Local)
	if !ok {
		return run.RunSessionResult{}, &refusal{Type: run.FailurePacketInvalid, Message: fmt.Sprintf("provider %q cannot run inside the worker", provider.Name())}
	}
	session, err := s.open(ctx, in, prompt)
	if err != nil {
		return run.RunSessionResult{}, err
	}
	if exit, ended, err := session.Exit(); err != nil {
		return run.RunSessionResult{}, err
	} else if ended {
		return sessionResult(session, exit), nil
	}
	text, err := session.Prompt()
	if err != nil {
		return run.RunSessionResult{}, err
	}
	turn := providers.Turn{
		Prompt:          text,
		WorkDir:         prompt.WorkDir,
		PromptID:        prompt.ID,
		Attempt:         in.Number,
		Resume:          in.Resume,
		ProviderSession: in.ProviderSession,
		Model:           prompt.Settings.Model,
		ReasoningEffort: prompt.Settings.ReasoningEffort,
		PermissionMode:  prompt.Settings.PermissionMode,
		Script:          prompt.Simulate,
		Journal:         session.Dir,
	}
	for _, repo := range plan.Packet.Repos {
		turn.Repos = append(turn.Repos, providers.Repo{Name: repo.Name, Path: repo.Path})
	}
	played, err := s.play(ctx, session, player, turn)
	if err != nil {
		return run.RunSessionResult{}, err
	}
	exit, err := session.Finish(sessionhost.Exit{ProviderSession: played.Session, Failure: played.Failure, EndedAt: time.Now().UTC()})
	if err != nil {
		return run.RunSessionResult{}, err
	}
	return sessionResult(session, exit), nil
}

// play runs the turn and records its events.
func (s *sessions) play(ctx context.Context, session *sessionhost.Session, player providers.Local, turn providers.Turn) (providers.Result, error) {
	recording, err := record(session)
	if err != nil {
		return providers.Result{}, err
	}
	played, err := player.Play(ctx, turn, recording.emit)
	if closeErr := recording.close(); err == nil {
		err = closeErr
	}
	return played, err
}

// open finds the session in the ledger, or enters it there.
func (s *sessions) open(ctx context.Context, in run.RunSessionInput, prompt *packet.Prompt) (*sessionhost.Session, error) {
	directory := filepath.Join(s.store.RunDir(in.Run.ID), "sessions")
	key := run.SessionKey(in.Prompt, in.Seq, in.Resume, in.Execution)
	return sessionhost.Open(directory, key, func() (sessionhost.Spec, string, error) {
		text, err := s.text(in, prompt)
		if err != nil {
			return sessionhost.Spec{}, "", err
		}
		namespaceID, err := s.Cluster.NamespaceID(ctx)
		if err != nil {
			return sessionhost.Spec{}, "", err
		}
		spec := sessionhost.Spec{
			Key:         key,
			NamespaceID: namespaceID,
			Execution:   run.Execution{WorkflowID: activity.GetInfo(ctx).WorkflowExecution.ID, RunID: in.Execution},
			Run:         in.Run.ID,
			Prompt:      in.Prompt,
			Iteration:   in.Iteration,
			Number:      in.Number,
			Seq:         in.Seq,
			Resume:      in.Resume,
			Mode:        in.Mode,
			Provider:    prompt.Settings.Provider,
			Model:       prompt.Settings.Model,
			StartedAt:   time.Now().UTC(),
			Log:         in.Log,
		}
		if in.Resume > 0 {
			spec.LogOffset, spec.EventsOffset = size(in.Log), size(eventsFile(in.Log))
		}
		return spec, text, nil
	})
}

// text is what the provider is sent: the prompt's body, the body with repair
// instructions, or the word that continues an interrupted session.
func (s *sessions) text(in run.RunSessionInput, prompt *packet.Prompt) (string, error) {
	if in.Resume > 0 {
		return recovery.ResumePrompt, nil
	}
	if in.Repair == nil {
		return prompt.Body, nil
	}
	var report verifier.Report
	if err := s.store.Report(in.Run.ID, in.Repair.Report, &report); err != nil {
		return "", err
	}
	unmet := make([]recovery.Unmet, len(report.Failures))
	for i, item := range report.Failures {
		unmet[i] = recovery.Unmet{Kind: string(item.Kind), Repo: item.Repo, Details: item.Details}
		if item.FileCheck != nil {
			unmet[i].Path = item.Path
		}
		if item.CommandCheck != nil {
			unmet[i].Command, unmet[i].Cwd = item.Command, item.Cwd
		}
	}
	return recovery.RepairPrompt(prompt.Body, in.Repair.LastError, unmet), nil
}

func sessionResult(session *sessionhost.Session, exit sessionhost.Exit) run.RunSessionResult {
	result := run.RunSessionResult{ProviderSession: run.Cut(exit.ProviderSession, 256, "")}
	if exit.Failure != nil {
		failure := *exit.Failure
		failure.Message = run.Cut(failure.Message, run.MaxMessage, session.Spec.Log)
		failure.Class = run.Class(run.Cut(string(failure.Class), 64, ""))
		failure.ProviderCode = run.Cut(failure.ProviderCode, 256, "")
		failure.Phase = run.Cut(failure.Phase, 256, "")
		failure.Severity = run.Cut(failure.Severity, 64, "")
		result.Failure = &failure
	}
	return result
}
