package promptrunner_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documents are the pages that must not speak of what is not there.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	names = append(names, "README.md", "acceptance/README.md", "examples/README.md", "examples/simulated-recovery/README.md")
	pages := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		pages[name] = string(text)
	}
	return pages
}

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped  = regexp.MustCompile(`[^a-z0-9 -]`)
)

// anchors are the headings of a page as links name them.
func anchors(page string) []string {
	var names []string
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		names = append(names, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-"))
	}
	return names
}

func TestDocumentsLinkToWhatIsThere(t *testing.T) {
	for name, page := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path, linked := name, page
			if target != "" {
				path = filepath.Join(filepath.Dir(name), target)
				if !assert.True(t, exists(path), "%s links to %s, which does not exist", name, match[1]) {
					continue
				}
			}
			if anchor == "" {
				continue
			}
			if path != name {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				linked = string(text)
			}
			assert.Contains(t, anchors(linked), anchor, "%s links to %s, and %s has no such heading", name, match[1], path)
		}
	}
}

func exists(path string) bool {
	found, err := filepath.Glob(path)
	return err == nil && len(found) > 0
}

var (
	testName  = regexp.MustCompile(`^(Test|Benchmark|Fuzz)[A-Z]\w*$`)
	pathShape = regexp.MustCompile(`^[\w.*/-]+$`)
)

// repositoryPath tells whether a word in backticks names something in this
// repository, and what.
func repositoryPath(word string) (string, bool) {
	path := strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/")
	if !pathShape.MatchString(word) || path == "" || strings.HasPrefix(path, "/") {
		return "", false
	}
	if strings.HasSuffix(path, ".txtar") && !strings.Contains(path, "/") {
		return "acceptance/testdata/script/" + path, true
	}
	first, _, below := strings.Cut(path, "/")
	inside := below && exists(first)
	return path, inside || word != path && exists(path) || strings.HasSuffix(path, ".go") || strings.HasPrefix(word, "./")
}

func TestDocumentsNameWhatIsThere(t *testing.T) {
	tests := testFunctions(t)
	for name, page := range documents(t) {
		for _, match := range codeSpan.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
			for word := range strings.FieldsSeq(match[1]) {
				if testName.MatchString(word) {
					assert.True(t, slices.Contains(tests, word), "%s names the test %s, which does not exist", name, word)
				}
				if path, ok := repositoryPath(word); ok {
					assert.True(t, exists(path), "%s names %s, which does not exist", name, word)
				}
			}
		}
	}
}

// testFunctions lists the names of all test functions of the module.
func testFunctions(t *testing.T) []string {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w*)\(`)
	var names []string
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".":
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, match := range declared.FindAllSubmatch(text, -1) {
			names = append(names, string(match[1]))
		}
		return err
	}))
	return names
}

// firstCells are the words in backticks that begin the rows of the table under a
// heading of the README.
func firstCells(t *testing.T, title string) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## "+title+"\n")
	require.True(t, found, "the README has no section %s", title)
	section, _, _ = strings.Cut(section, "\n## ")
	var cells []string
	for line := range strings.Lines(section) {
		if cell, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ := strings.Cut(cell, "`")
			cells = append(cells, name)
		}
	}
	return cells
}

// Every top-level folder and every internal package has its line in the README,
// and no line is about something else.
func TestReadmeListsTheFolders(t *testing.T) {
	var folders []string
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, entry := range entries {
		// What builds and editors leave here is hidden, or bin.
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "bin" {
			folders = append(folders, entry.Name())
		}
	}
	listed := firstCells(t, "Folders")
	for _, folder := range folders {
		covered := slices.ContainsFunc(listed, func(name string) bool { return strings.HasPrefix(name, folder+"/") })
		assert.True(t, covered, "the README says nothing of the folder %s", folder)
	}
	var packages []string
	require.NoError(t, filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			packages = append(packages, filepath.Dir(path)+"/")
		}
		return err
	}))
	for _, name := range slices.Compact(packages) {
		assert.True(t, slices.Contains(listed, name), "the README does not list the package %s", name)
	}
	for _, name := range listed {
		assert.True(t, exists(name), "the README lists %s, which does not exist", name)
	}
}

// The README's table of dependencies has a row for each module that go.mod
// requires directly, and for no other.
func TestReadmeListsTheDependencies(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	var required []string
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case (inside || strings.HasPrefix(line, "require ")) && line != "" && !strings.Contains(line, "// indirect"):
			module, _, _ := strings.Cut(strings.TrimPrefix(line, "require "), " ")
			required = append(required, module)
		}
	}
	require.NotEmpty(t, required)
	require.ElementsMatch(t, required, firstCells(t, "Dependencies"))
}
