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

// transcripts are those of one prompt or of all, oldest first.
func transcripts(view projection.View, prompt string) []transcript {
	var found []transcript
	for id, entry := range view.Prompts {
		if prompt != "" && id != prompt {
			continue
		}
		for _, attempt := range entry.Attempts {
			if attempt.LogFile != "" {
				found = append(found, transcript{id, attempt})
			}
		}
	}
	slices.SortFunc(found, func(a, b transcript) int {
		return cmp.Or(a.attempt.StartedAt.Compare(b.attempt.StartedAt), cmp.Compare(a.prompt, b.prompt), cmp.Compare(a.attempt.Number(), b.attempt.Number()))
	})
	return found
}

// newestTranscript chooses an attempt: of one prompt or of all, the newest or
// the newest with that number.
func newestTranscript(view projection.View, prompt string, number int) (transcript, bool) {
	for _, one := range slices.Backward(transcripts(view, prompt)) {
		if number == 0 || one.attempt.Number() == number {
			return one, true
		}
	}
	return transcript{}, false
}
