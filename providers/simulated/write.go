package simulated

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/prompt-runner/prompt-runner/providers"
	"github.com/prompt-runner/prompt-runner/simulation"
)

// applyWrites applies the writes of a turn in order. refused is the first one
// that may not be made, and none after it was; err is a fault of the machine.
func applyWrites(turn providers.Turn, writes []simulation.Write) (refused, err error) {
	if len(writes) == 0 {
		return nil, nil
	}
	journal, err := openJournal(turn.Journal)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.close()) }()
	for i, write := range writes {
		if err := applyWrite(journal, turn, i, write); err != nil {
			if no, ok := errors.AsType[*refusal](err); ok {
				return no, nil
			}
			return nil, err
		}
	}
	return nil, nil
}

// applyWrite applies the i-th write of a turn, from the file's journalled state
// when an earlier play of the turn got this far.
func applyWrite(journal *journal, turn providers.Turn, i int, write simulation.Write) error {
	place, err := locate(turn, write)
	if err != nil {
		return judge(write, err)
	}
	root, err := os.OpenRoot(place.root)
	if err != nil {
		return judge(write, err)
	}
	defer func() { _ = root.Close() }()

	if i == len(journal.entries) {
		before, err := stateOf(root, place)
		if err != nil {
			return judge(write, err)
		}
		if err := journal.add(before); err != nil {
			return err
		}
	}
	before := journal.entries[i]
	if before.Path != place.String() {
		return fmt.Errorf("journal %s belongs to another turn: write %d was of %s, the script says %s", turn.Journal, i+1, before.Path, place)
	}

	content := []byte(write.Text)
	if write.Append {
		content = slices.Concat(before.Content, content)
	}
	if err := replace(root, place.path, leftover(turn.Journal, i), content, before); err != nil {
		return judge(write, err)
	}
	return nil
}

// stateOf reads what a write is about to change.
func stateOf(root *os.Root, place target) (entry, error) {
	state := entry{Path: place.String()}
	info, err := root.Lstat(place.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return state, nil
	case err != nil:
		return entry{}, err
	case !info.Mode().IsRegular():
		return entry{}, refuse("simulated write to %s: it is a %s, not a regular file; change the script, or what stands there", place, kindOf(info.Mode()))
	}
	state.Existed, state.Mode = true, info.Mode().Perm()
	state.Content, err = root.ReadFile(place.path)
	return state, err
}

func kindOf(mode fs.FileMode) string {
	if mode.IsDir() {
		return "directory"
	}
	return "special file"
}

// leftover is the name that a write's new content has until it is complete. It
// is the same in every play of the turn, so that a replay takes over what a
// killed play left in the repository.
func leftover(journal string, i int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", journal, i))
	return ".prompt-runner-write-" + hex.EncodeToString(sum[:8])
}

// replace gives a file its new content in one step, and the mode it had.
func replace(root *os.Root, path, temporary string, content []byte, before entry) (err error) {
	dir := filepath.Dir(path)
	if err := root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temporary = filepath.Join(dir, temporary)
	if err := root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(temporary))
		}
	}()
	_, err = file.Write(content)
	if err == nil && before.Existed {
		err = file.Chmod(before.Mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return root.Rename(temporary, path)
}

// judge tells apart what the packet or the configuration of this machine forbids,
// which would be the same next time, from a fault that may pass.
func judge(write simulation.Write, err error) error {
	if _, ok := errors.AsType[*refusal](err); ok {
		return err
	}
	if isConfiguration(err) {
		return refuse("simulated write of %q: %v; change the script, or what stands there", write.Path, err)
	}
	return fmt.Errorf("simulated write of %q: %w", write.Path, err)
}

// configurationErrors are what the operating system says about permissions and
// about what stands where. Anything else, such as a full disk, may pass.
var configurationErrors = []error{
	fs.ErrPermission, fs.ErrNotExist, fs.ErrExist, syscall.EROFS, syscall.ENOTDIR, syscall.EISDIR,
	syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL,
}

func isConfiguration(err error) bool {
	return slices.ContainsFunc(configurationErrors, func(known error) bool { return errors.Is(err, known) })
}
