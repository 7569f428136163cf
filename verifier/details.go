package verifier

import (
	"fmt"
	"strings"
)

// maxDetails bounds the details of an item, in bytes.
const maxDetails = 16 << 10

// clip makes text valid UTF-8 of at most maxDetails bytes. Beginning and end are
// kept: the one says what went wrong, the other is where tools put their verdict.
func clip(text string) string {
	text = readable(text)
	if len(text) <= maxDetails {
		return text
	}
	const room = 64 // for the mark
	half := (maxDetails - room) / 2
	head := strings.ToValidUTF8(text[:half], "")
	tail := strings.ToValidUTF8(text[len(text)-half:], "")
	return fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", head, len(text)-len(head)-len(tail), tail)
}

// readable replaces what is not UTF-8.
func readable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// excerptLimit is how much of a file's text an item quotes, in bytes.
const excerptLimit = 400

// excerpt quotes the beginning of a text.
func excerpt(text []byte) string {
	switch {
	case len(text) == 0:
		return "the file is empty"
	case len(text) <= excerptLimit:
		return fmt.Sprintf("the file holds %q", text)
	}
	return fmt.Sprintf("the file holds %d bytes and begins with %q", len(text), text[:excerptLimit])
}

// listing joins up to fifty names.
func listing(names []string) string {
	const most = 50
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
