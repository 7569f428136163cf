package packet

import (
	"fmt"

	"github.com/prompt-runner/prompt-runner/internal/suggest"
)

// didYouMean is a clause that names the known word closest to a mistyped one,
// or "" when none is close.
func didYouMean(typed string, known []string) string {
	if best := suggest.Closest(typed, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}
