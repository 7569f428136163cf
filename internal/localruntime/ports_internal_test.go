package localruntime

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChoosePorts(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address(0))
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	takenPort := taken.Addr().(*net.TCPAddr).Port
	free, err := listen(0)
	require.NoError(t, err)
	freePort := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())

	chosen, err := choosePorts(takenPort, freePort)
	require.NoError(t, err)

	require.NotEqual(t, takenPort, chosen.frontend, "a taken port gives way to a free one")
	t.Cleanup(chosen.release)
	require.Equal(t, freePort, chosen.ui, "a free preferred port is kept")
	distinct := map[int]bool{chosen.frontend: true, chosen.history: true, chosen.matching: true, chosen.worker: true, chosen.ui: true}
	require.Len(t, distinct, 5)
	for port := range distinct {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address(port))
		require.NoError(t, err, "a chosen port can be listened on")
		require.NoError(t, listener.Close())
	}
}

// Between the choice of a port and its listener nothing listens on it.
func TestTwoRuntimesNeverChooseOnePort(t *testing.T) {
	free, err := listen(0)
	require.NoError(t, err)
	preferred := free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())

	first, err := choosePorts(preferred, 0)
	require.NoError(t, err)
	t.Cleanup(first.release)
	second, err := choosePorts(preferred, first.ui)
	require.NoError(t, err)
	t.Cleanup(second.release)

	require.Equal(t, preferred, first.frontend)
	require.NotEqual(t, first.frontend, second.frontend)
	require.NotEqual(t, first.ui, second.ui)
	first.release()
	third, err := choosePorts(preferred, 0)
	require.NoError(t, err)
	t.Cleanup(third.release)
	require.Equal(t, preferred, third.frontend, "a released port can be had again")
}
