package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// binaries is the directory of the commands under test, built once.
var binaries string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "prompt-runner-acceptance-*")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		binaries = dir
		build := exec.CommandContext(context.Background(), "go", "build", "-o", dir+string(filepath.Separator), "../cmd/...")
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "build the commands under test:", err)
			return 1
		}
		return m.Run()
	}())
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			for _, variable := range environ(env.WorkDir) {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			env.Defer(func() { endRuntime(env.WorkDir) })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo":         makeRepo,
			"await":        waitFor,
			"kill-runtime": killRuntime,
			"terminate":    terminate,
		},
	})
}

// environ is the environment of a user whose home and state lie in dir.
func environ(dir string) []string {
	return []string{
		"HOME=" + filepath.Join(dir, "home"),
		"XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"PROMPT_RUNNER_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
		"PATH=" + binaries + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"CI=",
		"NO_COLOR=1",
	}
}

// makeRepo makes git repositories with one commit: repo DIR...
func makeRepo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: repo DIR...")
	}
	for _, dir := range args {
		dir = ts.MkAbs(dir)
		ts.Check(os.MkdirAll(dir, 0o755))
		ts.Check(os.WriteFile(filepath.Join(dir, "README.md"), []byte("start\n"), 0o644))
		for _, git := range [][]string{{"init", "-q", "-b", "main"}, {"add", "README.md"}, {"commit", "-q", "-m", "start"}} {
			ts.Check(ts.Exec("git", append([]string{"-C", dir}, git...)...))
		}
	}
}

// waitFor waits until a file exists and, with a second argument, until it
// contains that text: await FILE [TEXT]
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: await FILE [TEXT]")
	}
	ts.Check(await(func() (bool, error) {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err != nil {
			return false, nil
		}
		return len(args) == 1 || strings.Contains(string(data), args[1]), nil
	}))
}

// await polls until done, at most for a minute.
func await(done func() (bool, error)) error {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-limit.C:
			return errors.New("it did not happen within a minute")
		}
	}
}

// runtimeRecord is what the tests read of runtime.json.
type runtimeRecord struct {
	PID       int    `json:"pid"`
	Address   string `json:"address"`
	Namespace string `json:"namespace"`
}

func readRuntime(workDir string) (runtimeRecord, error) {
	var record runtimeRecord
	data, err := os.ReadFile(filepath.Join(workDir, "state", "prompt-runner", "runtime", "runtime.json"))
	if err != nil {
		return record, err
	}
	return record, json.Unmarshal(data, &record)
}

// killRuntime ends the local runtime with SIGKILL, as a power cut would.
func killRuntime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: kill-runtime")
	}
	ts.Check(kill(ts.Getenv("WORK")))
}

func kill(workDir string) error {
	record, err := readRuntime(workDir)
	if err != nil {
		return err
	}
	if err := syscall.Kill(record.PID, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill the runtime, pid %d: %w", record.PID, err)
	}
	return await(func() (bool, error) { return syscall.Kill(record.PID, 0) != nil, nil })
}

// endRuntime ends what a script left running.
func endRuntime(workDir string) {
	if record, err := readRuntime(workDir); err == nil {
		_ = syscall.Kill(record.PID, syscall.SIGKILL)
	}
}
