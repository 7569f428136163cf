package packet

import "strings"

// section is the part of a body under one heading of level 2.
type section struct {
	lines []bodyLine
}

// bodyLine is a line of a body outside code fences.
type bodyLine struct {
	text string
	line int
}

// body is a prompt body as far as its headings matter.
type body struct {
	// title is the first heading of level 1.
	title    string
	sections map[string]section
}

// readBody finds the headings of a body that starts on the given line of its
// file. Sections of one name are read as one.
func readBody(text string, line int) body {
	result := body{sections: map[string]section{}}
	current, fence := "", ""
	for content := range strings.SplitSeq(text, "\n") {
		content = strings.TrimRight(content, " \t\r")
		number := line
		line++
		if fence != "" {
			if closesFence(content, fence) {
				fence = ""
			}
			continue
		}
		if fence = opensFence(content); fence != "" {
			continue
		}
		level, heading := parseHeading(content)
		switch {
		case level == 1:
			current = ""
			if result.title == "" {
				result.title = heading
			}
		case level == 2:
			current = heading
		case current != "":
			part := result.sections[current]
			part.lines = append(part.lines, bodyLine{text: content, line: number})
			result.sections[current] = part
		}
	}
	return result
}

// bullets are the section's "- " items, outer backticks stripped.
func (s section) bullets() []bodyLine {
	var found []bodyLine
	for _, line := range s.lines {
		item, ok := strings.CutPrefix(strings.TrimSpace(line.text), "- ")
		if !ok {
			continue
		}
		item = strings.TrimSpace(item)
		if len(item) > 1 && strings.HasPrefix(item, "`") && strings.HasSuffix(item, "`") {
			item = strings.Trim(item, "`")
		}
		found = append(found, bodyLine{text: item, line: line.line})
	}
	return found
}

// firstLine is the first line that is neither blank nor an HTML comment.
func (s section) firstLine() string {
	for _, line := range s.lines {
		text := strings.TrimSpace(line.text)
		if text != "" && (!strings.HasPrefix(text, "<!--") || !strings.HasSuffix(text, "-->")) {
			return text
		}
	}
	return ""
}

// parseHeading returns the level of a Markdown heading, 0 for other lines.
func parseHeading(line string) (int, string) {
	text := strings.TrimLeft(line, "#")
	level := len(line) - len(text)
	if level == 0 || !strings.HasPrefix(text, " ") {
		return 0, ""
	}
	return level, strings.TrimSpace(text)
}

// opensFence returns the fence that a line opens, or "".
func opensFence(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		info := strings.TrimLeft(line, mark)
		if length := len(line) - len(info); length >= 3 && (mark == "~" || !strings.Contains(info, "`")) {
			return line[:length]
		}
	}
	return ""
}

func closesFence(line, fence string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}
