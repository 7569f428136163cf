package packet

import (
	"slices"
	"strings"
)

// keepLayout writes an edited block as its author laid it out. written are the
// author's lines; before is the same as YAML is encoded here, after the edited
// block in that encoding. Lines that the edit left alone keep their blank lines,
// indentation and spaces. Where written and before do not go line by line, after
// is returned.
func keepLayout(written []string, before, after string) string {
	was, will := splitLines(before), splitLines(after)
	at, ok := align(written, was)
	if !ok {
		return after
	}
	indents, dashes := map[int]int{}, map[int]string{}
	for i, line := range was {
		own := written[at[i]]
		if _, known := indents[indent(line)]; !known {
			indents[indent(line)] = indent(own)
		}
		if item := strings.TrimLeft(own, " "); strings.HasPrefix(item, dash) {
			dashes[indent(line)] = item[:len(item)-len(strings.TrimLeft(item[1:], " "))]
		}
	}
	var text strings.Builder
	next := 0 // of the author's lines
	for _, pair := range commonLines(was, will) {
		if pair.was < 0 {
			line := will[pair.will]
			content := strings.TrimLeft(line, " ")
			if own := dashes[indent(line)]; own != "" && strings.HasPrefix(content, dash) {
				content = own + content[len(dash):]
			}
			text.WriteString(strings.Repeat(" ", indentLike(indents, indent(line))) + content)
			continue
		}
		if pair.will >= 0 { // with the blank lines above it
			text.WriteString(strings.Join(written[next:at[pair.was]+1], ""))
		}
		next = at[pair.was] + 1
	}
	return text.String()
}

// dash begins an item of a list in the encoding.
const dash = "- "

// splitLines are the lines that are not blank: only those are told apart.
func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if !blank(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// align finds each line of encoded among the written ones. All that is not blank
// must be the same but for white space.
func align(written, encoded []string) ([]int, bool) {
	var at []int
	for i, line := range written {
		if blank(line) {
			continue
		}
		if len(at) == len(encoded) || squeezed(line) != squeezed(encoded[len(at)]) || !strings.HasSuffix(line, "\n") {
			return nil, false
		}
		at = append(at, i)
	}
	return at, len(at) == len(encoded) && len(at) > 0
}

// linePair is a line that stays (both numbers), goes (will is -1) or comes (was
// is -1).
type linePair struct{ was, will int }

// commonLines pairs the lines of two texts by their longest common subsequence.
func commonLines(was, will []string) []linePair {
	longest := make([][]int, len(was)+1)
	for i := range longest {
		longest[i] = make([]int, len(will)+1)
	}
	for i, old := range slices.Backward(was) {
		for j, line := range slices.Backward(will) {
			if old == line {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var pairs []linePair
	i, j := 0, 0
	for i < len(was) || j < len(will) {
		switch {
		case i < len(was) && j < len(will) && was[i] == will[j]:
			pairs = append(pairs, linePair{i, j})
			i, j = i+1, j+1
		case j == len(will) || i < len(was) && longest[i+1][j] >= longest[i][j+1]:
			pairs = append(pairs, linePair{i, -1})
			i++
		default:
			pairs = append(pairs, linePair{-1, j})
			j++
		}
	}
	return pairs
}

// indentLike is the author's indentation for one of the encoding; where the author
// has none so deep, the nearest that is less, and the difference.
func indentLike(indents map[int]int, encoded int) int {
	for near := encoded; near >= 0; near-- {
		if written, ok := indents[near]; ok {
			return written + encoded - near
		}
	}
	return encoded
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func squeezed(line string) string { return strings.Join(strings.Fields(line), " ") }

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
