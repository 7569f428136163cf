package packet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

func TestSelect(t *testing.T) {
	loaded := files{
		"prompts/01.prompt.md": "", "prompts/02.prompt.md": prompt("depends_on: [01]"), "prompts/03.prompt.md": "",
		"prompts/04.prompt.md": prompt("depends_on: [100]"), "prompts/05_x.prompt.md": prompt("id: 100\ndepends_on: 3"),
	}.load(t, packet.Options{})
	tests := []struct {
		name      string
		ids, want []string
	}{
		{"all", nil, []string{"01", "02", "03", "100", "04"}},
		{"given order", []string{"03", "01"}, []string{"03", "01"}},
		{"dependencies first", []string{"03", "02", "01"}, []string{"03", "01", "02"}},
		{"as typed, once", []string{" 2", "02", "3"}, []string{"02", "03"}},
		{"what is not selected does not matter", []string{"4", "3"}, []string{"04", "03"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := packet.Select(loaded, test.ids)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}

	_, err := packet.Select(loaded, []string{"01", "99", "x"})
	require.EqualError(t, err, `packet sample has no prompt "99", "x"; it has: 01, 02, 03, 04, 100`)

	_, err = packet.Select(&packet.Packet{Prompts: []packet.Prompt{{ID: "01", DependsOn: []string{"01"}}}}, nil)
	require.EqualError(t, err, "the prompts 01 depend on each other in a circle; remove one of their depends_on")
}
