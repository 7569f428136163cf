package acceptance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	command    = regexp.MustCompile(`(?:^|\s|/)prompt-runner((?:\s+\S+)+)`)
	subcommand = regexp.MustCompile(`^[a-z][a-z-]*$`)
	listedName = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*)  `)
	exitNumber = regexp.MustCompile(`(?m)(?:^|[ ;:])(\d+) [A-Za-z]`)
)

// help is what the built command says of itself.
func help(t *testing.T, words ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join(binaries, "prompt-runner"), append(words, "--help")...).Output()
	require.NoError(t, err)
	return string(out)
}

// commandsOf lists the commands that a help text offers.
func commandsOf(text string) []string {
	_, section, found := strings.Cut(text, "\nCommands:\n")
	if !found {
		return nil
	}
	section, _, _ = strings.Cut(section, "\n\n")
	var names []string
	for _, match := range listedName.FindAllStringSubmatch(section+"\n", -1) {
		names = append(names, match[1])
	}
	return names
}

// snippets are the shell lines and the inline code of the README.
func snippets(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	text := string(data)
	var found []string
	for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
		found = append(found, strings.Split(block[1], "\n")...)
	}
	for _, code := range inlineCode.FindAllStringSubmatch(anyBlock.ReplaceAllString(text, ""), -1) {
		found = append(found, code[1])
	}
	return found
}

// The README names only commands and flags that the built command has, and
// every command it has.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	root := help(t)
	texts := map[string]string{"": root}
	for _, name := range commandsOf(root) {
		texts[name] = help(t, name)
		for _, sub := range commandsOf(texts[name]) {
			texts[name+" "+sub] = help(t, name, sub)
		}
	}
	require.Contains(t, texts, "server start", "the help text is not understood")

	named := map[string]bool{}
	for _, snippet := range snippets(t) {
		if strings.HasPrefix(snippet, "--") {
			flag := strings.Fields(snippet)[0]
			known := false
			for _, text := range texts {
				known = known || hasFlag(text, flag)
			}
			assert.True(t, known, "no command has the flag %s", flag)
			continue
		}
		match := command.FindStringSubmatch(snippet)
		if match == nil {
			continue
		}
		path := ""
		for word := range strings.FieldsSeq(match[1]) {
			next := strings.TrimSpace(path + " " + word)
			switch offered := commandsOf(texts[path]); {
			case strings.HasPrefix(word, "--"):
				assert.True(t, hasFlag(texts[path], word), "`%s`: prompt-runner %s has no flag %s", snippet, path, word)
			case len(offered) > 0 && subcommand.MatchString(word):
				if !assert.Contains(t, offered, word, "`%s`", snippet) {
					continue
				}
				path = next
			}
		}
		named[path] = true
	}
	for path, text := range texts {
		if len(commandsOf(text)) == 0 {
			assert.True(t, named[path], "the README does not mention prompt-runner %s", path)
		}
	}
}

func hasFlag(help, flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return slices.Contains(strings.Fields(help), name)
}

// The README's exit codes are those that the command's own help lists.
func TestReadmeExitCodes(t *testing.T) {
	t.Parallel()
	_, listed, found := strings.Cut(help(t), "Exit codes:")
	require.True(t, found)
	listed, _, _ = strings.Cut(listed, "\n\n")
	var codes []string
	for _, match := range exitNumber.FindAllStringSubmatch(listed, -1) {
		codes = append(codes, match[1])
	}
	require.NotEmpty(t, codes)

	data, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(data), "\n## Exit codes\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []string
	for _, match := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(section, -1) {
		rows = append(rows, match[1])
	}
	require.Equal(t, codes, rows)
}
