package gitcmd

import (
	"strings"
	"testing"
)

// FuzzStatus feeds the parser what git could print and what it never would. It
// must not panic, and what it accepts must be paths below the prefix.
func FuzzStatus(f *testing.F) {
	const oid = "0123456789012345678901234567890123456789"
	for _, entries := range [][]string{
		{},
		{"# branch.oid " + oid, "# branch.head main"},
		{"# branch.oid (initial)", "# branch.head (detached)"},
		{"1 .M N... 100644 100644 100644 " + oid + " " + oid + " sub/with space"},
		{"2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 sub/new", "sub/old"},
		{"2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 sub/new"},
		{"u UU N... 100644 100644 100644 100644 " + oid + " " + oid + " " + oid + " sub/both"},
		{"1 AM SCMU 160000 160000 160000 " + oid + " " + oid + " sub/module"},
		{"? sub/\xff\n\"quoted\"", "? sub/nested/"},
		{"! ignored"},
	} {
		f.Add(strings.Join(entries, "\x00")+"\x00", "sub/")
	}
	f.Fuzz(func(t *testing.T, out, prefix string) {
		status, err := parseStatus(out, prefix)
		if err != nil {
			return
		}
		for _, change := range status.Changes {
			if change.Code == "" {
				t.Errorf("a change without a code: %+v", change)
			}
			if len(change.Paths()) == 0 || change.Paths()[0] != change.Path {
				t.Errorf("the paths of %+v are %q", change, change.Paths())
			}
			if !strings.Contains(out, prefix+change.Path) {
				t.Errorf("the path of %+v is not in the output below %q", change, prefix)
			}
		}
	})
}
