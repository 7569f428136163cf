package localruntime

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// loopback is the only interface that anything listens on.
const loopback = "127.0.0.1"

// Preferred ports; free ones are used where they are taken.
const (
	DefaultGRPCPort = 7433
	DefaultUIPort   = 8433
)

// ports are the TCP ports of one runtime.
type ports struct{ frontend, history, matching, worker, ui int }

// choosePorts finds a free port for each listener, the preferred ones if it can.
// Server and UI end the process when a port is taken, so it is tried before.
func choosePorts(grpcPort, uiPort int) (ports, error) {
	var chosen ports
	var listeners []net.Listener
	defer func() {
		for _, listener := range listeners {
			_ = listener.Close()
		}
	}()
	for _, want := range []struct {
		port      *int
		preferred int
	}{{&chosen.frontend, grpcPort}, {&chosen.ui, uiPort}, {&chosen.history, 0}, {&chosen.matching, 0}, {&chosen.worker, 0}} {
		listener, err := listen(want.preferred)
		if err != nil {
			return ports{}, fmt.Errorf("local runtime: no free TCP port on %s: %w", loopback, err)
		}
		// Open until all are chosen, so that no port is chosen twice.
		listeners = append(listeners, listener)
		*want.port = listener.Addr().(*net.TCPAddr).Port
	}
	return chosen, nil
}

// listen takes the preferred port, or a free one when it is taken or 0.
func listen(preferred int) (net.Listener, error) {
	if preferred != 0 {
		listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address(preferred))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, syscall.EACCES) {
			return listener, err
		}
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address(0))
	if err != nil {
		return nil, err
	}
	if err := linger(listener); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// linger leaves a connection in TIME_WAIT on the port, closed from this side, so
// that the kernel hands the port to nobody else before the server listens on it.
func linger(listener net.Listener) error {
	client, err := new(net.Dialer).DialContext(context.Background(), "tcp", listener.Addr().String())
	if err != nil {
		return err
	}
	accepted, err := listener.Accept()
	if err != nil {
		_ = client.Close()
		return err
	}
	return errors.Join(accepted.Close(), client.Close())
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
