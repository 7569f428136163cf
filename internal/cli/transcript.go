package cli

import (
	"cmp"
	"slices"

	"github.com/prompt-runner/prompt-runner/internal/projection"
)

// transcript is an attempt that has a transcript.
type transcript struct {
	prompt  string
	attempt projection.AttemptView
}

// newestTranscript chooses an attempt: of one prompt or of all, the newest or
// the newest with that number.
func newestTranscript(view projection.View, prompt string, number int) (transcript, bool) {
	var found []transcript
	for id, entry := range view.Prompts {
		if prompt != "" && id != prompt {
			continue
		}
		for _, attempt := range entry.Attempts {
			if attempt.LogFile != "" && (number == 0 || attempt.Number() == number) {
				found = append(found, transcript{id, attempt})
			}
		}
	}
	if len(found) == 0 {
		return transcript{}, false
	}
	return slices.MaxFunc(found, func(a, b transcript) int {
		return cmp.Or(a.attempt.StartedAt.Compare(b.attempt.StartedAt), cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.attempt.Number(), b.attempt.Number()))
	}), true
}
