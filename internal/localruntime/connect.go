package localruntime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

// ErrNotRunning says that the state directory has no running runtime.
var ErrNotRunning = errors.New("no local runtime is running")

// Connect connects to the running local runtime. The error is [ErrNotRunning]
// when there is none; a runtime of another protocol is refused.
func Connect(ctx context.Context, state statedir.Dir) (client.Client, Info, error) {
	info, running, err := Find(state)
	if err != nil {
		return nil, Info{}, err
	}
	if !running {
		return nil, Info{}, ErrNotRunning
	}
	connection, err := connect(ctx, filesOf(state), info)
	return connection, info, err
}

func connect(ctx context.Context, f files, info Info) (client.Client, error) {
	if info.Protocol != run.Protocol {
		return nil, fmt.Errorf("local runtime: build %s speaks protocol %d, this build speaks %d; stop it with its own release, then start it again with this one",
			info.Build, info.Protocol, run.Protocol)
	}
	connection, err := dial(ctx, f, info.Address, slog.Default())
	if err != nil {
		return nil, fmt.Errorf("local runtime: process %d does not answer at %s: %w; see %s, or stop the runtime and start it again", info.PID, info.Address, err, f.log())
	}
	return connection, nil
}
