package acceptance_test

import (
	"context"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// dial connects to the local runtime of a script as its own commands do.
func dial(ctx context.Context, workDir string) (client.Client, error) {
	record, err := readRuntime(workDir)
	if err != nil {
		return nil, err
	}
	dir := tlsDir(workDir)
	tls, err := temporalconn.TLS(temporalconn.Files{
		CA:   filepath.Join(dir, "ca.pem"),
		Cert: filepath.Join(dir, "cert.pem"),
		Key:  filepath.Join(dir, "key.pem"),
	})
	if err != nil {
		return nil, err
	}
	return client.DialContext(ctx, client.Options{
		HostPort:          record.Address,
		Namespace:         record.Namespace,
		ConnectionOptions: client.ConnectionOptions{TLS: tls},
	})
}

func tlsDir(workDir string) string {
	return filepath.Join(workDir, "state", "prompt-runner", "runtime", "tls")
}

// terminate ends the only open PacketRun, as an operator would in Temporal Web.
func terminate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: terminate WORKFLOW-ID-PREFIX")
	}
	ctx := context.Background()
	temporal, err := dial(ctx, ts.Getenv("WORK"))
	ts.Check(err)
	defer temporal.Close()
	ids, err := openWorkflows(ctx, temporal, args[0])
	ts.Check(err)
	if len(ids) != 1 {
		ts.Fatalf("open workflows that start with %s: %v, want one", args[0], ids)
	}
	ts.Check(temporal.TerminateWorkflow(ctx, ids[0], "", "terminated by a test"))
}
