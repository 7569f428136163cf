package recovery

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// maxDelayMS is the longest delay, in milliseconds, that a time.Duration holds.
const maxDelayMS = math.MaxInt64 / int64(time.Millisecond)

// Delay is the wait before the n-th retry of a failure, n from 1: the suggested
// or else the base delay, doubled for every earlier retry, at most the policy's
// maximum (or its base delay, when that is larger). With jitter, seed picks a
// millisecond between half of that and all of it.
func Delay(p run.RetryPolicy, f run.Failure, n int, seed uint64) time.Duration {
	base := max(p.BaseDelayMS, 0)
	limit := min(max(p.MaxDelayMS, base), maxDelayMS)
	delay := base
	if f.SuggestedDelayMS > 0 {
		delay = f.SuggestedDelayMS
	}
	delay = min(delay, limit)
	for i := 1; i < n && delay > 0 && delay < limit; i++ {
		delay = min(delay*2, limit)
	}
	if p.Jitter && delay > 0 {
		low := max(delay/2, 1)
		delay = low + int64(seed%uint64(delay-low+1))
	}
	return time.Duration(delay) * time.Millisecond
}

// Seed derives the jitter of one attempt, so that replays wait equally long and
// prompts that failed together do not come back together.
func Seed(runID, prompt string, seq int) uint64 {
	sum := sha256.Sum256([]byte(runID + "\x00" + prompt + "\x00" + strconv.Itoa(seq)))
	return binary.BigEndian.Uint64(sum[:8])
}
