package temporalconn_test

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

func TestDialUnreachable(t *testing.T) {
	closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := closed.Addr().String()
	require.NoError(t, closed.Close())

	_, err = temporalconn.Dial(t.Context(), client.Options{HostPort: address})

	var unreachable *temporalconn.UnreachableError
	require.ErrorAs(t, err, &unreachable)
	require.Equal(t, address, unreachable.Address)
	require.ErrorContains(t, err, "Temporal at "+address+" is unreachable: ")
	require.ErrorContains(t, err, "connection refused")
	require.ErrorContains(t, err, "unset TEMPORAL_ADDRESS to use the local runtime")
}

func TestDialStopsWithItsContext(t *testing.T) {
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0") // accepts and never answers
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err = temporalconn.Dial(ctx, client.Options{HostPort: silent.Addr().String()})

	require.ErrorIs(t, err, context.Canceled)
	var unreachable *temporalconn.UnreachableError
	require.NotErrorAs(t, err, &unreachable)
}
