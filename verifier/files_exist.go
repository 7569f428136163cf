package verifier

import (
	"fmt"

	"github.com/prompt-runner/prompt-runner/packet"
)

// fileExists passes when anything is at the path; a symbolic link that leads
// nowhere is nothing.
func (s Scope) fileExists(entry packet.PathEntry) Item {
	item := Item{Kind: FileExists}
	at, ok := s.locate(&item, entry)
	if !ok {
		return item
	}
	switch _, err := at.stat(); {
	case err == nil:
		item.Pass, item.Details = true, "ok"
	case isMissing(err):
		item.Details = fmt.Sprintf("missing: there is nothing at %s", at.path)
	default:
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not look at %s: %v", at.path, err)
	}
	return item
}
