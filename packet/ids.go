package packet

import "strings"

// maxID bounds the length of a prompt id; ids become part of workflow ids.
const maxID = 20

// promptID normalises an id: digits as the author wrote them, padded to two.
func promptID(text string) (string, bool) {
	id := padID(text)
	return id, len(id) <= maxID && strings.Trim(id, "0123456789") == ""
}

// padID trims an id and pads it to two characters.
func padID(text string) string {
	id := strings.TrimSpace(text)
	return strings.Repeat("0", max(0, 2-len(id))) + id
}

// readID reads a prompt id; absent is "" and false without an error.
func readID(r *report, n node) (string, bool) {
	text, ok := r.word(n)
	if !ok {
		return "", false
	}
	id, ok := promptID(text)
	if !ok {
		r.errorf(n.place, "is %s; a prompt id is at most %d digits", n.describe(), maxID)
	}
	return id, ok
}
