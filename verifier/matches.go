package verifier

import (
	"fmt"
	"regexp"

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
	pattern, err := regexp.Compile(entry.Pattern)
	if err != nil {
		item.Fault, item.Details = FaultVerifier, unsupported(entry.Pattern, err)
		return item
	}
	if pattern.Match(text) {
		item.Pass, item.Details = true, "ok"
		return item
	}
	item.Details = fmt.Sprintf("expected %s to match the regular expression %q; %s", item.ResolvedPath, entry.Pattern, excerpt(text))
	return item
}

// unsupported explains a pattern that cannot be judged, and that only the
// author of the contract can correct.
func unsupported(pattern string, err error) string {
	return fmt.Sprintf("the regular expression %q is invalid or not supported (RE2 syntax, without lookaround and backreferences): %v", pattern, err)
}
