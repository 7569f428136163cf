package packet

import (
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// structured writes a command line for a shell as the entry that means the same
// without one: a command, or a clause where the line runs a well-known script. The
// error says what only a shell can do.
func structured(line string) (string, error) {
	words, err := plainWords(line)
	if err != nil {
		return "", err
	}
	timeout := int64(legacyTimeoutMS)
	if words[0] == "timeout" && len(words) > 2 {
		seconds, err := strconv.ParseInt(strings.TrimSuffix(words[1], "s"), 10, 64)
		if err != nil || seconds < 1 {
			return "", fmt.Errorf("%q is no whole number of seconds", words[1])
		}
		timeout, words = seconds*1000, words[2:]
	}
	if entry := scriptClause(words); entry != "" {
		return entry, nil
	}
	entry := fmt.Sprintf("commands: [{exec: %s", yamlWord(words[0]))
	if len(words) > 1 {
		var args []string
		for _, word := range words[1:] {
			args = append(args, yamlWord(word))
		}
		entry += ", args: [" + strings.Join(args, ", ") + "]"
	}
	return entry + fmt.Sprintf(", timeout_ms: %d}]", timeout), nil
}

// plainWords are the words of a line that a shell would run as they are.
func plainWords(line string) ([]string, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, fmt.Errorf("bash cannot parse it: %w", err)
	}
	if len(file.Stmts) != 1 {
		return nil, fmt.Errorf("it is %d commands", len(file.Stmts))
	}
	statement := file.Stmts[0]
	call, ok := statement.Cmd.(*syntax.CallExpr)
	switch {
	case !ok || statement.Negated || statement.Background:
		return nil, fmt.Errorf("it uses operators of the shell")
	case len(statement.Redirs) > 0:
		return nil, fmt.Errorf("it redirects input or output")
	case len(call.Assigns) > 0:
		return nil, fmt.Errorf("it sets variables; write them as env")
	case len(call.Args) == 0:
		return nil, fmt.Errorf("it runs nothing")
	}
	var words []string
	for _, word := range call.Args {
		text, err := plainWord(word)
		if err != nil {
			return nil, err
		}
		words = append(words, text)
	}
	if name := words[0]; (name == "sh" || name == "bash") && len(words) > 1 && strings.HasPrefix(words[1], "-") && strings.Contains(words[1], "c") {
		return nil, fmt.Errorf("it starts a shell with %s", words[1])
	}
	return words, nil
}

func plainWord(word *syntax.Word) (string, error) {
	var text strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, `*?[]{}~\`) {
				return "", fmt.Errorf("the shell expands %q", part.Value)
			}
			text.WriteString(part.Value)
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", fmt.Errorf("the shell reads escapes in $'...'")
			}
			text.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				literal, ok := inner.(*syntax.Lit)
				if !ok || strings.Contains(literal.Value, `\`) {
					return "", fmt.Errorf("the shell expands what is in double quotes")
				}
				text.WriteString(literal.Value)
			}
		default:
			return "", fmt.Errorf("the shell expands a variable or a command")
		}
	}
	return text.String(), nil
}

// scriptClause is the clause that does what a script of this name does in packets
// of the Elixir tool; "" when there is none.
func scriptClause(words []string) string {
	script := words[0][strings.LastIndexByte(words[0], '/')+1:]
	arguments := words[1:]
	quoted := func(words []string) string {
		list := make([]string, len(words))
		for i, word := range words {
			list[i] = yamlWord(word)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	switch {
	case script == "check_doc.sh" && len(arguments) >= 2:
		return fmt.Sprintf("doc: [{path: %s, min_lines: %s, requires_sections: %s}]", yamlWord(arguments[0]), yamlWord(arguments[1]), quoted(arguments[2:]))
	case script == "check_yaml.sh" && len(arguments) == 1:
		return fmt.Sprintf("yaml: [%s]", yamlWord(arguments[0]))
	case (script == "check_repos.sh" || script == "check_repo_clean.sh") && len(arguments) > 0:
		var entries []string
		for _, name := range arguments {
			entries = append(entries, fmt.Sprintf("{repo: %s, pushed: true}", yamlWord(name)))
		}
		return "repos_clean: [" + strings.Join(entries, ", ") + "]"
	}
	return ""
}

// yamlWord writes a text as it may stand in a YAML flow.
func yamlWord(text string) string {
	plain := node{kind: kindScalar, text: text}
	if text != "" && plain.isString() && !strings.ContainsAny(text, " \t\n\"'`:#,[]{}&*!|>%@\\") && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "?") {
		switch text {
		case "~", "null", "Null", "NULL":
		default:
			return text
		}
	}
	return strconv.Quote(text)
}
