package verifier

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt-runner/prompt-runner/packet"
)

// regeneration is a transaction on the files that a command must write anew:
// what is there is put aside, and comes back unless the command succeeds and
// wrote every one of them.
type regeneration struct{ outputs []output }

type output struct {
	// name is what the author wrote.
	name string
	at   place
	// aside says that the file before is at the backup's place.
	aside bool
}

// backup is where the file before is put, relative to the root.
func (o output) backup() string { return o.at.relative + packet.BackupSuffix }

// inRoot does something in the root that the output lies in.
func (o output) inRoot(do func(root *os.Root) error) error {
	root, err := os.OpenRoot(o.at.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return do(root)
}

// stage puts the outputs of a command aside. When it cannot, the item says why,
// nothing has changed and ok is false.
func (s Scope) stage(item *Item, command packet.Command, base string) (r *regeneration, ok bool) {
	r = &regeneration{}
	for _, name := range command.Regenerates {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		at, confined := s.confine(item, name, path)
		if !confined {
			r.rollback(item)
			return nil, false
		}
		if slices.ContainsFunc(r.outputs, func(o output) bool { return o.at.path == at.path }) {
			continue
		}
		o := output{name: name, at: at}
		if err := o.putAside(s.Resumed); err != nil {
			item.Fault = FaultVerifier
			item.Details = fmt.Sprintf("could not put %s aside before it is generated anew: %v", at.path, err)
			r.rollback(item)
			return nil, false
		}
		r.outputs = append(r.outputs, o)
	}
	return r, true
}

// putAside moves the file to the backup's place. A backup that an interrupted
// evaluation left is the file as it was before; it is put back first.
func (o *output) putAside(resumed bool) error {
	return o.inRoot(func(root *os.Root) error {
		here, err := present(root, o.at.relative)
		if err != nil {
			return err
		}
		left, err := present(root, o.backup())
		if err != nil {
			return err
		}
		switch {
		case left && here && !resumed:
			return fmt.Errorf("an evaluation that was cut short left %[2]s beside it; keep the one or the other with: mv %[2]s %[1]s, or: rm %[2]s",
				quote([]string{o.at.path}), quote([]string{o.at.path + packet.BackupSuffix}))
		case left:
			// Renaming replaces a half-written output.
			if err := root.Rename(o.backup(), o.at.relative); err != nil {
				return err
			}
			here = true
		}
		if !here {
			return nil
		}
		if err := root.Rename(o.at.relative, o.backup()); err != nil {
			return err
		}
		o.aside = true
		return nil
	})
}

func present(root *os.Root, name string) (bool, error) {
	_, err := root.Lstat(name)
	if isMissing(err) {
		return false, nil
	}
	return err == nil, err
}

// rollback brings back what was there before.
func (r *regeneration) rollback(item *Item) {
	for _, o := range r.outputs {
		err := o.inRoot(func(root *os.Root) error {
			if o.aside {
				if info, err := root.Lstat(o.at.relative); err == nil && info.IsDir() {
					if err := root.RemoveAll(o.at.relative); err != nil {
						return err
					}
				}
				return root.Rename(o.backup(), o.at.relative)
			}
			err := root.RemoveAll(o.at.relative)
			if isMissing(err) {
				return nil
			}
			return err
		})
		if err != nil {
			item.Pass, item.Fault = false, FaultVerifier
			item.Details = fmt.Sprintf("could not bring back %s from %s: %v\n%s", o.at.path, o.at.path+packet.BackupSuffix, err, item.Details)
		}
	}
	r.outputs = nil
}

// finish keeps the new files of a command that passed and wrote all of them, and
// rolls everything else back.
func (r *regeneration) finish(item *Item) {
	if !item.Pass {
		r.rollback(item)
		return
	}
	var missing []string
	for _, o := range r.outputs {
		err := o.inRoot(func(root *os.Root) error {
			info, err := root.Lstat(o.at.relative)
			switch {
			case isMissing(err):
				return errors.New("was not written")
			case err != nil:
				return err
			case !info.Mode().IsRegular():
				return errors.New("is no regular file")
			case info.Size() == 0:
				return errors.New("is empty")
			}
			return nil
		})
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s %v", o.name, err))
		}
	}
	if len(missing) > 0 {
		item.Pass = false
		item.Details = strings.TrimSpace(fmt.Sprintf("expected the command to write its files anew: %s (in %s); what was there before is back\n%s", listing(missing), item.Cwd, item.Details))
		r.rollback(item)
		return
	}
	for _, o := range r.outputs {
		item.Regenerated = append(item.Regenerated, readable(o.name))
		if !o.aside {
			continue
		}
		err := o.inRoot(func(root *os.Root) error { return root.Remove(o.backup()) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			item.Pass, item.Fault = false, FaultVerifier
			item.Details = fmt.Sprintf("could not remove %s: %v", o.at.path+packet.BackupSuffix, err)
		}
	}
	r.outputs = nil
}
