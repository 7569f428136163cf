package packet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFile bounds the size of a manifest, prompt or profile, in bytes.
const maxFile = 16 << 20

// document is a file with its front matter taken off.
type document struct {
	// attrs is a map, empty without front matter.
	attrs node
	// body is what follows the closing marker, byte for byte.
	body string
	// bodyLine is the line of the file that the body starts on.
	bodyLine int
}

// readDocument reads the file at path; findings call it shown. It returns false
// after an error.
func readDocument(r *report, path, shown string, source Source) (document, bool) {
	at := place{file: shown, source: source}
	text, err := readFile(path)
	if err != nil {
		r.failf(KindInvalidFile, at, "%v", err)
		return document{}, false
	}
	return splitDocument(r, at, text)
}

// readFile reads a regular file of bounded size as UTF-8.
func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		if target, linkErr := os.Readlink(path); linkErr == nil && errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("is a symbolic link to %s, which does not exist", target)
		}
		return "", unreadable(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return "", unreadable(err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return "", unreadable(err)
	}
	if len(data) > maxFile {
		return "", fmt.Errorf("is larger than %d MiB; a prompt is text for an agent, move data into files of its own", maxFile>>20)
	}
	if !utf8.Valid(data) {
		return "", errors.New("is not valid UTF-8; save it as UTF-8")
	}
	return string(data), nil
}

// unreadable drops the path from an error: a finding names it already.
func unreadable(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}

const byteOrderMark = "\ufeff"

// splitDocument takes the front matter off text. Markers are whole lines "---",
// trailing white space aside. Text that merely looks like front matter is an
// error: taken for a body it would lose the prompt's contract.
func splitDocument(r *report, at place, text string) (document, bool) {
	text = strings.TrimPrefix(text, byteOrderMark)
	first, rest, _ := strings.Cut(text, "\n")
	if !isMarker(first) {
		if line, ok := strayMarker(text); ok {
			r.failf(KindInvalidFrontMatter, at.onLine(line), "looks like front matter but is none: the marker must be a line with nothing but ---, and the first line of the file")
			return document{}, false
		}
		return document{attrs: node{place: at.onLine(1), kind: kindMap}, body: text, bodyLine: 1}, true
	}
	line, offset := 1, 0
	for content := range strings.SplitAfterSeq(rest, "\n") {
		line++
		if isMarker(content) {
			// The blank line stands for the opening marker, so that YAML counts
			// lines as the file does.
			attrs, ok := decodeYAML(r, at, "\n"+rest[:offset])
			return document{attrs: attrs, body: rest[offset+len(content):], bodyLine: line + 1}, ok
		}
		offset += len(content)
	}
	r.failf(KindInvalidFrontMatter, at.onLine(1), "the front matter is never closed; end it with a line ---")
	return document{}, false
}

func isMarker(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }

// strayMarker finds a marker that is not quite one: below blank lines, indented,
// behind invisible characters, too long, with text after it, or of TOML. A row of
// dashes is a Markdown rule when no key follows.
func strayMarker(text string) (int, bool) {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		visible := strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
		if visible == "" {
			continue
		}
		rule := strings.Trim(visible, "-") == "" && len(visible) > 3
		if rule {
			// A Markdown rule, unless what follows reads like front matter.
			_, rest, _ := strings.Cut(text, line)
			rule = !opensMapping(rest)
		}
		return number, visible == "+++" || strings.HasPrefix(visible, "---") && !rule
	}
	return 0, false
}

// opensMapping reports whether the next non-blank line is a "key:" line, as in
// front matter and hardly ever below a rule.
func opensMapping(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			key, _, found := strings.Cut(line, ":")
			return found && !strings.ContainsAny(key, " \t")
		}
	}
	return false
}
