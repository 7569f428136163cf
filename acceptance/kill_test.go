package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// site is a packet with its repositories, a state directory and a runtime of
// its own.
type site struct {
	t   *testing.T
	dir string
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	t.Cleanup(func() { endRuntime(s.dir) })
	return s
}

func (s *site) path(elements ...string) string {
	return filepath.Join(append([]string{s.dir}, elements...)...)
}

func (s *site) write(name, text string) {
	s.t.Helper()
	require.NoError(s.t, os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	require.NoError(s.t, os.WriteFile(s.path(name), []byte(text), 0o755))
}

// exec runs a program in the site and returns its standard output.
func (s *site) exec(name string, args ...string) (string, error) {
	s.t.Helper()
	command := exec.CommandContext(s.t.Context(), name, args...)
	if name == "prompt-runner" {
		command.Path = filepath.Join(binaries, name)
		command.Err = nil
	}
	command.Dir = s.dir
	command.Env = append(os.Environ(), environ(s.dir)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String(), err
}

func (s *site) must(name string, args ...string) string {
	s.t.Helper()
	out, err := s.exec(name, args...)
	require.NoError(s.t, err)
	return out
}

// recoveryPacket copies the recovery example and slows its sessions down.
func (s *site) recoveryPacket(delayMS int) {
	s.t.Helper()
	require.NoError(s.t, os.CopyFS(s.path("packet"), os.DirFS("../examples/simulated-recovery")))
	s.must("sh", "packet/setup.sh")
	if delayMS == 0 {
		return
	}
	prompts, err := filepath.Glob(s.path("packet", "prompts", "*.prompt.md"))
	require.NoError(s.t, err)
	for _, prompt := range prompts {
		data, err := os.ReadFile(prompt)
		require.NoError(s.t, err)
		require.NoError(s.t, os.WriteFile(prompt, slowed(data, delayMS), 0o644))
	}
}

// slowed adds delay_ms to every step of the attempts of a prompt.
func slowed(prompt []byte, delayMS int) []byte {
	var out strings.Builder
	attempts := false
	for line := range strings.Lines(string(prompt)) {
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case trimmed == "attempts:":
			attempts = true
		case trimmed == "---", indent <= 2 && !strings.HasPrefix(trimmed, "-"):
			attempts = false
		case attempts && indent == 4 && strings.HasPrefix(trimmed, "- "):
			fmt.Fprintf(&out, "    - delay_ms: %d\n", delayMS)
			line = "      " + strings.TrimPrefix(trimmed, "- ") + "\n"
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// outcome is what must not depend on kills: everything but times, ids, hashes.
type outcome struct {
	Tree     string
	Subjects string
	Status   string
	Prompts  map[string]string
}

func (s *site) outcome() outcome {
	s.t.Helper()
	repo := s.path("packet", "workspace")
	var state struct {
		Prompts map[string]struct {
			Status   string
			Attempts []struct {
				Mode    string
				Status  string
				Attempt int
			}
		}
	}
	data, err := os.ReadFile(s.path("packet", ".prompt_runner", "state.json"))
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(data, &state))
	prompts := map[string]string{}
	for id, prompt := range state.Prompts {
		line := prompt.Status
		for _, attempt := range prompt.Attempts {
			line += fmt.Sprintf(" %d:%s:%s", attempt.Attempt, attempt.Mode, attempt.Status)
		}
		prompts[id] = line
	}
	return outcome{
		Tree:     s.must("git", "-C", repo, "ls-tree", "-r", "HEAD"),
		Subjects: s.must("git", "-C", repo, "log", "--format=%s"),
		Status:   s.must("git", "-C", repo, "status", "--porcelain"),
		Prompts:  prompts,
	}
}

// undisturbed is the outcome of the recovery example without any kill.
func undisturbed(t *testing.T) outcome {
	t.Helper()
	calm := newSite(t)
	calm.recoveryPacket(0)
	calm.must("prompt-runner", "run", "packet")
	return calm.outcome()
}

// kills is how often the random test kills the runtime; set
// PROMPT_RUNNER_KILLS for a longer soak.
func kills(t *testing.T) int {
	t.Helper()
	value := os.Getenv("PROMPT_RUNNER_KILLS")
	if value == "" {
		return 4
	}
	count, err := strconv.Atoi(value)
	require.NoError(t, err)
	return count
}

// A run whose runtime is killed at random moments ends as if undisturbed.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	s := newSite(t)
	s.recoveryPacket(1000)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s.must("prompt-runner", "run", "packet", "--detach")
	killed := 0
	for range kills(t) {
		if s.finishesWithin(time.Duration(200+random.IntN(5000)) * time.Millisecond) {
			break
		}
		require.NoError(t, kill(s.dir))
		killed++
		s.must("prompt-runner", "server", "start")
	}
	t.Logf("killed %d times", killed)
	if _, err := s.exec("prompt-runner", "attach", "packet"); err != nil {
		require.ErrorContains(t, err, "no run of")
	}
	require.Equal(t, want, s.outcome())
}

// finishesWithin follows the run for that long and reports whether it ended.
func (s *site) finishesWithin(limit time.Duration) bool {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, filepath.Join(binaries, "prompt-runner"), "attach", "packet")
	command.Dir = s.dir
	command.Env = append(os.Environ(), environ(s.dir)...)
	command.WaitDelay = time.Second
	_ = command.Run()
	return ctx.Err() == nil
}

// moments are packets of one prompt, each with a mark that appears when the
// moment to kill has come.
var moments = map[string]struct {
	prompt string
	// hook is the pre-commit hook of the repository.
	hook string
	// mark appears at the moment.
	mark string
	// modes are the attempts when all is over.
	modes string
}{
	"in a session": {
		prompt: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x, append: true}], delay_ms: 2000}]}",
		mark:   "app/out.txt", modes: "1:run:completed",
	},
	"in verify": {
		prompt: "verify: {files_exist: [out.txt], commands: [{exec: sh, args: [-c, \"touch ../mark; sleep 2\"], timeout_ms: 60000}]}\n" +
			"simulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}",
		mark: "mark", modes: "1:run:completed",
	},
	"while a file is generated anew": {
		prompt: "verify: {changed_paths_only: [out.txt], commands: [{exec: sh, timeout_ms: 60000, regenerates: [out.txt], args: [-c, " +
			"\"[ ! -e out.txt ] || exit 1; printf half > out.txt; [ -e ../mark ] || { touch ../mark; sleep 5; }; printf x > out.txt\"]}]}\n" +
			"simulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}",
		mark: "mark", modes: "1:run:completed",
	},
	"in a repair": {
		prompt: "verify: {files_exist: [out.txt, second.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}, {writes: [{path: second.txt, text: x}], delay_ms: 2000}]}",
		mark:   "app/second.txt", modes: "1:run:verification_failed 2:repair:completed",
	},
	"in a slow pre-commit hook": {
		prompt: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}",
		hook:   "#!/bin/sh\ntouch ../mark\nsleep 2\n",
		mark:   "mark", modes: "1:run:completed",
	},
	"between the commit and its completion": {
		prompt: "verify: {files_exist: [out.txt]}\nsimulate: {attempts: [{writes: [{path: out.txt, text: x}]}]}",
		hook:   "", mark: "mark", modes: "1:run:completed",
	},
}

