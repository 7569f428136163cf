package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/internal/localruntime"
	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/statedir"
	"github.com/prompt-runner/prompt-runner/run"
)

const (
	// stopWindow is how long after a first interrupt a second one stops the run.
	stopWindow = 3 * time.Second
	// echoWindow is how long after an interrupt another one counts as the same:
	// wrappers pass on what the terminal has sent to the whole group already.
	echoWindow = 50 * time.Millisecond
	// silence is how many snapshots in a row may fail before a person is told.
	silence = 4
)

// watched is a run that is followed.
type watched struct {
	conn   *connection
	handle *promptrunner.Handle
	state  statedir.Dir
	// dir is the packet, for the commands that messages suggest.
	dir string
	// names are the prompts' names by id, known before a prompt has begun.
	names map[string]string
	// quiet shows no progress.
	quiet bool
	// display says what else is shown.
	display displayFlags
}

// ending is how a followed run ended.
type ending struct {
	result   run.Result
	snapshot run.Snapshot
	err      error
}

// watch shows a run until it ends. A first interrupt detaches, a second one
// within three seconds stops the run; when this process hosts the run, a first
// interrupt stops it, since it cannot go on alone.
func (a *app) watch(ctx context.Context, w watched) ending {
	signals, release := a.env.Interrupts()
	defer release()
	progress := a.progress(w)
	following, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	said := a.followSessions(following, w)
	defer func() {
		leave(nil)
		<-said
	}()

	ended := make(chan ending, 1)
	go func() {
		result, err := w.handle.Follow(following, a.followOptions(w, progress, leave))
		ended <- ending{result: result, err: err}
	}()
	end := a.await(ctx, w, progress, ended, signals)
	leave(errDetached)
	if live, ok := progress.(*render.Live); ok && !errors.Is(end.err, errDetached) {
		live.Clear()
	}
	end.snapshot = progress.Last()
	return end
}

// await waits for the end or for interrupts.
func (a *app) await(ctx context.Context, w watched, progress render.Progress, ended <-chan ending, signals <-chan interrupt) ending {
	select {
	case end := <-ended:
		return end
	case <-signals:
	}
	for echo := time.After(echoWindow); echo != nil; {
		select {
		case end := <-ended:
			return end
		case <-signals:
		case <-echo:
			echo = nil
		}
	}
	detached := ending{err: errDetached}
	if !w.conn.hosted {
		progress.Note(fmt.Sprintf("detached: the run goes on; interrupt again within %s to stop it\nto follow it: prompt-runner attach %s\nto stop it: prompt-runner stop %s",
			stopWindow, shellWord(w.dir), shellWord(w.dir)))
		window := time.NewTimer(stopWindow)
		defer window.Stop()
		select {
		case end := <-ended:
			return end
		case <-window.C:
			return detached
		case <-signals:
		}
	}
	progress.Note("stopping the run; interrupt again to leave without waiting")
	if err := w.handle.Stop(ctx); err != nil {
		return ending{err: err}
	}
	select {
	case end := <-ended:
		return end
	case <-signals:
		return detached
	}
}

func (a *app) followOptions(w watched, progress render.Progress, leave context.CancelCauseFunc) promptrunner.FollowOptions {
	unanswered := 0
	return promptrunner.FollowOptions{
		Snapshot: func(snapshot run.Snapshot) {
			unanswered = 0
			for i := range snapshot.Prompts {
				if prompt := &snapshot.Prompts[i]; prompt.Name == "" {
					prompt.Name = w.names[prompt.Prompt]
				}
			}
			progress.Update(snapshot)
		},
		Unanswered: func(err error) {
			unanswered++
			if w.conn.local && !w.conn.hosted {
				if _, running, findErr := localruntime.Find(w.state); findErr == nil && !running {
					leave(withNext(&runtimeError{errors.New("the local runtime has ended; the run goes on when one is started again")},
						step{"go on and follow", "prompt-runner attach " + shellWord(w.dir)}))
					return
				}
			}
			if unanswered == silence {
				progress.Note("no answer about where the run stands, waiting for a worker: " + render.OneLine(err.Error()))
			}
		},
	}
}

// followSessions also prints what the run's sessions say, where that is asked for.
// The channel is closed when the last of it is printed.
func (a *app) followSessions(ctx context.Context, w watched) <-chan struct{} {
	done := make(chan struct{})
	if w.quiet || !w.display.transcripts() {
		close(done)
		return done
	}
	sessions := newTail(w.dir, "", a.env.Stdout)
	if view, err := sessions.dir.Read(); err == nil {
		sessions.skip(view, transcript{}, false)
	}
	go func() {
		defer close(done)
		err := sessions.until(ctx, func() (bool, error) { return false, nil })
		if errors.Is(err, ctx.Err()) {
			_ = sessions.step() // the last lines; a fault has been told
			return
		}
		_, _ = fmt.Fprintf(a.env.Stderr, "what sessions say cannot be shown any more: %v\n", err)
	}()
	return done
}

// progress chooses how a run is shown.
func (a *app) progress(w watched) render.Progress {
	switch {
	case w.quiet || w.display.eventsMode == "off":
		return render.NewPlain(io.Discard)
	case a.env.redrawable() && !w.display.transcripts():
		return render.NewLive(a.env.Stdout, a.style, a.env.Now)
	}
	return render.NewPlain(a.env.Stdout)
}

// style is what Stdout can show now.
func (a *app) style() render.Style {
	if !a.env.StdoutTerminal {
		return render.Style{}
	}
	columns, lines := a.env.Size()
	return render.Style{Colour: a.env.redrawable(), Width: columns, Height: lines}
}
