package scaffold

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

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
		if leaf, ok := n.(*ast.Text); ok && entering {
			words.Write(leaf.Value(source))
			if leaf.SoftLineBreak() {
				words.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	}) // the function never fails
	return strings.Join(strings.Fields(words.String()), " ")
}

// quoteLimit is how much of a section a prompt quotes, in bytes.
const quoteLimit = 6000

// FromDocuments writes one prompt for each second-level section of the documents,
// in order, with ids from 01 on. A prompt points at its section and quotes it. It
// returns the paths of the prompts; an error leaves those that were written.
func FromDocuments(manifest Manifest, paths []string, template string, places Places, force bool) ([]string, error) {
	type job struct {
		document string
		section  section
	}
	var jobs []job
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, inputf("document: %v", err)
		}
		found := sections(source)
		if len(found) == 0 {
			return nil, inputf("%s has no second-level section (## ...) to make a prompt of", path)
		}
		for _, one := range found {
			jobs = append(jobs, job{document: path, section: one})
		}
	}
	var written []string
	for i, job := range jobs {
		path, err := NewPrompt(manifest, Prompt{
			ID: fmt.Sprintf("%02d", i+1), Name: job.section.heading, Commit: "feat: " + strings.ToLower(job.section.heading), Template: template,
		}, places, force)
		if err != nil {
			return written, err
		}
		written = append(written, path)
		if err := fillIn(path, manifest, job.document, job.section); err != nil {
			return written, err
		}
	}
	return written, nil
}

// fillIn writes the section into a new prompt: what to read, and the mission.
func fillIn(path string, manifest Manifest, document string, from section) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	split, err := packet.SplitFrontMatter(path, string(content))
	if err != nil {
		return err
	}
	// Sessions run in the repository, so that is where a path must lead from.
	shown := relativePath(cmp.Or(manifest.DefaultPath, manifest.Root), document)
	split.Body = replaceSection(split.Body, "Required Reading", fmt.Sprintf("- `%s`, section \"%s\"", filepath.ToSlash(shown), from.heading))
	mission := fmt.Sprintf("Carry out what the section \"%s\" decides:\n\n> %s", from.heading, strings.ReplaceAll(from.body, "\n", "\n> "))
	switch {
	case from.body == "":
		mission = fmt.Sprintf("Carry out the section \"%s\".", from.heading)
	case len(from.body) > quoteLimit:
		mission = fmt.Sprintf("Carry out what the section \"%s\" of `%s` decides. It is too long to be quoted here: read it first.", from.heading, filepath.ToSlash(shown))
	}
	split.Body = replaceSection(split.Body, "Mission", strings.ReplaceAll(mission, "> \n", ">\n"))
	return write(path, split.String(), true)
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
