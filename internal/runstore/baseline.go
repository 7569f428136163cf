package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
)

// Baseline loads the baseline of a prompt into value, and when there is none
// yet, stores what take puts there. pass counts the prompt's completions so far:
// a prompt that is run again after it completed starts from the tree as it is.
func (s *Store) Baseline(id, prompt string, pass, iteration int, value any, take func() error) error {
	path := filepath.Join(s.RunDir(id), "baselines", fmt.Sprintf("%s-%d-%d.json", prompt, pass, iteration))
	err := atomicfile.ReadJSON(path, value)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := take(); err != nil {
		return err
	}
	return atomicfile.WriteJSON(path, value)
}
