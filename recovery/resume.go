package recovery

import "github.com/prompt-runner/prompt-runner/run"

// ResumePrompt is the text that continues an interrupted session.
const ResumePrompt = "Continue"

// Resumable reports whether the session that ended in f is to be resumed before
// its work is verified; resumes counts those of the attempt so far. A nil f is a
// normal end.
func Resumable(f *run.Failure, resumes int, p run.RecoveryPolicy) bool {
	return f != nil && f.Resumable && !Terminal(*f) && resumes < p.ResumeAttempts
}
