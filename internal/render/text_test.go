package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/render"
)

func TestCutCountsColumns(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"plain", 5, "plain"},
		{"plain", 4, "pla…"},
		{"plain", 1, "…"},
		{"plain", 0, ""},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"e\u0301te\u0301", 3, "e\u0301te\u0301"},
		{"", 3, ""},
	} {
		got := render.Cut(tt.text, tt.limit)
		require.Equal(t, tt.want, got, "%q to %d", tt.text, tt.limit)
		require.LessOrEqual(t, render.Columns(got), max(tt.limit, 0))
	}
}

func TestOneLineCannotSteerTheTerminal(t *testing.T) {
	require.Equal(t, "a b [31mred c\uFFFD", render.OneLine(" a\r\nb\t\x1b[31mred\x00 c\xff "))
}

func TestDuration(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{
		{-time.Second, "0.0s"},
		{420 * time.Millisecond, "0.4s"},
		{9949 * time.Millisecond, "9.9s"},
		{9950 * time.Millisecond, "10s"},
		{59400 * time.Millisecond, "59s"},
		{59600 * time.Millisecond, "1m 00s"},
		{185 * time.Second, "3m 05s"},
		{time.Hour - 400*time.Millisecond, "1h 00m"},
		{127 * time.Minute, "2h 07m"},
		{97 * time.Hour, "4d 1h"},
	} {
		require.Equal(t, tt.want, render.Duration(tt.d), "%s", tt.d)
	}
}
