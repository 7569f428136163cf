package activities

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// lockFiles are the files by which git excludes another writer from what a
// commit touches.
func (j *commitJob) lockFiles() []string {
	files := []string{
		filepath.Join(j.dirs.Own, "index.lock"),
		filepath.Join(j.dirs.Own, "HEAD.lock"),
	}
	if j.baseline.Branch != "" {
		files = append(files, filepath.Join(j.dirs.Common, "refs", "heads", filepath.FromSlash(j.baseline.Branch)+".lock"))
	}
	return files
}

// removeOwnLocks removes the lock files that a killed git of ours left behind:
// those newer than the commit plan. git removes its locks on SIGTERM, not on
// SIGKILL.
func (j *commitJob) removeOwnLocks(planned time.Time) error {
	for _, file := range j.lockFiles() {
		info, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.ModTime().Before(planned) {
			continue
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// foreignLock returns a lock file that is there and not ours to remove.
func (j *commitJob) foreignLock() string {
	for _, file := range j.lockFiles() {
		if _, err := os.Lstat(file); err == nil {
			return file
		}
	}
	return ""
}
