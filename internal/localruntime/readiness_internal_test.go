package localruntime

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadiness(t *testing.T) {
	cases := map[string]struct {
		child func(starter)
		err   string
	}{
		"ready":            {child: starter.ready},
		"failed":           {child: func(s starter) { s.failed("no disk") }, err: "no disk"},
		"died":             {child: func(s starter) { _ = s.pipe.Close() }, err: "it ended without a word"},
		"first line holds": {child: func(s starter) { s.ready(); s.failed("later") }},
		"noise":            {child: func(s starter) { _, _ = s.pipe.WriteString("hello\n") }, err: `unexpected answer "hello\n": invalid character 'h' looking for beginning of value`},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			require.NoError(t, err)
			t.Cleanup(func() { _ = reader.Close(); _ = writer.Close() })
			test.child(starter{once: new(sync.Once), pipe: writer})
			err = awaitReadiness(t.Context(), reader)
			if test.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.err)
			}
		})
	}
}

func TestReadinessIsBounded(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = reader.Close(); _ = writer.Close() })
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	require.ErrorIs(t, awaitReadiness(ctx, reader), late)
}
