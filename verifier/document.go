package verifier

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prompt-runner/prompt-runner/packet"
)

// doc passes when the file is a written document: not blank, with the sections
// that are demanded, and without words that stand for what is still to come.
func (s Scope) doc(entry packet.DocEntry) Item {
	check := &DocCheck{MinLines: entry.MinLines, MissingSections: []string{}, Markers: []Marker{}}
	item := Item{Kind: Doc, DocCheck: check}
	text, ok := s.text(&item, entry.PathEntry)
	if !ok {
		return item
	}
	number := 0
	seen := map[string]bool{}
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		check.Lines++
		for _, marker := range entry.ForbidsMarkers {
			if !seen[marker] && beginsWith(string(line), marker) {
				seen[marker] = true
				check.Markers = append(check.Markers, Marker{Marker: readable(marker), Line: number})
			}
		}
	}
	for _, section := range entry.RequiresSections {
		if !bytes.Contains(text, []byte(section)) {
			check.MissingSections = append(check.MissingSections, readable(section))
		}
	}
	below := check.Lines < entry.MinLines
	check.BelowRecommendation = &below
	var problems []string
	if check.Lines == 0 {
		problems = append(problems, "blank document")
	}
	if len(check.MissingSections) > 0 {
		problems = append(problems, "missing sections: "+listing(check.MissingSections))
	}
	if len(check.Markers) > 0 {
		var markers []string
		for _, marker := range check.Markers {
			markers = append(markers, fmt.Sprintf("%s (line %d)", marker.Marker, marker.Line))
		}
		problems = append(problems, "forbidden markers: "+listing(markers))
	}
	if len(problems) > 0 {
		item.Details = fmt.Sprintf("%s (in %s)", strings.Join(problems, "; "), item.ResolvedPath)
		return item
	}
	item.Pass, item.Details = true, fmt.Sprintf("ok: %d non-blank lines", check.Lines)
	if below {
		item.Details += fmt.Sprintf(", %d are recommended", entry.MinLines)
	}
	return item
}

// lineStart is what may stand in front of a marker: white space, and one bullet
// or the signs of a heading.
var lineStart = regexp.MustCompile(`^\s*(?:[-*+]\s+|#{1,6}\s+)?`)

// beginsWith reports whether the line begins with the marker as a word of its
// own.
func beginsWith(line, marker string) bool {
	start := lineStart.FindString(line)
	for _, from := range []string{line[len(start):], strings.TrimLeftFunc(line, unicode.IsSpace)} {
		rest, ok := strings.CutPrefix(from, marker)
		if ok && endsWord(marker, rest) {
			return true
		}
	}
	return false
}

// endsWord reports whether a word ends between marker and rest: at white space,
// the end of the line, or a change between word and other characters.
func endsWord(marker, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	last, _ := utf8.DecodeLastRuneInString(marker)
	return rest == "" || unicode.IsSpace(next) || isWord(last) != isWord(next)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
