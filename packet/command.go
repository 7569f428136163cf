package packet

import (
	"path/filepath"
	"strings"
)

const (
	// structuredTimeoutMS and legacyTimeoutMS bound commands that set no timeout.
	structuredTimeoutMS = 30_000
	legacyTimeoutMS     = 30 * 60 * 1000
)

// command reads one element of a commands clause: a map with exec runs a
// program, a text or a map with run is a command line for the shell.
func (c contractReader) command(n node) (Command, bool) {
	switch {
	case n.kind == kindScalar:
		line, ok := c.commandText(n)
		return Command{Shell: line, TimeoutMS: legacyTimeoutMS}, ok
	case n.kind != kindMap:
		c.errorf(n.place, "is %s; it must be a command line or a map with exec", n.kind)
		return Command{}, false
	}
	before := len(c.errors)
	structured := n.has("exec") || n.has("program")
	legacy := n.has("run") || n.has("command")
	var command Command
	switch {
	case structured && legacy:
		c.errorf(n.place, "has both a program (exec) and a command line (run); keep one")
	case structured:
		command = c.structured(n)
	case legacy:
		command = c.legacy(n)
	default:
		c.only(n, programObject)
		c.errorf(n.place, "names no command; give exec, or run for a command line")
	}
	return command, len(c.errors) == before
}

func (c contractReader) structured(n node) Command {
	c.only(n, programObject)
	command := Command{TimeoutMS: structuredTimeoutMS}
	program := c.either(n, programObject, "exec")
	command.Exec, _ = c.commandText(program)
	if strings.HasPrefix(command.Exec, ArtifactPrefix) {
		c.artifact(program)
	}
	command.Args = c.texts(c.either(n, programObject, "args"))
	c.common(n, &command)
	command.Env = c.environment(n.get("env"))
	for _, code := range n.get("fault_exit_codes").elements() {
		value, ok := c.whole(code, exitCodes)
		if !ok && code.kind == kindNull {
			c.errorf(code.place, "is null; it must be an exit code from 0 to 255")
		}
		command.FaultExitCodes = append(command.FaultExitCodes, int(value))
	}
	command.StdoutContains, _ = c.word(n.get("stdout_contains"))
	pattern := n.get("stdout_matches")
	if text, ok := c.word(pattern); ok && c.pattern(pattern) {
		command.StdoutMatches = text
	}
	command.Regenerates = c.words(n.get("regenerates"))
	return command
}

func (c contractReader) legacy(n node) Command {
	c.only(n, shellObject)
	command := Command{TimeoutMS: legacyTimeoutMS}
	command.Shell, _ = c.commandText(c.either(n, shellObject, "run"))
	c.common(n, &command)
	return command
}

// common reads what both kinds of command have.
func (c contractReader) common(n node, command *Command) {
	command.Repo, _ = c.repo(n.get("repo"))
	if cwd, ok := c.word(n.get("cwd")); ok && filepath.Clean(cwd) != "." {
		command.Cwd = cwd
	}
	if timeout, ok := c.whole(n.get("timeout_ms"), timeouts); ok {
		command.TimeoutMS = timeout
	}
}

// commandText reads a program or command line. Words that YAML reads as
// something else are refused: `exec: true` would otherwise check nothing.
func (c contractReader) commandText(n node) (string, bool) {
	text, ok := c.required(n)
	if ok && !n.isString() {
		c.errorf(n.place, "is %s, which YAML reads as a boolean or number; put the command in quotes", n.text)
		return "", false
	}
	return text, ok
}

func (c contractReader) environment(n node) map[string]string {
	if !c.block(n) || len(n.fields) == 0 {
		return nil
	}
	environment := make(map[string]string, len(n.fields))
	for _, field := range n.fields {
		if field.name == "" || strings.ContainsAny(field.name, "=\x00") {
			c.errorf(field.value.place, "%q cannot name an environment variable", field.name)
			continue
		}
		environment[field.name], _ = c.text(field.value)
	}
	return environment
}
