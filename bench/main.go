// Command bench measures the budgets of Prompt Runner on this machine and
// prints a table. It builds the command line, keeps all state in a temporary
// directory and takes about a minute:
//
//	go run ./bench
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

const (
	// rounds is how often each figure is taken; the median is printed.
	rounds = 5
	// cleanPrompts is the length of the packet that a clean prompt's cost is
	// taken from.
	cleanPrompts = 20
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	dir, err := os.MkdirTemp("", "prompt-runner-bench-*")
	if err != nil {
		return err
	}
	b := &bench{dir: dir, binary: filepath.Join(dir, "prompt-runner")}
	defer func() {
		_ = b.cli("server", "stop")
		_ = os.RemoveAll(dir)
	}()
	if err := b.exec(".", "go", "build", "-o", b.binary, "./cmd/prompt-runner"); err != nil {
		return err
	}
	return b.report()
}

type bench struct {
	dir, binary string
	// packets counts the packets made so far; each run gets a fresh one.
	packets int
}

func (b *bench) report() error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	row := func(what string, measured time.Duration, budget string) {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", what, measured.Round(time.Millisecond), budget)
	}
	_, _ = fmt.Fprintln(table, "what\tmedian\tbudget")

	cold, err := b.median(func() (time.Duration, error) {
		if err := b.cli("server", "stop"); err != nil && b.packets > 0 {
			return 0, err
		}
		return b.untilFirstPrompt()
	})
	if err != nil {
		return err
	}
	row("cold start of the local runtime to first prompt running", cold, "2s")

	start, err := b.median(func() (time.Duration, error) {
		return timed(func() error { return b.cli("--help") })
	})
	if err != nil {
		return err
	}
	row("start of the command line itself (--help)", start, "")

	floor, err := b.median(func() (time.Duration, error) { return b.bare(9, 2) })
	if err != nil {
		return err
	}
	row("git and check processes of the nine-prompt packet, alone", floor, "")

	nine, err := b.median(b.ninePrompts)
	if err != nil {
		return err
	}
	row("nine-prompt packet, fresh, warm, whole process", nine, "900ms")

	clean, err := b.median(b.cleanPrompt)
	if err != nil {
		return err
	}
	row("clean prompt beyond its git and check processes", clean, "60ms")
	return table.Flush()
}

// median takes a figure several times.
func (b *bench) median(measure func() (time.Duration, error)) (time.Duration, error) {
	var figures []time.Duration
	for range rounds {
		figure, err := measure()
		if err != nil {
			return 0, err
		}
		figures = append(figures, figure)
	}
	slices.Sort(figures)
	return figures[len(figures)/2], nil
}

func timed(do func() error) (time.Duration, error) {
	start := time.Now()
	err := do()
	return time.Since(start), err
}

// ninePrompts runs a fresh copy of the recovery example.
func (b *bench) ninePrompts() (time.Duration, error) {
	packet := b.next()
	if err := os.CopyFS(packet, os.DirFS("examples/simulated-recovery")); err != nil {
		return 0, err
	}
	if err := b.exec(packet, "sh", "setup.sh"); err != nil {
		return 0, err
	}
	return timed(func() error { return b.cli("run", packet) })
}

// cleanPrompt is the cost of one more clean prompt, without its git and check
// processes: two packets of different length, subtracted.
func (b *bench) cleanPrompt() (time.Duration, error) {
	short, err := b.cleanPacket(1)
	if err != nil {
		return 0, err
	}
	long, err := b.cleanPacket(1 + cleanPrompts)
	if err != nil {
		return 0, err
	}
	bare, err := b.bare(cleanPrompts, 1)
	if err != nil {
		return 0, err
	}
	return (long - short - bare) / cleanPrompts, nil
}

func (b *bench) cleanPacket(prompts int) (time.Duration, error) {
	packet, err := b.makePacket(prompts, 0)
	if err != nil {
		return 0, err
	}
	return timed(func() error { return b.cli("run", packet) })
}

