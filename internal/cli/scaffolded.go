package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

// scaffolded makes what a scaffold refuses an error of usage.
func scaffolded(err error) error {
	if exists, ok := errors.AsType[*scaffold.ExistsError](err); ok {
		return usagef("%v", exists)
	}
	if input, ok := errors.AsType[*scaffold.InputError](err); ok {
		return usagef("%v", input)
	}
	return cannotRun(err)
}

// unusable introduces the findings about something that was not written.
func unusable(what string, err error) error {
	if findings, ok := errors.AsType[packet.Errors](err); ok {
		return usagef("the %s was not written:\n%v", what, findings)
	}
	return err
}

// settingFlags are the flags of the settings that profiles and packets can start
// with.
type settingFlags struct {
	settings                 scaffold.Settings
	resumes, retries         int
	base, most, repairs      int
	jitter, noJitter         bool
	autoRepair, noAutoRepair bool
}

// add adds the flags to a command.
func (s *settingFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.settings.Provider, "provider", "", "the coding agent")
	flags.StringVar(&s.settings.Model, "model", "", "its model; none is sent without one")
	flags.StringVar(&s.settings.ReasoningEffort, "reasoning", "", "how much the model reasons")
	flags.StringVar(&s.settings.PermissionMode, "permission", "", "what the agent may do unasked: default, auto, bypass or plan")
	flags.StringVar(&s.settings.PromptTemplate, "prompt-template", "", "template of new prompts")
	flags.StringVar(&s.settings.Confirmation, "cli-confirmation", "", "what happens when Codex does not confirm its settings: off, warn or require")
	flags.IntVar(&s.resumes, "resume-attempts", 0, "resumes of one attempt")
	flags.IntVar(&s.retries, "retry-attempts", 0, "retries of a failed session")
	flags.IntVar(&s.base, "retry-base-delay-ms", 0, "first wait, in milliseconds")
	flags.IntVar(&s.most, "retry-max-delay-ms", 0, "longest wait, in milliseconds")
	flags.BoolVar(&s.jitter, "retry-jitter", false, "spread the waits")
	flags.BoolVar(&s.noJitter, "no-retry-jitter", false, "do not spread the waits")
	flags.BoolVar(&s.autoRepair, "auto-repair", false, "repair unmet contracts")
	flags.BoolVar(&s.noAutoRepair, "no-auto-repair", false, "do not repair unmet contracts")
	flags.IntVar(&s.repairs, "repair-attempts", 0, "repair sessions")
	cmd.MarkFlagsMutuallyExclusive("retry-jitter", "no-retry-jitter")
	cmd.MarkFlagsMutuallyExclusive("auto-repair", "no-auto-repair")
	for name, words := range map[string][]string{
		"provider": packet.Providers(), "permission": {"default", "auto", "bypass", "plan"}, "cli-confirmation": packet.Confirmations,
	} {
		_ = cmd.RegisterFlagCompletionFunc(name, completionOf(words...)) // the flag exists
	}
}

// given are the settings that were typed.
func (s *settingFlags) given(cmd *cobra.Command) (scaffold.Settings, error) {
	settings := s.settings
	for _, number := range []struct {
		flag  string
		value *int
		into  **int
	}{
		{"resume-attempts", &s.resumes, &settings.ResumeAttempts},
		{"retry-attempts", &s.retries, &settings.RetryAttempts},
		{"retry-base-delay-ms", &s.base, &settings.RetryBaseDelayMS},
		{"retry-max-delay-ms", &s.most, &settings.RetryMaxDelayMS},
		{"repair-attempts", &s.repairs, &settings.RepairAttempts},
	} {
		if !cmd.Flags().Changed(number.flag) {
			continue
		}
		if *number.value < 0 {
			return settings, usagef("--%s %d: it must not be negative", number.flag, *number.value)
		}
		*number.into = number.value
	}
	for _, toggle := range []struct {
		on, off string
		value   *bool
		against *bool
		into    **bool
	}{
		{"retry-jitter", "no-retry-jitter", &s.jitter, &s.noJitter, &settings.RetryJitter},
		{"auto-repair", "no-auto-repair", &s.autoRepair, &s.noAutoRepair, &settings.AutoRepair},
	} {
		switch {
		case cmd.Flags().Changed(toggle.on):
			*toggle.into = toggle.value
		case cmd.Flags().Changed(toggle.off):
			value := !*toggle.against
			*toggle.into = &value
		}
	}
	return settings, nil
}

// readable reports findings about files that were just written: they stay, to be
// corrected.
func (a *app) readable(dir string) error {
	_, err := packet.Diagnose(dir, a.loadOptions())
	return needsCorrecting(err)
}

func needsCorrecting(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("written, but it needs correcting: %w", cannotRun(err))
}
