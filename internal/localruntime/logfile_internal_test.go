package localruntime

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRotate(t *testing.T) {
	f := newFiles(t)
	require.NoError(t, rotate(f.log()), "nothing to rotate")
	require.NoError(t, os.WriteFile(f.log(), []byte("log"), 0o600))

	require.NoError(t, os.Truncate(f.log(), maxLog))
	require.NoError(t, rotate(f.log()))
	require.FileExists(t, f.log())

	require.NoError(t, os.Truncate(f.log(), maxLog+1))
	require.NoError(t, rotate(f.log()))
	require.NoFileExists(t, f.log())
	require.FileExists(t, f.log()+".1")
}
