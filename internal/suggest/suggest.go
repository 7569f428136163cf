// Package suggest finds the word that somebody meant to type.
package suggest

import "github.com/agnivade/levenshtein"

// longest bounds what is compared, in bytes: nobody meant to type more.
const longest = 64

// Closest returns the known word that typed was probably meant to be, or "" when
// none is close: at most a third of its letters may be wrong, and at least one.
func Closest(typed string, known []string) string {
	if len(typed) > longest {
		return ""
	}
	best, distance := "", max(1, len(typed)/3)+1
	for _, word := range known {
		if d := levenshtein.ComputeDistance(typed, word); d < distance {
			best, distance = word, d
		}
	}
	return best
}
