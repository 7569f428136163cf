package localruntime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
	uiserver "github.com/temporalio/ui-server/v2/server"
	"go.temporal.io/sdk/client"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/temporal"

	"github.com/prompt-runner/prompt-runner/internal/proc"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
	"github.com/prompt-runner/prompt-runner/internal/workerapp"
	"github.com/prompt-runner/prompt-runner/run"
)

// ErrRunning says that the state directory already has a runtime; connect to it
// with [Connect], or stop it.
var ErrRunning = errors.New("a local runtime is already running")

// Options are what a runtime needs. State is required.
type Options struct {
	// State is the state directory; it can have one runtime at a time.
	State statedir.Dir
	// Environ is the environment of the worker: sessions, verifier commands and
	// git of runs that bring none.
	Environ []string
	// Ready is called once by [Serve] when clients can connect; nil is allowed.
	Ready func(Info)
	// GRPCPort and UIPort are preferred ports; 0 means [DefaultGRPCPort] and
	// [DefaultUIPort]. Free ports are used where they are taken.
	GRPCPort, UIPort int
	// Logger gets messages of server and worker; nil means [LogFile].
	Logger *slog.Logger
}

// Runtime is a local runtime inside this process.
type Runtime struct {
	info   Info
	files  files
	lock   *flock.Flock
	log    *os.File
	server temporal.Server
	ui     *uiserver.Server
	client client.Client
	worker *workerapp.App
	ports  ports
	stop   sync.Once
}

// Embedded starts server, Temporal Web and worker inside this process and
// returns when clients can connect. Other commands find it through its record.
// The error is [ErrRunning] when the state directory already has a runtime.
//
// What the embedded servers cannot return as an error, such as a port that was
// taken in the last moment, ends the process with code 1 after it was logged.
func Embedded(ctx context.Context, opts Options) (*Runtime, error) {
	return start(ctx, opts, func(string) {})
}

// start is [Embedded]; fatal is told why the process is about to end.
func start(ctx context.Context, opts Options, fatal func(reason string)) (_ *Runtime, err error) {
	rt := &Runtime{files: filesOf(opts.State)}
	if err := rt.files.create(); err != nil {
		return nil, err
	}
	if err := rt.takeLock(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			rt.Stop()
		}
	}()
	// A record that a killed runtime left behind must not describe this one.
	if err := os.Remove(rt.files.record()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("local runtime: %w", err)
	}
	logger := opts.Logger
	if logger == nil {
		if logger, err = rt.openLog(); err != nil {
			return nil, err
		}
	}
	if err := ensureCertificates(rt.files.tls(), time.Now()); err != nil {
		return nil, err
	}
	database, err := openDatabase(rt.files)
	if err != nil {
		return nil, err
	}
	rt.ports, err = choosePorts(cmp.Or(opts.GRPCPort, DefaultGRPCPort), cmp.Or(opts.UIPort, DefaultUIPort))
	if err != nil {
		return nil, err
	}
	rt.server, err = startServer(database, rt.ports, rt.files.tls(), serverLogger{target: logger, fatal: fatal})
	if err != nil {
		return nil, err
	}
	rt.client, err = patientDial(ctx, rt.files, address(rt.ports.frontend), logger, func() bool { return true })
	if err != nil {
		return nil, fmt.Errorf("local runtime: the embedded Temporal server does not answer: %w; see %s", err, rt.files.log())
	}
	if err := addSearchAttributes(ctx, rt.client); err != nil {
		return nil, err
	}
	if err := rt.startWorker(opts, address(rt.ports.frontend), logger); err != nil {
		return nil, err
	}
	if rt.ui, err = startUI(rt.ports, rt.files.tls(), logger); err != nil {
		return nil, err
	}
	if err := rt.publish(); err != nil {
		return nil, err
	}
	return rt, nil
}

// takeLock takes the runtime's lock before anything is opened: two servers on
// one database both start, and then fight.
func (rt *Runtime) takeLock(ctx context.Context) error {
	patience, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock, locked, err := acquire(patience, rt.files.lock())
	if err != nil {
		return err
	}
	if !locked {
		return fmt.Errorf("local runtime: %s is locked: %w", rt.files.lock(), ErrRunning)
	}
	rt.lock = lock
	return nil
}

func (rt *Runtime) openLog() (*slog.Logger, error) {
	if err := rotate(rt.files.log()); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(rt.files.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("local runtime: log: %w", err)
	}
	rt.log = file
	return slog.New(slog.NewTextHandler(file, nil)), nil
}

func (rt *Runtime) startWorker(opts Options, address string, logger *slog.Logger) error {
	host, err := opts.State.Host(temporalconn.Environment(opts.Environ).Getenv)
	if err != nil {
		return fmt.Errorf("local runtime: %w", err)
	}
	rt.worker, err = workerapp.Start(workerapp.Options{
		Client:    rt.client,
		Namespace: namespace,
		Address:   address,
		State:     opts.State,
		Host:      host,
		Environ:   opts.Environ,
		Logger:    logger,
	})
	if err != nil {
		return fmt.Errorf("local runtime: %w", err)
	}
	return nil
}

// publish writes the record by which others find this runtime.
func (rt *Runtime) publish() error {
	startTime, ok := proc.StartTime(os.Getpid())
	if !ok {
		return errors.New("local runtime: the own start time cannot be read; is /proc mounted?")
	}
	rt.info = Info{
		Protocol:      run.Protocol,
		PID:           os.Getpid(),
		StartTime:     startTime,
		Build:         workerapp.Build(),
		Address:       address(rt.ports.frontend),
		UI:            "http://" + address(rt.ports.ui),
		Namespace:     namespace,
		ServerVersion: headers.ServerVersion,
		StartedAt:     time.Now().UTC(),
	}
	return rt.info.write(rt.files.record())
}

// Client is connected to the runtime; Stop closes it.
func (rt *Runtime) Client() client.Client { return rt.client }

// Info is what the runtime's record says.
func (rt *Runtime) Info() Info { return rt.info }

// Done is closed when the worker failed for good; Err says why. Stop is due then.
func (rt *Runtime) Done() <-chan struct{} { return rt.worker.Done() }

// Err says why Done is closed; nil before.
func (rt *Runtime) Err() error { return rt.worker.Err() }

// Stop ends the runtime in about a second, plus up to five for activities that
// hand over. Open runs continue when a runtime is started again.
func (rt *Runtime) Stop() {
	rt.stop.Do(func() {
		// First, so that nobody connects to a server that goes away.
		_ = os.Remove(rt.files.record())
		if rt.worker != nil {
			rt.worker.Stop()
		}
		if rt.client != nil {
			rt.client.Close()
		}
		if rt.ui != nil {
			rt.ui.Stop()
		}
		if rt.server != nil {
			_ = rt.server.Stop() // always nil
		}
		rt.ports.release()
		if rt.log != nil {
			_ = rt.log.Close()
		}
		_ = rt.lock.Unlock()
	})
}

// dial connects to a local runtime with the certificates of its directory.
func dial(ctx context.Context, f files, address string, logger *slog.Logger) (client.Client, error) {
	certificates, err := temporalconn.TLS(f.tls())
	if err != nil {
		return nil, err
	}
	return temporalconn.Dial(ctx, client.Options{
		HostPort:          address,
		Namespace:         namespace,
		Logger:            temporalconn.Logger(logger),
		DataConverter:     temporalconn.DataConverter(),
		ConnectionOptions: client.ConnectionOptions{TLS: certificates},
	})
}
