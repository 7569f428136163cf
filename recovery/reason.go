package recovery

import (
	"fmt"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// maxQuote bounds the part of a reason that others wrote, in bytes, so that what
// was decided is never what gets cut.
const maxQuote = 600

// ended says how a session failed, as the subject of a sentence.
func ended(f run.Failure) string {
	return fmt.Sprintf("the session failed with %s: %s", f.Class, quote(f.Message))
}

// quote makes one line of bounded length out of foreign text.
func quote(text string) string {
	line := strings.TrimRight(strings.Join(strings.Fields(text), " "), ".")
	if line == "" {
		return "no details"
	}
	return run.Cut(line, maxQuote, "")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// spent says that a budget is used up, or that there never was one.
func spent(used, limit int, noun string) string {
	if limit <= 0 {
		return "no " + noun + " is allowed"
	}
	return fmt.Sprintf("%d of %d used of the budget for %s", used, limit, noun)
}
