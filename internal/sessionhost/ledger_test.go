package sessionhost_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/sessionhost"
	"github.com/prompt-runner/prompt-runner/run"
)

const key = "01-1-0-execution"

func prepare(prompt string) func() (sessionhost.Spec, string, error) {
	return func() (sessionhost.Spec, string, error) {
		return sessionhost.Spec{Key: key, Prompt: "01", Seq: 1, Log: "/logs/" + prompt}, prompt, nil
	}
}

func never(t *testing.T) func() (sessionhost.Spec, string, error) {
	t.Helper()
	return func() (sessionhost.Spec, string, error) {
		t.Error("a session that exists was prepared again")
		return sessionhost.Spec{}, "", nil
	}
}

func TestOpenFindsWhatItMade(t *testing.T) {
	sessions := filepath.Join(t.TempDir(), "sessions")
	made, err := sessionhost.Open(sessions, key, prepare("do it"))
	require.NoError(t, err)
	found, err := sessionhost.Open(sessions, key, never(t))
	require.NoError(t, err)
	require.Equal(t, made, found)
	require.Equal(t, filepath.Join(sessions, key), found.Dir)
	require.Equal(t, run.Protocol, found.Spec.Protocol)
	text, err := found.Prompt()
	require.NoError(t, err)
	require.Equal(t, "do it", text)
	_, ended, err := found.Exit()
	require.NoError(t, err)
	require.False(t, ended)

	other, err := sessionhost.Open(sessions, key+"-2", prepare("another"))
	require.NoError(t, err)
	require.NotEqual(t, made.Dir, other.Dir)
}

func TestFailedPreparationLeavesNoSession(t *testing.T) {
	sessions := filepath.Join(t.TempDir(), "sessions")
	failed := errors.New("no")
	_, err := sessionhost.Open(sessions, key, func() (sessionhost.Spec, string, error) { return sessionhost.Spec{}, "", failed })
	require.ErrorIs(t, err, failed)
	require.NoDirExists(t, filepath.Join(sessions, key))
	_, err = sessionhost.Open(sessions, key, prepare("do it"))
	require.NoError(t, err)
}

// Every racing caller works on the session that one of them made, spec and
// prompt of the same one.
func TestRacingOpensGetOneSession(t *testing.T) {
	sessions := t.TempDir()
	const callers = 8
	opened, errs := make([]*sessionhost.Session, callers), make([]error, callers)
	var prepared atomic.Int64
	all := make(chan struct{})
	var racing sync.WaitGroup
	for i := range callers {
		racing.Go(func() {
			opened[i], errs[i] = sessionhost.Open(sessions, key, func() (sessionhost.Spec, string, error) {
				// None goes on before all have found that there is no session.
				if prepared.Add(1) == callers {
					close(all)
				}
				<-all
				return prepare(strconv.Itoa(i))()
			})
		})
	}
	racing.Wait()
	require.NoError(t, errors.Join(errs...))
	text, err := opened[0].Prompt()
	require.NoError(t, err)
	require.Equal(t, "/logs/"+text, opened[0].Spec.Log)
	for _, session := range opened {
		require.Equal(t, opened[0], session)
	}
	entries, err := os.ReadDir(sessions)
	require.NoError(t, err)
	require.Len(t, entries, 1, "the losers' directories are gone")
}

// What a killed caller was writing has another name until it is complete.
func TestLeftoversDoNotDisturb(t *testing.T) {
	sessions := t.TempDir()
	leftover := filepath.Join(sessions, ".new-123")
	require.NoError(t, os.MkdirAll(leftover, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(leftover, "spec.json"), []byte(`{"key": "`), 0o600))
	_, err := sessionhost.Open(sessions, key, prepare("do it"))
	require.NoError(t, err)
	_, err = sessionhost.Open(sessions, key, never(t))
	require.NoError(t, err)
}

func TestFirstExitRecordStands(t *testing.T) {
	session, err := sessionhost.Open(t.TempDir(), key, prepare("do it"))
	require.NoError(t, err)
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const writers = 8
	stand, errs := make([]sessionhost.Exit, writers), make([]error, writers)
	var racing sync.WaitGroup
	for i := range writers {
		racing.Go(func() {
			stand[i], errs[i] = session.Finish(sessionhost.Exit{
				ProviderSession: strconv.Itoa(i), EndedAt: at,
				Failure: &run.Failure{Class: run.ClassUnknown, Message: strconv.Itoa(i)},
			})
		})
	}
	racing.Wait()
	require.NoError(t, errors.Join(errs...))
	exit, ended, err := session.Exit()
	require.NoError(t, err)
	require.True(t, ended)
	require.Equal(t, run.Protocol, exit.Protocol)
	require.Equal(t, exit.ProviderSession, exit.Failure.Message)
	for _, one := range stand {
		require.Equal(t, exit, one, "whoever came later is told what stands")
	}
}

func TestUnreadableSessionsAreErrors(t *testing.T) {
	for name, tc := range map[string]struct{ file, text, want string }{
		"spec of another protocol": {"spec.json", `{"protocol": 2}`, "protocol 2, this release speaks 1"},
		"spec with more":           {"spec.json", `{"protocol": 1, "colour": "red"}`, "colour"},
		"torn spec":                {"spec.json", `{"protocol": 1`, "spec.json"},
		"exit of another protocol": {"exit.json", `{"protocol": 2}`, "protocol 2, this release speaks 1"},
		"exit with more":           {"exit.json", `{"protocol": 1, "colour": "red"}`, "colour"},
		"torn exit":                {"exit.json", "", "exit.json"},
	} {
		t.Run(name, func(t *testing.T) {
			sessions := t.TempDir()
			session, err := sessionhost.Open(sessions, key, prepare("do it"))
			require.NoError(t, err)
			path := filepath.Join(session.Dir, tc.file)
			require.NoError(t, os.WriteFile(path, []byte(tc.text), 0o600))
			session, err = sessionhost.Open(sessions, key, never(t))
			if err == nil {
				_, _, err = session.Exit()
				require.Error(t, err)
				_, finishErr := session.Finish(sessionhost.Exit{})
				require.Equal(t, err, finishErr, "it is not taken for an open session")
			}
			require.ErrorContains(t, err, tc.want)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, tc.text, string(data))
		})
	}
}

// A directory without its spec was not made by Open; no session is invented.
func TestDirectoryWithoutSpecIsAnError(t *testing.T) {
	sessions := t.TempDir()
	dir := filepath.Join(sessions, key)
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stray"), nil, 0o600))
	_, err := sessionhost.Open(sessions, key, prepare("do it"))
	require.ErrorContains(t, err, dir)
	require.NoFileExists(t, filepath.Join(dir, "spec.json"))
}
