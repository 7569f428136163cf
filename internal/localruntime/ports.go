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
type ports struct {
	frontend, history, matching, worker, ui int
	// reservations keep other runtimes away from these ports.
	reservations []net.PacketConn
}

// choosePorts finds a free port for each listener, the preferred ones if it can.
// Server and UI open their listeners themselves and end the process when a port
// is taken, so each port is tried before and reserved until release.
func choosePorts(grpcPort, uiPort int) (_ ports, err error) {
	var chosen ports
	defer func() {
		if err != nil {
			chosen.release()
		}
	}()
	for _, want := range []struct {
		port      *int
		preferred int
	}{{&chosen.frontend, grpcPort}, {&chosen.ui, uiPort}, {&chosen.history, 0}, {&chosen.matching, 0}, {&chosen.worker, 0}} {
		port, reservation, err := choosePort(want.preferred)
		if err != nil {
			return ports{}, fmt.Errorf("local runtime: no free TCP port on %s: %w", loopback, err)
		}
		*want.port = port
		chosen.reservations = append(chosen.reservations, reservation)
	}
	return chosen, nil
}

// release lets other runtimes have the ports.
func (p ports) release() {
	for _, reservation := range p.reservations {
		_ = reservation.Close()
	}
}

// portTries bounds the search when many runtimes start at once.
const portTries = 100

// choosePort finds a free port, the preferred one if it can, and reserves it.
func choosePort(preferred int) (int, net.PacketConn, error) {
	for range portTries {
		listener, err := listen(preferred)
		if err != nil {
			return 0, nil, err
		}
		port := listener.Addr().(*net.TCPAddr).Port
		reservation, err := reserve(port)
		_ = listener.Close()
		if err == nil {
			return port, reservation, nil
		}
		preferred = 0
	}
	return 0, nil, fmt.Errorf("%d ports in a row are reserved by others", portTries)
}

// reserve tells other runtimes that the TCP port is spoken for, from before the
// listener is open until the runtime ends: the UDP port of the same number,
// which nobody else needs and the kernel frees with the process.
func reserve(port int) (net.PacketConn, error) {
	return new(net.ListenConfig).ListenPacket(context.Background(), "udp", address(port))
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
