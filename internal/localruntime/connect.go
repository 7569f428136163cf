package localruntime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
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

// connectPatience is how long a runtime that lives may take to answer: on a busy
// machine one that has just started needs more than a dial's two seconds.
const connectPatience = 20 * time.Second

// patientDial dials again while the server is alive and nobody has answered.
func patientDial(ctx context.Context, f files, address string, logger *slog.Logger, alive func() bool) (client.Client, error) {
	bounded, cancel := context.WithTimeout(ctx, connectPatience)
	defer cancel()
	for {
		connection, err := dial(ctx, f, address, logger)
		unreachable, silent := errors.AsType[*temporalconn.UnreachableError](err)
		if !silent {
			return connection, err
		}
		select {
		case <-bounded.Done():
			// Its own advice is about another Temporal than this one.
			return nil, unreachable.Err
		case <-time.After(lockPoll):
		}
		if !alive() {
			return nil, unreachable.Err
		}
	}
}

func connect(ctx context.Context, f files, info Info) (client.Client, error) {
	if info.Protocol != run.Protocol {
		return nil, fmt.Errorf("local runtime: build %s speaks protocol %d, this build speaks %d; stop it with its own release, then start it again with this one",
			info.Build, info.Protocol, run.Protocol)
	}
	connection, err := patientDial(ctx, f, info.Address, slog.Default(), info.alive)
	if err != nil {
		return nil, fmt.Errorf("local runtime: process %d does not answer at %s: %w; see %s, or stop the runtime and start it again", info.PID, info.Address, err, f.log())
	}
	return connection, nil
}
