package scaffold

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/prompt-runner/prompt-runner/packet"
)

// section is a second-level section of a Markdown document.
type section struct {
	heading string
	// body is what stands below the heading, third-level headings included.
	body string
}

// sections finds the second-level sections of a Markdown document: what only
// looks like a heading, in code or HTML, is none.
func sections(source []byte) []section {
	document := goldmark.DefaultParser().Parse(text.NewReader(source))
	type mark struct {
		level             int
		heading           string
		start, bodyBegins int
	}
	var marks []mark
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		heading, ok := node.(*ast.Heading)
		if !ok || heading.Level > 2 || heading.Lines().Len() == 0 {
			continue
		}
		first, last := heading.Lines().At(0), heading.Lines().At(heading.Lines().Len()-1)
		start := bytes.LastIndexByte(source[:first.Start], '\n') + 1
		begins := lineEnd(source, last.Stop)
		if rest := source[begins:lineEnd(source, begins)]; underline.Match(rest) && !bytes.HasPrefix(bytes.TrimLeft(source[start:], " "), []byte("#")) {
			begins = lineEnd(source, begins)
		}
		marks = append(marks, mark{heading.Level, plainText(heading, source), start, begins})
	}
	var found []section
	for i, m := range marks {
		if m.level != 2 {
			continue
		}
		end := len(source)
		if i+1 < len(marks) {
			end = marks[i+1].start
		}
		found = append(found, section{heading: m.heading, body: strings.TrimSpace(string(source[min(m.bodyBegins, end):end]))})
	}
	return found
}

// underline makes the line above it a heading.
var underline = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*\r?\n?$`)

// lineEnd is where the line after offset begins.
func lineEnd(source []byte, offset int) int {
	if i := bytes.IndexByte(source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(source)
}

// plainText is a heading without its emphasis and links.
func plainText(node ast.Node, source []byte) string {
	var words strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch leaf := n.(type) {
		case *ast.Text:
			words.Write(literal(leaf, source))
			if leaf.SoftLineBreak() {
				words.WriteByte(' ')
			}
		case *ast.AutoLink:
			words.Write(leaf.Label(source))
		}
		return ast.WalkContinue, nil
	}) // the function never fails
	return strings.Join(strings.Fields(words.String()), " ")
}

// literal is what a text means: without backslashes and with what entities stand
// for, which mean nothing in code.
func literal(leaf *ast.Text, source []byte) []byte {
	value := leaf.Value(source)
	if _, code := leaf.Parent().(*ast.CodeSpan); code || leaf.IsRaw() {
		return value
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
}

// quoteLimit is how much of a section a prompt quotes, in bytes.
const quoteLimit = 6000

// Section is a section of a document that a prompt can be made of.
type Section struct {
	// Document is the path of the document, Heading the section's.
	Document, Heading string
	body              string
}

// Sections are the second-level sections of Markdown documents, in order. One
// without any is refused.
func Sections(paths []string) ([]Section, error) {
	var all []Section
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, inputf("document: %v", err)
		}
		if !utf8.Valid(source) {
			return nil, inputf("%s is not UTF-8 text", path)
		}
		found := sections(markdownOf(string(source)))
		if len(found) == 0 {
			return nil, inputf("%s has no second-level section (## ...) to make a prompt of", path)
		}
		for _, one := range found {
			all = append(all, Section{Document: path, Heading: one.heading, body: one.body})
		}
	}
	return all, nil
}

// markdownOf is a document without its front matter, whose closing marker would
// make a heading of the line above it.
func markdownOf(source string) []byte {
	source = strings.ReplaceAll(source, "\r\n", "\n")
	if split, err := packet.SplitFrontMatter("", source); err == nil {
		source = split.Body
	}
	return []byte(source)
}

// FromSections writes one prompt for each section, in order, with ids from 01 on.
// A prompt points at its section and quotes it. All are made before the first is
// written. It returns the paths of those that were written.
func FromSections(manifest Manifest, from []Section, template string, places Places, force bool) ([]string, error) {
	drafts := make([]draft, len(from))
	for i, section := range from {
		made, err := manifest.draft(Prompt{
			ID: strconv.Itoa(i + 1), Phase: 1, Name: section.Heading, Commit: "feat: " + section.Heading, Template: template,
		}, places)
		if err == nil && !force {
			err = checkMissing(made.path)
		}
		if err != nil {
			return nil, err
		}
		if made.text, err = fillIn(made, manifest, section); err != nil {
			return nil, err
		}
		drafts[i] = made
	}
	var written []string
	for _, made := range drafts {
		if err := write(made.path, made.text, force); err != nil {
			return written, err
		}
		written = append(written, made.path)
	}
	return written, nil
}

// fillIn writes the section into a new prompt: what to read, and the mission.
func fillIn(made draft, manifest Manifest, from Section) (string, error) {
	split, err := packet.SplitFrontMatter(made.path, made.text)
	if err != nil {
		return "", err
	}
	// Sessions run in the repository, so that is where a path must lead from.
	shown := filepath.ToSlash(pathFrom(cmp.Or(manifest.DefaultPath, manifest.Root), from.Document))
	split.Body = replaceSection(split.Body, "Required Reading", fmt.Sprintf("- `%s`, section \"%s\"", shown, from.Heading))
	mission := fmt.Sprintf("Carry out what the section \"%s\" decides:\n\n> %s", from.Heading, strings.ReplaceAll(from.body, "\n", "\n> "))
	switch {
	case from.body == "":
		mission = fmt.Sprintf("Carry out the section \"%s\".", from.Heading)
	case len(from.body) > quoteLimit:
		mission = fmt.Sprintf("Carry out what the section \"%s\" of `%s` decides. It is too long to be quoted here: read it first.", from.Heading, shown)
	}
	split.Body = replaceSection(split.Body, "Mission", strings.ReplaceAll(mission, "> \n", ">\n"))
	return split.String(), nil
}

// replaceSection replaces what stands below a second-level heading, or adds the
// section at the end.
func replaceSection(body, heading, content string) string {
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if strings.TrimRight(line, " \r") != "## "+heading {
			continue
		}
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "## ") {
			end++
		}
		replaced := append(append([]string{}, lines[:i+1]...), "", content, "")
		return strings.Join(append(replaced, lines[end:]...), "\n")
	}
	return strings.TrimRight(body, "\n") + "\n\n## " + heading + "\n\n" + content + "\n"
}
