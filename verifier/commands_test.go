package verifier_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.script("bin/ok", "echo ran in \"$PWD\" with \"$@\"")
	tree.app.Write("bin/plain", "#!/bin/sh\n")
	tree.app.Write("sub dir/file", "x")
	require.NoError(t, os.WriteFile(filepath.Join(tree.scope.Root, "note"), []byte("noted"), 0o644))

	const (
		vf = verifier.FaultVerifier
		vt = verifier.FaultTimeout
	)
	code := func(n int) *int { return &n }
	sh := func(script string) packet.Command { return packet.Command{Exec: "sh", Args: []string{"-c", script}} }
	with := func(c packet.Command, change func(*packet.Command)) packet.Command {
		change(&c)
		return c
	}
	for name, tc := range map[string]struct {
		command packet.Command
		pass    bool
		fault   verifier.Fault
		code    *int
		details string
	}{
		"success":                    {sh("echo fine"), true, "", code(0), "fine"},
		"exit code":                  {sh("echo bad >&2; exit 3"), false, "", code(3), "expected exit code 0, got 3 (in " + tree.app.Dir + ")\nbad"},
		"no shell":                   {packet.Command{Exec: "printf", Args: []string{"%s", "; touch made $(touch made)"}}, true, "", code(0), "; touch made $(touch made)"},
		"relative program":           {packet.Command{Exec: "bin/ok", Args: []string{"a b"}}, true, "", code(0), "ran in " + tree.app.Dir + " with a b"},
		"repository":                 {packet.Command{Exec: "pwd", Repo: "lib"}, true, "", code(0), tree.lib.Dir},
		"directory":                  {packet.Command{Exec: "pwd", Cwd: "sub dir"}, true, "", code(0), tree.app.Dir + "/sub dir"},
		"no directory":               {packet.Command{Exec: "pwd", Cwd: "none"}, false, "", nil, tree.app.Dir + "/none of the command does not exist"},
		"a file as directory":        {packet.Command{Exec: "pwd", Cwd: "bin/ok"}, false, "", nil, "does not exist"},
		"unknown repository":         {packet.Command{Exec: "pwd", Repo: "none"}, false, "", nil, "unknown repository none"},
		"environment":                {with(sh(`echo "$A"`), func(c *packet.Command) { c.Env = map[string]string{"A": "b c"} }), true, "", code(0), "b c"},
		"reference as program":       {packet.Command{Exec: "@repo:app/bin/../bin/ok", Repo: "lib"}, true, "", code(0), "ran in " + tree.lib.Dir},
		"reference as argument":      {packet.Command{Exec: "cat", Args: []string{"@repo:packet/note"}}, true, "", code(0), "noted"},
		"reference inside a word":    {packet.Command{Exec: "echo", Args: []string{"--f=@repo:app"}}, true, "", code(0), "--f=@repo:app"},
		"reference to nothing":       {packet.Command{Exec: "echo", Args: []string{"@repo:none/x"}}, true, "", code(0), "@repo:none/x"},
		"missing relative program":   {packet.Command{Exec: "bin/future"}, false, "", nil, "no such program"},
		"missing referenced program": {packet.Command{Exec: "@repo:app/bin/future"}, false, "", nil, "no such program"},
		"missing bare program":       {packet.Command{Exec: "no-such-program"}, false, vf, nil, "no such program"},
		"missing absolute program":   {packet.Command{Exec: "/no/such/program"}, false, vf, nil, "no such program"},
		"not executable":             {packet.Command{Exec: "bin/plain"}, false, vf, nil, "not executable"},
		"timeout":                    {with(sh("echo partly; exec sleep 1000"), func(c *packet.Command) { c.TimeoutMS = 300 }), false, vt, nil, "within 300 ms"},
		"signal":                     {sh("kill -KILL $$"), false, "", nil, "signal killed"},
		"fault exit code":            {with(sh("exit 4"), func(c *packet.Command) { c.FaultExitCodes = []int{3, 4} }), false, vf, code(4), "fault_exit_codes"},
		"fault exit code zero":       {with(sh("exit 0"), func(c *packet.Command) { c.FaultExitCodes = []int{0} }), false, vf, code(0), "fault_exit_codes"},
		"124 is a failure":           {sh("exit 124"), false, "", code(124), "got 124"},
		"127 is a failure":           {sh("exit 127"), false, "", code(127), "got 127"},
		"stdout contains":            {with(sh("echo one two"), func(c *packet.Command) { c.StdoutContains = "e t" }), true, "", code(0), "one two"},
		"stdout lacks":               {with(sh("echo One"), func(c *packet.Command) { c.StdoutContains = "one" }), false, "", code(0), `stdout does not contain "one"`},
		"stderr does not count":      {with(sh("echo one >&2"), func(c *packet.Command) { c.StdoutContains = "one" }), false, "", code(0), "\none"},
		"stdout matches, any case":   {with(sh("echo ONE"), func(c *packet.Command) { c.StdoutMatches = "^o.e" }), true, "", code(0), "ONE"},
		"stdout does not match":      {with(sh("echo two"), func(c *packet.Command) { c.StdoutMatches = "^o.e" }), false, "", code(0), `stdout does not match "^o.e"`},
		"both checks apply":          {with(sh("echo one"), func(c *packet.Command) { c.StdoutContains, c.StdoutMatches = "one", "two" }), false, "", code(0), `does not match "two"`},
		"bad pattern":                {with(sh("touch made"), func(c *packet.Command) { c.StdoutMatches = "(" }), false, vf, nil, "does not compile"},
		"no command":                 {packet.Command{}, false, vf, nil, "neither"},

		"shell success":        {packet.Command{Shell: "echo a | tr a b && test -f bin/ok"}, true, "", code(0), "b"},
		"shell failure":        {packet.Command{Shell: "exit 1"}, false, "", code(1), "got 1"},
		"shell not login":      {packet.Command{Shell: "! shopt -q login_shell"}, true, "", code(0), ""},
		"shell, not found":     {packet.Command{Shell: "no-such-program"}, false, vf, code(127), "verifier_fault: a program was not found (exit code 127"},
		"shell, not executing": {packet.Command{Shell: "bin/plain"}, false, vf, code(126), "verifier_fault: a program is not executable"},
		"shell, timeout":       {packet.Command{Shell: "timeout 0.1 sleep 1000"}, false, vt, code(124), "verifier_timeout: the command did not end in time"},
		"shell, our timeout":   {packet.Command{Shell: "sleep 1000 & wait", TimeoutMS: 300}, false, vt, nil, "verifier_timeout: the command did not end within 300 ms"},
		"no shell there":       {packet.Command{Shell: "true", Env: map[string]string{"PATH": "/nowhere"}}, false, vf, nil, "bash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := tree.command(tc.command)
			require.Equal(t, tc.pass, item.Pass, item.Details)
			require.Equal(t, tc.fault, item.Fault, item.Details)
			require.Equal(t, tc.code, item.ExitCode)
			require.Contains(t, item.Details, tc.details)
		})
	}
	t.Cleanup(func() { require.NoFileExists(t, filepath.Join(tree.app.Dir, "made")) })
}

