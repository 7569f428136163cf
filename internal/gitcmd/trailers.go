package gitcmd

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// trailerLine is one line of a trailer block: a trailer, or the continuation of
// the one before.
var trailerLine = regexp.MustCompile(`^([A-Za-z0-9-]+[ \t]*:|[ \t]+\S)`)

// appendTrailers ends the message with the trailers: in the message's own
// trailer block when it has one, since git reads the last block only.
func appendTrailers(message string, trailers []string) string {
	message = strings.TrimRight(message, " \t\r\n")
	if len(trailers) == 0 {
		return message + "\n"
	}
	separator := "\n\n"
	// The first paragraph is the title, however it looks.
	if at := strings.LastIndex(message, "\n\n"); at >= 0 && isTrailerBlock(message[at+2:]) {
		separator = "\n"
	}
	return message + separator + strings.Join(trailers, "\n") + "\n"
}

func isTrailerBlock(paragraph string) bool {
	for line := range strings.SplitSeq(paragraph, "\n") {
		if !trailerLine.MatchString(line) {
			return false
		}
	}
	return true
}

// FindTrailers searches the commits that HEAD has and from has not for lines
// "key: value" anywhere in their messages, and returns the commit of each value,
// the newest where several have the same. It does not ask git for trailers: what
// a message or a hook puts around them can make git overlook them. An empty from, or one that the repository no longer has, means
// all commits of HEAD.
func (r Repo) FindTrailers(ctx context.Context, from, key string) (map[string]string, error) {
	args := []string{
		"log", "--no-show-signature", "--no-patch", "--no-color", "-z", "--ignore-missing",
		"--fixed-strings", "--grep=" + key + ":",
		"--format=%H%x00%B", "HEAD",
	}
	if from != "" {
		args = append(args, "^"+from)
	}
	out, err := r.read(ctx, append(args, "--")...)
	if err != nil {
		if r.unborn(ctx) {
			return map[string]string{}, nil
		}
		return nil, err
	}
	fields := records(out)
	found := map[string]string{}
	if len(fields)%2 != 0 {
		return nil, fmt.Errorf("git log in %s: %d fields are no pairs of commit and message", r.Dir, len(fields))
	}
	for i := 0; i < len(fields); i += 2 {
		for line := range strings.SplitSeq(fields[i+1], "\n") {
			value, isKey := strings.CutPrefix(line, key+":")
			value = strings.TrimSpace(value)
			if _, known := found[value]; isKey && value != "" && !known {
				found[value] = fields[i]
			}
		}
	}
	return found, nil
}

// unborn reports whether the branch checked out has no commit yet.
func (r Repo) unborn(ctx context.Context) bool {
	status, err := r.Inspect(ctx)
	return err == nil && status.Head == ""
}
