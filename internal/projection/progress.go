package projection

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// timeLayout is how state.json and progress.log write a time, in UTC.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// progressLine renders one line of progress.log.
func progressLine(prompt string, status run.Status, at time.Time, suffix string) string {
	line := fmt.Sprintf("%s:%s:%s", prompt, status, at.UTC().Format(timeLayout))
	if suffix != "" {
		line += ":" + suffix
	}
	return line + "\n"
}

// progressSuffix is the commit part of a completed line: the SHA of a single
// repository, "repo=sha,..." of several, or why nothing was committed.
func progressSuffix(commits []run.RepoCommit) string {
	var shas []string
	for _, commit := range commits {
		if commit.Status != run.CommitStatusOK {
			continue
		}
		if len(commits) == 1 {
			return commit.SHA
		}
		shas = append(shas, commit.Repo+"="+commit.SHA)
	}
	switch {
	case len(shas) > 0:
		return strings.Join(shas, ",")
	case len(commits) > 0 && commits[0].Reason != "":
		return commits[0].Reason
	default:
		return run.SkipNoChanges
	}
}

// appendProgress adds a line unless it stands there already: the same
// transition may be projected twice.
func (d Dir) appendProgress(line string) (err error) {
	current, err := os.ReadFile(d.ProgressFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.HasPrefix(current, []byte(line)) || bytes.Contains(current, []byte("\n"+line)) {
		return nil
	}
	file, err := os.OpenFile(d.ProgressFile(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if len(current) > 0 && current[len(current)-1] != '\n' {
		line = "\n" + line
	}
	_, err = file.WriteString(line)
	return err
}

// Completed returns the ids whose last line in progress.log says completed, like
// [Dir.Outcomes].
func (d Dir) Completed() (map[string]bool, error) {
	outcomes, err := d.Outcomes()
	if outcomes == nil {
		return nil, err
	}
	completed := map[string]bool{}
	for id, outcome := range outcomes {
		completed[id] = outcome.Completed
	}
	return completed, nil
}

// Outcome is what the last line of a prompt in progress.log says.
type Outcome struct {
	Completed bool
	// Commit is the hash of the commit, "repo=hash,..." of several, or why nothing
	// was committed; empty when the line does not say.
	Commit string
}

// Outcomes returns how prompts ended, by id. A ledger that the Elixir tool wrote
// counts. A line that cannot be read is an error, and so is a file without any:
// it must not turn into "everything remains".
func (d Dir) Outcomes() (map[string]Outcome, error) {
	data, err := os.ReadFile(d.ProgressFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("progress ledger: %w", err)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("progress ledger: %s:1: the file is empty, so what it once said is lost; restore or remove it", d.ProgressFile())
	}
	outcomes := map[string]Outcome{}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
			return nil, fmt.Errorf("progress ledger: %s:%d: %q is not ID:STATUS:TIME; mend or remove the line", d.ProgressFile(), number, line)
		}
		// A time ends in Z, and has colons of its own.
		_, suffix, _ := strings.Cut(parts[2], "Z:")
		outcomes[parts[0]] = Outcome{Completed: parts[1] == string(run.StatusCompleted), Commit: suffix}
	}
	return outcomes, nil
}