func TestCommandItem(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	tree.scope.Task = "r/01/1/verify"
	item := tree.command(packet.Command{Exec: "sh", Args: []string{"-c", `printf '%s\377' "$PROMPT_RUNNER_TASK"`}, TimeoutMS: 30000})
	require.Equal(t, map[string]any{
		"kind": "command", "repo": "app", "pass?": true, "details": "r/01/1/verify\uFFFD",
		"mode": "structured", "command": `sh -c 'printf '\''%s\377'\'' "$PROMPT_RUNNER_TASK"'`,
		"argv": []any{"sh", "-c", `printf '%s\377' "$PROMPT_RUNNER_TASK"`},
		"cwd":  tree.app.Dir, "timeout_ms": 30000.0, "exit_code": 0.0,
	}, toJSON(t, item))

	item = tree.command(packet.Command{Shell: "kill -KILL $$", Repo: "lib"})
	fields := toJSON(t, item)
	require.Equal(t, "legacy_shell", fields["mode"])
	require.Equal(t, "lib", fields["repo"])
	require.Contains(t, fields, "argv")
	require.Nil(t, fields["argv"])
	require.Contains(t, fields, "exit_code")
	require.Nil(t, fields["exit_code"])
	require.Equal(t, 1800000.0, fields["timeout_ms"])
}

func TestDetailsAreBounded(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	item := tree.command(packet.Command{Exec: "sh", Args: []string{"-c", "echo first; head -c 100000 /dev/zero | tr '\\0' x; echo last; exit 1"}})
	require.LessOrEqual(t, len(item.Details), 16<<10)
	require.True(t, strings.HasPrefix(item.Details, "expected exit code 0, got 1"))
	require.Contains(t, item.Details, "\nfirst\n")
	require.Contains(t, item.Details, "bytes left out")
	require.True(t, strings.HasSuffix(item.Details, "last"))
}
