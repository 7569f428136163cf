package runstore

import (
	"fmt"
	"path/filepath"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
)

// ReportName is the file name of the verifier report of an attempt.
func ReportName(prompt string, seq int) string {
	return fmt.Sprintf("%s-%d.json", prompt, seq)
}

// ReportPath is where a report of that name lies.
func (s *Store) ReportPath(id, name string) string {
	return filepath.Join(s.RunDir(id), "reports", filepath.Base(name))
}

// SaveReport stores a verifier report.
func (s *Store) SaveReport(id, name string, report any) error {
	return atomicfile.WriteJSON(s.ReportPath(id, name), report)
}

// Report reads a verifier report into the value that into points to.
func (s *Store) Report(id, name string, into any) error {
	if err := atomicfile.ReadJSON(s.ReportPath(id, name), into); err != nil {
		return fmt.Errorf("verifier report: %w", err)
	}
	return nil
}
