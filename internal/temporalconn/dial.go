package temporalconn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
)

// dialTimeout bounds [Dial]: long enough for TLS to another continent, short
// enough for a person who mistyped an address.
const dialTimeout = 2 * time.Second

// UnreachableError says that nothing that speaks Temporal's protocol answered.
type UnreachableError struct {
	Address string
	Err     error
}

// Error names the address, the reason and what to do.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("Temporal at %s is unreachable: %v; start it, or unset TEMPORAL_ADDRESS to use the local runtime", e.Address, e.Err)
}

// Unwrap returns the reason.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Dial connects within two seconds. The error is an [*UnreachableError] when no
// server answered; a server that refuses the caller is another error.
func Dial(ctx context.Context, options client.Options) (client.Client, error) {
	bounded, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	connection, err := client.DialContext(bounded, options)
	if err == nil {
		return connection, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("connect to Temporal at %s: %w", options.HostPort, context.Cause(ctx))
	}
	if unreachable(err) {
		return nil, &UnreachableError{Address: options.HostPort, Err: reason(ctx, options, err)}
	}
	return nil, fmt.Errorf("connect to Temporal at %s: %w; check API key, certificates and namespace", options.HostPort, err)
}

func unreachable(err error) bool {
	var unavailable *serviceerror.Unavailable
	var late *serviceerror.DeadlineExceeded
	return errors.As(err, &unavailable) || errors.As(err, &late) || errors.Is(err, context.DeadlineExceeded)
}

// reason replaces a bare timeout, which is what retries inside gRPC make of a
// refused connection, by what the network says.
func reason(ctx context.Context, options client.Options, err error) error {
	if _, ok := errors.AsType[*serviceerror.Unavailable](err); ok {
		return err
	}
	dialer := net.Dialer{Timeout: dialTimeout / 4}
	connection, dialErr := dialer.DialContext(ctx, "tcp", options.HostPort)
	if dialErr != nil {
		return dialErr
	}
	_ = connection.Close()
	return fmt.Errorf("no answer within %s", dialTimeout)
}