// A runtime that is killed at a given moment leaves one commit per prompt.
func TestKilledAtChosenMoments(t *testing.T) {
	t.Parallel()
	for name, moment := range moments {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.write("packet/prompt_runner_packet.md", "---\nname: moment\nprofile: simulated-default\nrepos: {app: {path: ../app}}\n---\n")
			s.write("packet/prompts/01_one.prompt.md", "---\nid: 01\ncommit: \"feat: one\"\n"+moment.prompt+"\n---\n# One\n")
			s.must("git", "init", "-q", "-b", "main", "app")
			s.must("git", "-C", "app", "commit", "-q", "--allow-empty", "-m", "start")
			switch {
			case moment.hook != "":
				s.write("app/.git/hooks/pre-commit", moment.hook)
			case moment.mark == "mark" && strings.HasPrefix(name, "between"):
				// post-commit runs when the commit exists and git has not returned.
				s.write("app/.git/hooks/post-commit", "#!/bin/sh\ntouch ../mark\nsleep 2\n")
			}
			s.must("prompt-runner", "run", "packet", "--detach")
			require.NoError(t, await(func() (bool, error) {
				_, err := os.Stat(s.path(moment.mark))
				return err == nil, nil
			}))
			require.NoError(t, kill(s.dir))
			s.must("prompt-runner", "attach", "packet")

			require.Equal(t, "feat: one\nstart\n", s.must("git", "-C", "app", "log", "--format=%s"))
			require.Empty(t, s.must("git", "-C", "app", "status", "--porcelain"))
			require.Equal(t, "x", s.must("git", "-C", "app", "show", "HEAD:out.txt"))
			data, err := os.ReadFile(s.path("packet", ".prompt_runner", "progress.log"))
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(data), "01:completed:"))
			require.Contains(t, s.momentOutcome(), moment.modes)
		})
	}
}

// momentOutcome renders the attempts of prompt 01.
func (s *site) momentOutcome() string {
	s.t.Helper()
	out := s.must("prompt-runner", "status", "--json", "packet")
	require.NotEmpty(s.t, out)
	var state struct {
		Prompts map[string]struct {
			Attempts []struct {
				Attempt      int
				Mode, Status string
			}
		}
	}
	data, err := os.ReadFile(s.path("packet", ".prompt_runner", "state.json"))
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(data, &state))
	var attempts []string
	for _, attempt := range state.Prompts["01"].Attempts {
		attempts = append(attempts, fmt.Sprintf("%d:%s:%s", attempt.Attempt, attempt.Mode, attempt.Status))
	}
	return strings.Join(attempts, " ")
}
