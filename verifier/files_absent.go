package verifier

import (
	"fmt"

	"github.com/prompt-runner/prompt-runner/packet"
)

// fileAbsent passes when nothing is at the path.
func (s Scope) fileAbsent(entry packet.PathEntry) Item {
	item := Item{Kind: FileAbsent}
	at, ok := s.locate(&item, entry)
	if !ok {
		return item
	}
	switch info, err := at.stat(); {
	case err == nil && info.IsDir():
		item.Details = fmt.Sprintf("present: the directory %s must not exist", at.path)
	case err == nil:
		item.Details = fmt.Sprintf("present: the file %s must not exist", at.path)
	case isMissing(err):
		item.Pass, item.Details = true, "ok"
	default:
		item.Fault = FaultVerifier
		item.Details = fmt.Sprintf("could not look at %s: %v", at.path, err)
	}
	return item
}
