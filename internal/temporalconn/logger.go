package temporalconn

import (
	"context"
	"log/slog"

	"go.temporal.io/sdk/log"
)

// Logger passes what the SDK says at level warn and above to target; below that
// it talks about pollers and connections, which nobody can act on.
func Logger(target *slog.Logger) log.Logger {
	return log.NewStructuredLogger(slog.New(warnings{target.Handler()}))
}

// warnings is a handler that drops records below warn.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler {
	return warnings{w.Handler.WithGroup(name)}
}