// untilFirstPrompt starts the runtime by a run and waits for what its first
// session writes.
func (b *bench) untilFirstPrompt() (time.Duration, error) {
	packet, err := b.makePacket(1, 200)
	if err != nil {
		return 0, err
	}
	written := filepath.Join(packet, "work", "out-01.txt")
	elapsed, err := timed(func() error {
		if err := b.cli("run", packet, "--detach"); err != nil {
			return err
		}
		for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(time.Millisecond) {
			if _, err := os.Stat(written); err == nil {
				return nil
			}
		}
		return fmt.Errorf("%s was not written within a minute", written)
	})
	if err != nil {
		return 0, err
	}
	return elapsed, b.cli("attach", packet)
}

// makePacket makes a packet of clean prompts: one file clause each, one commit.
func (b *bench) makePacket(prompts, delayMS int) (string, error) {
	packet := b.next()
	if err := os.MkdirAll(filepath.Join(packet, "prompts"), 0o755); err != nil {
		return "", err
	}
	manifest := "---\nname: bench\nprofile: simulated-default\nrepos: {work: {path: work}}\n---\n"
	if err := os.WriteFile(filepath.Join(packet, "prompt_runner_packet.md"), []byte(manifest), 0o644); err != nil {
		return "", err
	}
	for i := 1; i <= prompts; i++ {
		text := fmt.Sprintf("---\nid: %02[1]d\nverify: {files_exist: [out-%02[1]d.txt]}\nsimulate: {attempts: [{writes: [{path: out-%02[1]d.txt, text: x}], delay_ms: %[2]d}]}\n---\n# Prompt\n", i, delayMS)
		if err := os.WriteFile(filepath.Join(packet, "prompts", fmt.Sprintf("%02d_p.prompt.md", i)), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return packet, b.repository(filepath.Join(packet, "work"))
}

func (b *bench) repository(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "start"}} {
		if err := b.exec(dir, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

// bare runs the processes that so many prompts of so many attempts need: the
// baseline, a check and a status per verification, and the commit.
func (b *bench) bare(prompts, attempts int) (time.Duration, error) {
	dir := b.next()
	if err := b.repository(dir); err != nil {
		return 0, err
	}
	status := []string{"status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all"}
	return timed(func() error {
		for i := range prompts {
			commands := [][]string{append([]string{"git"}, status...)}
			for range attempts {
				if attempts > 1 {
					commands = append(commands, []string{"grep", "-q", "ref", ".git/HEAD"})
				}
				commands = append(commands, append([]string{"git"}, status...))
			}
			file := fmt.Sprintf("%d.txt", i)
			commands = append(commands,
				append([]string{"git"}, status...),
				[]string{"git", "add", file},
				[]string{"git", "diff", "--cached", "--raw", "-z"},
				[]string{"git", "-c", "maintenance.auto=false", "-c", "gc.auto=0", "commit", "-q", "-m", file},
			)
			if err := os.WriteFile(filepath.Join(dir, file), []byte("x"), 0o644); err != nil {
				return err
			}
			for _, command := range commands {
				if err := b.exec(dir, command[0], command[1:]...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// next is a directory that does not exist yet.
func (b *bench) next() string {
	b.packets++
	return filepath.Join(b.dir, fmt.Sprintf("packet-%d", b.packets))
}

func (b *bench) cli(args ...string) error { return b.exec(b.dir, b.binary, args...) }

func (b *bench) exec(dir, name string, args ...string) error {
	command := exec.CommandContext(context.Background(), name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(b.dir, "state"), "CI=",
		"GIT_AUTHOR_NAME=Bench", "GIT_AUTHOR_EMAIL=bench@example.com",
		"GIT_COMMITTER_NAME=Bench", "GIT_COMMITTER_EMAIL=bench@example.com")
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return nil
}
