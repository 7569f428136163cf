package cli

import (
	"bytes"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/run"
)

// interrupted awaits a run that ends after the given time, 0 for never, while
// interrupts arrive at the given times.
func interrupted(t *testing.T, ends time.Duration, interrupts ...time.Duration) (end ending, took time.Duration, said string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ended := make(chan ending, 1)
		if ends > 0 {
			time.AfterFunc(ends, func() { ended <- ending{result: run.Result{Run: "r"}} })
		}
		signals := make(chan interrupt, len(interrupts))
		for _, at := range interrupts {
			time.AfterFunc(at, func() { signals <- os.Interrupt })
		}
		var out bytes.Buffer
		a := &app{}
		end = a.await(t.Context(), watched{conn: &connection{}, dir: "/srv/p"}, render.NewPlain(&out), ended, signals)
		took, said = time.Since(began), out.String()
	})
	return end, took, said
}

func TestFirstInterruptDetaches(t *testing.T) {
	end, took, said := interrupted(t, 0, time.Second)
	require.ErrorIs(t, end.err, errDetached)
	require.Equal(t, time.Second+echoWindow+stopWindow, took)
	require.Contains(t, said, "prompt-runner attach /srv/p")
	require.Contains(t, said, "prompt-runner stop /srv/p")
}

// A wrapper passes on an interrupt that the terminal has delivered already: the
// run must not be stopped by it.
func TestEchoOfAnInterruptIsNoSecondOne(t *testing.T) {
	end, _, said := interrupted(t, 0, time.Second, time.Second, time.Second+echoWindow/2)
	require.ErrorIs(t, end.err, errDetached)
	require.NotContains(t, said, "stopping")
}

func TestRunThatEndsWhileDetachingIsReported(t *testing.T) {
	end, took, _ := interrupted(t, 2*time.Second, time.Second)
	require.NoError(t, end.err)
	require.Equal(t, "r", end.result.Run)
	require.Equal(t, 2*time.Second, took)
}

func TestRunThatEndsUndisturbed(t *testing.T) {
	end, _, said := interrupted(t, time.Second)
	require.Equal(t, "r", end.result.Run)
	require.Empty(t, said)
}
