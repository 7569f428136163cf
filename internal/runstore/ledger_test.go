package runstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/runstore"
)

func TestLedgerKeepsEntriesInOrder(t *testing.T) {
	ledger := newStore(t).Ledger(runID)
	entries, err := ledger.Read()
	require.NoError(t, err)
	require.Empty(t, entries, "before the first append")

	want := []runstore.Entry{attempt("01", 1), plan("01", 1), completed("01", 1)}
	for _, entry := range want {
		appendEntry(t, ledger, entry)
	}
	entries, err = ledger.Read()
	require.NoError(t, err)
	require.Equal(t, want, entries)
}

// A caller that may have been killed between append and record recognises its
// entry and adds nothing.
func TestAppendIsIdempotentThroughNext(t *testing.T) {
	ledger := newStore(t).Ledger(runID)
	once := func(entries []runstore.Entry) (*runstore.Entry, error) {
		if runstore.Completions(entries, "01") > 0 {
			return nil, nil
		}
		entry := completed("01", 1)
		return &entry, nil
	}
	for range 3 {
		require.NoError(t, ledger.Append(once))
	}
	entries, err := ledger.Read()
	require.NoError(t, err)
	require.Len(t, entries, 1)

	refused := errors.New("no")
	require.ErrorIs(t, ledger.Append(func([]runstore.Entry) (*runstore.Entry, error) { return nil, refused }), refused)
}

func TestConcurrentAppendsLoseNothing(t *testing.T) {
	state := newState(t)
	const each = 5
	errs := make([]error, 4)
	var writers sync.WaitGroup
	for i := range errs {
		writers.Go(func() {
			// A store of its own, as another process has.
			ledger := runstore.New(state).Ledger(runID)
			for range each {
				errs[i] = errors.Join(errs[i], ledger.Append(func(entries []runstore.Entry) (*runstore.Entry, error) {
					entry := attempt("01", runstore.NextSeq(entries, "01"))
					return &entry, nil
				}))
			}
		})
	}
	writers.Wait()
	require.NoError(t, errors.Join(errs...))
	entries, err := runstore.New(state).Ledger(runID).Read()
	require.NoError(t, err)
	require.Len(t, entries, len(errs)*each)
	for i, entry := range entries {
		require.Equal(t, i+1, entry.Seq)
	}
}

func TestTornLastLineNeverCounted(t *testing.T) {
	for name, torn := range map[string]string{
		"half an entry":          `{"type":"completed","prompt":"01","se`,
		"without its line break": `{"type":"completed","prompt":"01","seq":1,"at":"2026-03-04T05:06:07Z"}`,
		"longer than the next":   `{"type":"completed","prompt":"` + strings.Repeat("x", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			ledger := store.Ledger(runID)
			appendEntry(t, ledger, attempt("01", 1))
			path := filepath.Join(store.RunDir(runID), "ledger.jsonl")
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, append(whole, torn...), 0o600))

			entries, err := ledger.Read()
			require.NoError(t, err)
			require.Equal(t, []runstore.Entry{attempt("01", 1)}, entries)

			appendEntry(t, ledger, attempt("01", 2))
			entries, err = ledger.Read()
			require.NoError(t, err)
			require.Equal(t, []runstore.Entry{attempt("01", 1), attempt("01", 2)}, entries)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 2, strings.Count(string(data), "\n"))
			require.True(t, strings.HasSuffix(string(data), "}\n"), "nothing of the torn line is left")
		})
	}
}

func TestDamagedLineIsAnError(t *testing.T) {
	const good = `{"type":"attempt","prompt":"01","seq":1,"at":"2026-03-04T05:06:07Z"}` + "\n"
	for name, tc := range map[string]struct{ line, want string }{
		"no JSON":       {"junk\n", "invalid character"},
		"blank":         {"\n", "EOF"},
		"unknown field": {`{"type":"attempt","prompt":"01","seq":1,"at":"2026-03-04T05:06:07Z","colour":"red"}` + "\n", "colour"},
		"unknown type":  {`{"type":"undone","prompt":"01","seq":1,"at":"2026-03-04T05:06:07Z"}` + "\n", `"undone" is unknown`},
		"null":          {"null\n", `"" is unknown`},
		"two in one":    {strings.TrimSpace(good) + good, "something follows"},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			path := filepath.Join(store.RunDir(runID), "ledger.jsonl")
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			text := good + tc.line + good
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

			_, err := store.Ledger(runID).Read()
			require.ErrorContains(t, err, path+":2: ")
			require.ErrorContains(t, err, tc.want)
			err = store.Ledger(runID).Append(func([]runstore.Entry) (*runstore.Entry, error) {
				t.Error("next was asked although the ledger cannot be read")
				return nil, nil
			})
			require.ErrorContains(t, err, path+":2: ")
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, text, string(data), "nothing was changed")
		})
	}
}

func TestWhatEntriesSay(t *testing.T) {
	for name, tc := range map[string]struct {
		entries     []runstore.Entry
		next        int
		completions int
		// pending is the seq of the pending commit, 0 for none.
		pending int
	}{
		"nothing":                    {nil, 1, 0, 0},
		"another prompt":             {[]runstore.Entry{attempt("02", 4), plan("02", 4), completed("02", 4)}, 1, 0, 0},
		"attempt":                    {[]runstore.Entry{attempt("01", 1)}, 2, 0, 0},
		"highest, not last":          {[]runstore.Entry{attempt("01", 7), attempt("01", 2)}, 8, 0, 0},
		"plans take no number":       {[]runstore.Entry{attempt("01", 1), plan("01", 9)}, 2, 0, 9},
		"planned":                    {[]runstore.Entry{attempt("01", 1), plan("01", 1)}, 2, 0, 1},
		"planned, another completed": {[]runstore.Entry{attempt("01", 1), plan("01", 1), completed("02", 1)}, 2, 0, 1},
		"completed":                  {[]runstore.Entry{attempt("01", 1), plan("01", 1), completed("01", 1)}, 2, 1, 0},
		"a later attempt voids":      {[]runstore.Entry{attempt("01", 1), plan("01", 1), attempt("01", 2)}, 3, 0, 0},
		"newest plan":                {[]runstore.Entry{attempt("01", 1), plan("01", 1), attempt("01", 2), plan("01", 2)}, 3, 0, 2},
		"run again after completion": {[]runstore.Entry{completed("01", 1), attempt("01", 2), plan("01", 2)}, 3, 1, 2},
		"completed twice":            {[]runstore.Entry{attempt("01", 1), completed("01", 1), attempt("01", 2), completed("01", 2)}, 3, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tc.next, runstore.NextSeq(tc.entries, "01"))
			require.Equal(t, tc.completions, runstore.Completions(tc.entries, "01"))
			pending := runstore.PendingCommit(tc.entries, "01")
			if tc.pending == 0 {
				require.Nil(t, pending)
				return
			}
			require.NotNil(t, pending)
			require.Equal(t, tc.pending, pending.Seq)
			require.Equal(t, []string{"app"}, pending.Repos)
		})
	}
}
