package preflight

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/packet"
)

// Kinds of problems. Those that the Elixir tool has are called as there.
const (
	PathNotFound        = "path_not_found"
	NotADirectory       = "not_a_directory"
	GitUnavailable      = "git_unavailable"
	NotGitRepo          = "not_git_repo"
	Unreadable          = "unreadable"
	OperationInProgress = "operation_in_progress"
	DetachedHead        = "detached_head"
)

// Options say what is demanded of the repositories.
type Options struct {
	// Env is the environment of git; nil means the caller's.
	Env []string
	// Commits says that completed work will be committed.
	Commits bool
}

// Problem is why a repository is not ready.
type Problem struct {
	Kind string `json:"kind"`
	// Message says what is wrong and what to do about it.
	Message string `json:"message"`
}

// Repo is what was found at a repository's path.
type Repo struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Default bool   `json:"default"`
	// Exists, Directory and Git say how far the path can be followed.
	Exists    bool      `json:"exists?"`
	Directory bool      `json:"directory?"`
	Git       bool      `json:"git?"`
	Ready     bool      `json:"ready?"`
	Errors    []Problem `json:"errors"`
	// Info is what git says of the work tree; zero unless Git.
	Info gitcmd.Info `json:"-"`
}

// ReadinessError is a problem with the repository that has it.
type ReadinessError struct {
	Kind    string `json:"kind"`
	Scope   string `json:"scope"`
	Name    string `json:"name"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Report is what was found. The JSON names are those of the Elixir tool.
type Report struct {
	Repos           []Repo           `json:"repos"`
	ReadinessErrors []ReadinessError `json:"readiness_errors"`
	// RuntimeReady says that there is no readiness error.
	RuntimeReady bool `json:"runtime_ready?"`
}

// Targets are the repositories that the prompts work on, sorted by name.
func Targets(p *packet.Packet, prompts []string) []packet.Repo {
	var names []string
	for _, id := range prompts {
		if prompt, ok := p.Prompt(id); ok {
			names = append(names, prompt.Targets...)
		}
	}
	slices.Sort(names)
	var repos []packet.Repo
	for _, name := range slices.Compact(names) {
		repo, _ := p.Repo(name)
		repos = append(repos, repo)
	}
	return repos
}

// Check looks at the repositories. The error says that ctx ended or that git
// could not be asked.
func Check(ctx context.Context, repos []packet.Repo, o Options) (Report, error) {
	report := Report{Repos: []Repo{}, ReadinessErrors: []ReadinessError{}, RuntimeReady: true}
	for _, one := range repos {
		repo := Repo{Name: one.Name, Path: one.Path, Default: one.Default, Errors: []Problem{}}
		if err := repo.inspect(ctx, o); err != nil {
			return Report{}, fmt.Errorf("repository %s (%s): %w", one.Name, one.Path, err)
		}
		repo.Ready = len(repo.Errors) == 0
		for _, problem := range repo.Errors {
			report.RuntimeReady = false
			report.ReadinessErrors = append(report.ReadinessErrors, ReadinessError{
				Kind: problem.Kind, Scope: "repo", Name: repo.Name, Path: repo.Path, Message: problem.Message,
			})
		}
		report.Repos = append(report.Repos, repo)
	}
	return report, nil
}

func (r *Repo) problem(kind, format string, args ...any) {
	r.Errors = append(r.Errors, Problem{Kind: kind, Message: fmt.Sprintf(format, args...)})
}

// inspect fills in what is at the repository's path.
func (r *Repo) inspect(ctx context.Context, o Options) error {
	stat, err := os.Stat(r.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.problem(PathNotFound, "the path does not exist; clone the repository there, or correct the path in %s", packet.ManifestName)
		return nil
	case err != nil:
		r.problem(Unreadable, "%v", err)
		return nil
	}
	r.Exists, r.Directory = true, stat.IsDir()
	if !r.Directory {
		r.problem(NotADirectory, "the path is not a directory")
		return nil
	}
	r.Info, err = gitcmd.Repo{Dir: r.Path, Env: o.Env}.Inspect(ctx)
	if failure, failed := errors.AsType[*gitcmd.Error](err); failed {
		r.problem(NotGitRepo, "git finds no work tree it will use here: %s; run git init there, or correct the path in %s",
			strings.TrimSpace(failure.Stderr), packet.ManifestName)
		return nil
	}
	if missing, ok := errors.AsType[*proc.StartError](err); ok && missing.Reason == proc.NotFound {
		r.problem(GitUnavailable, "git is not there: %v; install it, or correct PATH", missing)
		return nil
	}
	if err != nil {
		return err
	}
	r.Git = true
	if !o.Commits {
		return nil
	}
	operation, err := r.Info.InProgress()
	switch {
	case err != nil:
		return err
	case operation != "":
		r.problem(OperationInProgress, "a %s is in progress; finish or abort it, then run again", operation)
	case r.Info.Branch == "":
		r.problem(DetachedHead, "HEAD is detached, so commits would belong to no branch; check out a branch, then run again (or use --no-commit)")
	}
	return nil
}
