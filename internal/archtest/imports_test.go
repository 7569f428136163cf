package archtest_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/prompt-runner/prompt-runner"

// allowed lists, for every package of the project, what it may import of the
// project and of Temporal. A package that is missing here fails the test, so
// that a new one is placed on purpose.
var allowed = map[string][]string{
	".":                       {"run", "client", "sdk"},
	"run":                     {},
	"simulation":              {"run"},
	"recovery":                {"run"},
	"packet":                  {"run", "simulation", "internal/pattern", "internal/suggest"},
	"verifier":                {"packet", "run", "internal/gitcmd", "internal/pattern", "internal/proc"},
	"providers":               {"run", "simulation"},
	"providers/simulated":     {"providers", "recovery", "run", "simulation"},
	"workflows":               {"run", "recovery", "sdk"},
	"activities":              {"packet", "providers", "recovery", "run", "verifier", "internal/atomicfile", "internal/gitcmd", "internal/preflight", "internal/proc", "internal/projection", "internal/runstore", "internal/sessionhost", "internal/statedir", "internal/worktree", "sdk", "client"},
	"examples":                {},
	"internal/archtest":       {},
	"internal/atomicfile":     {},
	"internal/pattern":        {},
	"internal/suggest":        {},
	"internal/statedir":       {},
	"internal/proc":           {},
	"internal/gitcmd":         {"internal/proc"},
	"internal/gitcmd/gittest": {"internal/gitcmd", "internal/proc"},
	"internal/scaffold":       {"packet", "internal/atomicfile"},
	"internal/preflight":      {"packet", "internal/gitcmd", "internal/proc"},
	"internal/worktree":       {"packet", "internal/gitcmd"},
	"internal/runstore":       {"packet", "run", "internal/atomicfile", "internal/statedir"},
	"internal/sessionhost":    {"run", "internal/atomicfile"},
	"internal/projection":     {"packet", "run", "internal/atomicfile", "internal/proc"},
	"internal/temporalconn":   {"client", "sdk"},
	"internal/workerapp":      {"activities", "packet", "providers", "providers/simulated", "run", "workflows", "internal/statedir", "internal/temporalconn", "client", "sdk"},
	"internal/workercmd":      {"internal/statedir", "internal/temporalconn", "internal/workerapp", "client", "sdk"},
	"internal/localruntime":   {"run", "internal/atomicfile", "internal/proc", "internal/statedir", "internal/temporalconn", "internal/workerapp", "client", "sdk", "server"},
	"internal/render":         {"run"},
	"internal/cli":            {".", "examples", "packet", "run", "internal/atomicfile", "internal/gitcmd", "internal/localruntime", "internal/proc", "internal/projection", "internal/preflight", "internal/render", "internal/runstore", "internal/scaffold", "internal/statedir", "internal/suggest", "internal/temporalconn", "internal/worktree", "recovery", "verifier", "client", "sdk"},
	"cmd/prompt-runner":       {"internal/cli"},
	"cmd/worker":              {"internal/workercmd"},
}

// kinds names the imports from outside the project that are restricted.
func kind(path string) string {
	switch {
	case path == "go.temporal.io/sdk/client":
		return "client"
	case strings.HasPrefix(path, "go.temporal.io/sdk/"), strings.HasPrefix(path, "go.temporal.io/api/"):
		return "sdk"
	case strings.HasPrefix(path, "go.temporal.io/server/"), strings.HasPrefix(path, "github.com/temporalio/ui-server/"):
		return "server"
	}
	return ""
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func list(t *testing.T, patterns ...string) []listed {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, patterns...)...)
	command.Dir = "../.."
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	require.NoError(t, err)
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var one listed
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, one)
	}
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, one := range list(t, "./...") {
		name := relative(one.ImportPath)
		if name == "acceptance" || name == "bench" {
			continue
		}
		seen[name] = true
		rules, known := allowed[name]
		if !assert.True(t, known, "package %s has no place in the import rules yet", name) {
			continue
		}
		for _, imported := range one.Imports {
			what := kind(imported)
			if imported == module || strings.HasPrefix(imported, module+"/") {
				what = relative(imported)
			}
			if what != "" {
				assert.Contains(t, rules, what, "%s must not import %s", name, imported)
			}
		}
		if name != "internal/proc" {
			assert.NotContains(t, one.Imports, "os/exec", "%s: processes are started by internal/proc", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		assert.True(t, seen[name], "the import rules name package %s, which does not exist", name)
	}
}

// Workflow code must not be able to reach a process, a file or the network.
func TestWorkflowsReachNoSideEffects(t *testing.T) {
	for _, one := range list(t, "./workflows", "./recovery", "./run") {
		assert.NotContains(t, one.Deps, "os/exec", "%s reaches os/exec", one.ImportPath)
		for _, direct := range []string{"os", "net", "net/http", "crypto/rand", "math/rand", "math/rand/v2"} {
			assert.NotContains(t, one.Imports, direct, "%s imports %s", one.ImportPath, direct)
		}
	}
}

// The production worker must stay small: no embedded server, no Web UI.
func TestWorkerLinksNoServer(t *testing.T) {
	for _, one := range list(t, "./cmd/worker") {
		for _, dependency := range one.Deps {
			assert.NotEqual(t, "server", kind(dependency), "cmd/worker links %s", dependency)
		}
	}
}

func relative(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}
