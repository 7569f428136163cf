package verifier

import (
	"bytes"
	"fmt"

	"github.com/prompt-runner/prompt-runner/packet"
)

// contains passes when the file holds the literal text; every readable file
// holds the empty text.
func (s Scope) contains(entry packet.TextEntry) Item {
	item := Item{Kind: Contains}
	text, ok := s.text(&item, entry.PathEntry)
	if !ok {
		return item
	}
	if bytes.Contains(text, []byte(entry.Text)) {
		item.Pass, item.Details = true, "ok"
		return item
	}
	item.Details = fmt.Sprintf("expected %s to contain the text %q; %s", item.ResolvedPath, entry.Text, excerpt(text))
	return item
}
