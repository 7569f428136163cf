package packet

import "fmt"

// didYouMean is a clause that names the known word closest to a mistyped one,
// or "" when none is close.
func didYouMean(typed string, known []string) string {
	const longest = 64
	if len(typed) > longest {
		return ""
	}
	best, distance := "", max(1, len(typed)/3)+1
	for _, word := range known {
		if d := editDistance(typed, word); d < distance {
			best, distance = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance counts the insertions, deletions and replacements of bytes that
// turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
