package providers_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/run"
)

var at = time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)

func event(kind providers.EventType, data providers.Data) providers.Event {
	return providers.Event{At: at, Type: kind, Data: data}
}

func TestEventJSON(t *testing.T) {
	line, err := json.Marshal(event(providers.ErrorOccurred, providers.Data{
		ErrorCode: "provider_capacity", ErrorMessage: "full",
		ProviderError: &providers.ProviderError{Kind: "provider_capacity", Message: "full", Recovery: run.Failure{Class: run.ClassCapacity, Retryable: true, Severity: "error", Message: "full"}},
	}))
	require.NoError(t, err)
	require.JSONEq(t, `{"ts":"2026-03-04T05:06:07.089Z","type":"error_occurred","data":{
		"error_code":"provider_capacity","error_message":"full",
		"provider_error":{"kind":"provider_capacity","message":"full","recovery":{
			"class":"provider_capacity","retryable?":true,"repairable?":false,"resumeable?":false,
			"local_deterministic?":false,"remote_claim?":false,"severity":"error","message":"full"}}}}`, string(line))

	line, err = json.Marshal(event("later_kind", providers.Data{}))
	require.NoError(t, err)
	require.JSONEq(t, `{"ts":"2026-03-04T05:06:07.089Z","type":"later_kind"}`, string(line))
}

func TestCompactLine(t *testing.T) {
	tests := []struct {
		event providers.Event
		want  string
	}{
		{event(providers.RunStarted, providers.Data{Model: "claude-sonnet-4-5-20260101"}), `{"t":"rs","m":"sonnet-4-5"}`},
		{event(providers.RunStarted, providers.Data{Model: "simulated-demo"}), `{"t":"rs","m":"simulated-demo"}`},
		{event(providers.MessageStreamed, providers.Data{Content: "grüße"}), `{"t":"ms","l":7}`},
		{event(providers.MessageStreamed, providers.Data{}), `{"t":"ms","l":0}`},
		{event(providers.RunCompleted, providers.Data{StopReason: "end_turn"}), `{"t":"rc","sr":"end"}`},
		{event(providers.RunCompleted, providers.Data{StopReason: "MAX_TOKENS"}), `{"t":"rc","sr":"max_tokens"}`},
		{event(providers.ErrorOccurred, providers.Data{ErrorMessage: strings.Repeat("é", 120)}), `{"t":"er","x":"` + strings.Repeat("é", 120) + `"}`},
		{event(providers.ErrorOccurred, providers.Data{ErrorMessage: strings.Repeat("é", 121)}), `{"t":"er","x":"` + strings.Repeat("é", 120) + `..."}`},
		{event("later_kind", providers.Data{Content: "x"}), `{"t":"later_kind"}`},
	}
	for _, tt := range tests {
		require.Equal(t, `{"t":1772600767089,"e":`+tt.want+`}`, string(providers.CompactLine(tt.event)))
	}
}

func TestTranscript(t *testing.T) {
	start := event(providers.RunStarted, providers.Data{Model: "simulated-demo"})
	end := event(providers.RunCompleted, providers.Data{StopReason: "end_turn"})
	say := func(text string) providers.Event {
		return event(providers.MessageStreamed, providers.Data{Content: text})
	}
	tests := []struct {
		name   string
		events []providers.Event
		want   string
	}{
		{"nothing", nil, "--- 0 events ---\n"},
		{"silent", []providers.Event{start, end}, "r+ simulated-demo r-:end\n--- 2 events ---\n"},
		{"text", []providers.Event{start, say("one "), say("two"), end}, "r+ simulated-demo\n>> one two\nr-:end\n--- 4 events ---\n"},
		{"text with its own newline", []providers.Event{start, say("one\n"), end}, "r+ simulated-demo\n>> one\nr-:end\n--- 3 events ---\n"},
		{"failure", []providers.Event{start, event(providers.ErrorOccurred, providers.Data{ErrorMessage: "model is\nat capacity"})}, "r+ simulated-demo ! model is at capacity\n--- 2 events ---\n"},
		{"two texts", []providers.Event{say("a"), start, say("b")}, ">> a\nr+ simulated-demo\n>> b\n--- 3 events ---\n"},
		{"unknown event", []providers.Event{event("later_kind", providers.Data{})}, "?later_kind\n--- 1 events ---\n"},
		{"terminal controls", []providers.Event{say("\x1b[2J\x1b]0;title\x07red \x1b[31mfish\x1b[0m\rX\u009b\x08\ttab")}, ">> red fishX\ttab\n--- 1 events ---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			transcript := providers.NewTranscript(&out)
			for _, e := range tt.events {
				require.NoError(t, transcript.Write(e))
			}
			require.NoError(t, transcript.Close())
			require.Equal(t, tt.want, out.String())
		})
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestTranscriptReportsWriteErrors(t *testing.T) {
	transcript := providers.NewTranscript(full{})
	require.ErrorIs(t, transcript.Write(event(providers.RunStarted, providers.Data{})), errFull)
	require.ErrorIs(t, transcript.Close(), errFull)
}
