package activities

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"github.com/prompt-runner/prompt-runner/run"
)

func TestOutward(t *testing.T) {
	t.Parallel()
	missing := &refusal{Type: run.FailurePreflight, Message: "no repository", Cause: errors.New("cause")}
	for name, tc := range map[string]struct {
		err     error
		kind    string
		final   bool
		message string
	}{
		"refusal":           {missing, run.FailurePreflight, true, "no repository"},
		"refusal, wrapped":  {fmt.Errorf("while opening: %w", missing), run.FailurePreflight, true, "no repository"},
		"refusal, joined":   {errors.Join(errors.New("disk"), missing), run.FailurePreflight, true, "no repository"},
		"infrastructure":    {errors.New("the disk is full"), "Infrastructure", false, "the disk is full"},
		"superseded":        {errSuperseded, "Infrastructure", false, errSuperseded.Error()},
		"deadline":          {context.DeadlineExceeded, "Infrastructure", false, context.DeadlineExceeded.Error()},
		"handover":          {fmt.Errorf("session: %w", errHandover), "Handover", false, errHandover.Error()},
		"no UTF-8":          {errors.New("open \xff\xfe: no"), "Infrastructure", false, "open \uFFFD: no"},
		"refusal, no UTF-8": {&refusal{Type: run.FailurePacketInvalid, Message: "name \xe4"}, run.FailurePacketInvalid, true, "name \uFFFD"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := outward(tc.err)
			app, ok := errors.AsType[*temporal.ApplicationError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tc.kind, app.Type())
			require.Equal(t, tc.final, app.NonRetryable())
			require.Contains(t, app.Message(), tc.message)
			_, err = proto.Marshal(temporal.GetDefaultFailureConverter().ErrorToFailure(err))
			require.NoError(t, err, "it can be reported")
		})
	}
	require.NoError(t, outward(nil))
	require.True(t, temporal.IsCanceledError(outward(fmt.Errorf("session: %w", temporal.NewCanceledError()))))
}

func TestOutwardIsBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"long":        strings.Repeat("x", 3<<20),
		"no UTF-8":    strings.Repeat("\xff\x00", 3<<19),
		"wide runes":  strings.Repeat("\U0001F600", 3<<18),
		"just enough": strings.Repeat("x", run.MaxMessage),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, err := range []error{errors.New(text), &refusal{Type: run.FailurePreflight, Message: text, Cause: errors.New(text)}} {
				data, err := proto.Marshal(temporal.GetDefaultFailureConverter().ErrorToFailure(outward(err)))
				require.NoError(t, err)
				require.Less(t, len(data), 2*run.MaxMessage)
			}
		})
	}
}
