package temporalconn_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

func TestLoggerPassesWarningsOnly(t *testing.T) {
	var out bytes.Buffer
	logger := temporalconn.Logger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	logger.Debug("debug")
	logger.Info("info")
	require.Empty(t, out.String())
	logger.Warn("careful", "key", "value")
	logger.Error("broken")
	require.Contains(t, out.String(), `msg=careful key=value`)
	require.Contains(t, out.String(), `msg=broken`)
}
