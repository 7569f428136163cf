package localruntime

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/log/tag"
)

// serverLogger passes the server's errors to a slog logger. Below error the
// server reports its daily business, some of it as warnings.
type serverLogger struct {
	target *slog.Logger
	// fatal is told why the process ends; it may return.
	fatal func(reason string)
}

var _ log.Logger = serverLogger{}

// Debug drops the message.
func (serverLogger) Debug(string, ...tag.Tag) {}

// Info drops the message.
func (serverLogger) Info(string, ...tag.Tag) {}

// Warn drops the message.
func (serverLogger) Warn(string, ...tag.Tag) {}

// Error logs the message.
func (l serverLogger) Error(message string, tags ...tag.Tag) { l.write(message, tags) }

// DPanic logs the message; it panics in development builds of the server only.
func (l serverLogger) DPanic(message string, tags ...tag.Tag) { l.write(message, tags) }

// Panic logs the message and panics.
func (l serverLogger) Panic(message string, tags ...tag.Tag) {
	l.write(message, tags)
	panic(message)
}

// Fatal ends the process, as the server expects: it goes on with a half-open
// state when Fatal returns.
func (l serverLogger) Fatal(message string, tags ...tag.Tag) {
	l.write(message, tags)
	reason := message
	for _, t := range tags {
		if t.Key() == "error" {
			reason = fmt.Sprintf("%s: %v", message, t.Value())
		}
	}
	l.fatal(reason)
	os.Exit(1)
}

func (l serverLogger) write(message string, tags []tag.Tag) {
	attrs := make([]slog.Attr, len(tags))
	for i, t := range tags {
		attrs[i] = slog.Any(t.Key(), t.Value())
	}
	l.target.LogAttrs(context.Background(), slog.LevelError, message, attrs...)
}
