package packet

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const promptSuffix = ".prompt.md"

// promptFiles returns the names of the prompt files in dir in file order. A
// directory without "*.prompt.md" may hold its prompts as "*.md".
func promptFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadable(err)
	}
	var prompts, markdown []string
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case strings.HasPrefix(name, "."):
		case strings.HasSuffix(name, promptSuffix):
			prompts = append(prompts, name)
		case fallbackPrompt(name):
			markdown = append(markdown, name)
		}
	}
	if len(prompts) == 0 {
		prompts = markdown
	}
	slices.SortFunc(prompts, compareFiles)
	return prompts, nil
}

func fallbackPrompt(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".checklist.md") &&
		!strings.EqualFold(name, "README.md") && name != ManifestName
}

// compareFiles orders by leading digits as a number, names without digits last,
// then by name.
func compareFiles(a, b string) int {
	digitsA, digitsB := leadingDigits(a), leadingDigits(b)
	if (digitsA == "") != (digitsB == "") {
		return cmp.Compare(len(digitsB), len(digitsA))
	}
	numberA, numberB := strings.TrimLeft(digitsA, "0"), strings.TrimLeft(digitsB, "0")
	return cmp.Or(cmp.Compare(len(numberA), len(numberB)), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

func leadingDigits(name string) string {
	return name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
}

// nameOfFile makes a title of a file name: "03-my_cool-thing.prompt.md" is
// "My Cool Thing".
func nameOfFile(name string) string {
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.TrimSuffix(name, filepath.Ext(name))
	if digits := leadingDigits(name); digits != "" {
		name = name[len(digits):]
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "_") {
			name = name[1:]
		}
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	for i, word := range words {
		runes := []rune(strings.ToLower(word))
		words[i] = strings.ToUpper(string(runes[:1])) + string(runes[1:])
	}
	return strings.Join(words, " ")
}
