// Command worker runs the workflows and activities of Prompt Runner against any
// Temporal server; it contains no server itself.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/prompt-runner/prompt-runner/internal/workercmd"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := workercmd.Main(ctx, os.Args[1:], os.Environ(), os.Stderr)
	stop()
	os.Exit(code)
}
