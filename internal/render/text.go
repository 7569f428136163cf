package render

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// ellipsis marks text that was cut.
const ellipsis = "…"

// OneLine makes text safe to show on a line of its own: white space becomes
// single spaces, and control characters, which could steer a terminal, go away.
func OneLine(text string) string {
	return strings.Join(strings.Fields(Printable(text)), " ")
}

// Printable drops what would act on a terminal instead of being read: control
// characters other than white space. Lines are kept.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Columns is how many columns of a terminal text takes: East Asian wide
// characters take two, combining ones none.
func Columns(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeColumns(r)
	}
	return columns
}

// Cut shortens text to at most limit columns; what was cut ends in "…".
func Cut(text string, limit int) string {
	if Columns(text) <= limit {
		return text
	}
	if limit < 1 {
		return ""
	}
	var cut strings.Builder
	columns := 0
	for _, r := range text {
		if columns += runeColumns(r); columns > limit-1 {
			break
		}
		cut.WriteRune(r)
	}
	return cut.String() + ellipsis
}

// pad fills text with spaces up to the given number of columns.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-Columns(text)))
}

func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
		return 2
	}
	return 1
}
