package recovery_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/recovery"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestDelay(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name                 string
		base, limit, suggest int64
		n                    int
		want                 time.Duration
	}{
		{"first is the base delay", 1000, 30000, 0, 1, 1000 * ms},
		{"second doubles", 1000, 30000, 0, 2, 2000 * ms},
		{"fifth", 1000, 30000, 0, 5, 16000 * ms},
		{"capped", 1000, 30000, 0, 6, 30000 * ms},
		{"suggestion replaces the base", 1000, 30000, 2000, 1, 2000 * ms},
		{"suggestion doubles too", 1000, 30000, 2000, 3, 8000 * ms},
		{"suggestion above the cap", 1000, 30000, 90000, 1, 30000 * ms},
		{"a base above the cap is the cap", 5000, 1000, 0, 4, 5000 * ms},
		{"zero policy removes suggestions", 0, 0, 2000, 1, 0},
		{"zero base without a suggestion", 0, 30000, 0, 9, 0},
		{"zero base with a suggestion", 0, 30000, 2000, 2, 4000 * ms},
		{"numbers from below one", 1000, 30000, 0, 0, 1000 * ms},
		{"absurd number", 1000, 30000, 0, math.MaxInt, 30000 * ms},
		{"absurd cap", 1000, math.MaxInt64, 0, math.MaxInt, math.MaxInt64 / ms * ms},
		{"absurd base and suggestion", math.MaxInt64, math.MaxInt64, math.MaxInt64, 3, math.MaxInt64 / ms * ms},
		{"negative values", -5, -7, -9, 3, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			policy := run.RetryPolicy{BaseDelayMS: tt.base, MaxDelayMS: tt.limit}
			failure := run.Failure{SuggestedDelayMS: tt.suggest}
			require.Equal(t, tt.want, recovery.Delay(policy, failure, tt.n, 12345))
		})
	}
}

func TestDelayJitter(t *testing.T) {
	tests := []struct {
		base      int64
		low, high time.Duration
	}{
		{0, 0, 0},
		{1, 1 * time.Millisecond, 1 * time.Millisecond},
		{2, 1 * time.Millisecond, 2 * time.Millisecond},
		{3, 1 * time.Millisecond, 3 * time.Millisecond},
		{9, 4 * time.Millisecond, 9 * time.Millisecond},
	}
	for _, tt := range tests {
		policy := run.RetryPolicy{BaseDelayMS: tt.base, MaxDelayMS: 100, Jitter: true}
		seen := map[time.Duration]bool{}
		for seed := range uint64(64) {
			delay := recovery.Delay(policy, run.Failure{}, 1, seed)
			require.GreaterOrEqual(t, delay, tt.low)
			require.LessOrEqual(t, delay, tt.high)
			seen[delay] = true
		}
		require.Len(t, seen, int((tt.high-tt.low)/time.Millisecond)+1, "every delay of base %d ms occurs", tt.base)
	}
	policy := run.RetryPolicy{BaseDelayMS: math.MaxInt64, MaxDelayMS: math.MaxInt64, Jitter: true}
	require.Positive(t, recovery.Delay(policy, run.Failure{}, 9, math.MaxUint64))
}

func TestSeed(t *testing.T) {
	seed := recovery.Seed("run", "01", 1)
	require.Equal(t, uint64(0xfe91ff5fe9e663b5), seed, "a changed seed changes the timers of open runs")
	require.NotEqual(t, seed, recovery.Seed("run", "01", 2))
	require.NotEqual(t, seed, recovery.Seed("run", "02", 1))
	require.NotEqual(t, seed, recovery.Seed("run0", "1", 1))
}
