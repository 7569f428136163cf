package verifier

import (
	"fmt"

	"github.com/prompt-runner/prompt-runner/internal/pattern"
	"github.com/prompt-runner/prompt-runner/packet"
)

// matches passes when the pattern matches anywhere in the file. It has no flags
// of its own: ^ and $ bind to the whole text.
func (s Scope) matches(entry packet.PatternEntry) Item {
	item := Item{Kind: Matches}
	text, ok := s.text(&item, entry.PathEntry)
	if !ok {
		return item
	}
	compiled, err := pattern.Compile(entry.Pattern)
	if err != nil {
		item.Fault, item.Details = FaultVerifier, err.Error()
		return item
	}
	matched, err := compiled.Match(text)
	switch {
	case err != nil:
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not tell whether %s matches %q: %v", item.ResolvedPath, entry.Pattern, err)
	case matched:
		item.Pass, item.Details = true, "ok"
	default:
		item.Details = fmt.Sprintf("expected %s to match the regular expression %q; %s", item.ResolvedPath, entry.Pattern, excerpt(text))
	}
	return item
}
