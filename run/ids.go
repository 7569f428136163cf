package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Protocol is the version of the workflow inputs, session specs and runtime
// records that this build writes and accepts. Another version is refused.
const Protocol = 1

// Task queues. Host queues are derived from the host id.
const (
	// SharedQueue carries PacketRun, and OpenRun when no host was named.
	SharedQueue = "prompt-runner"
)

// HostQueue is the queue of everything that must run where the repositories
// are: PromptRun workflow tasks and every activity except RunSession.
func HostQueue(host string) string { return SharedQueue + ".host." + host }

// SessionQueue carries RunSession only, so that long sessions never delay a
// verification or a commit of the same host.
func SessionQueue(host string) string { return HostQueue(host) + ".sessions" }

// WorkerIdentity is what a worker of a host calls itself towards Temporal.
// HostOfIdentity is its inverse.
func WorkerIdentity(host, build string) string { return host + "@" + build }

// HostOfIdentity returns the host id in a worker identity, or "" when the
// identity was not made by WorkerIdentity.
func HostOfIdentity(identity string) string {
	host, _, ok := strings.Cut(identity, "@")
	if !ok {
		return ""
	}
	return host
}

// PacketRunID is the workflow id the CLI gives a leg of a packet: the packet's
// name for people, and eight hex digits of host and root so that two packets of
// one name do not collide. Other ids are allowed; the run lock is what excludes.
func PacketRunID(name, host, root string) string {
	sum := sha256.Sum256([]byte(host + "\x00" + root))
	return "packet/" + plain(name) + "-" + hex.EncodeToString(sum[:4])
}

// maxPlain bounds a name in a workflow id, in characters.
const maxPlain = 80

// plain makes a name safe for a workflow id, which travels in gRPC headers and
// in addresses: other characters than ASCII letters, digits, "." and "_" become
// one hyphen.
func plain(name string) string {
	var out []byte
	for _, r := range name {
		switch {
		case len(out) == maxPlain:
			return string(out)
		case r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
			out = append(out, byte(r))
		case len(out) == 0 || out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	return string(out)
}

// PromptRunID is the workflow id of one prompt in one leg of a run.
func PromptRunID(runID string, leg int, prompt string) string {
	return fmt.Sprintf("run/%s/leg-%d/prompt-%s", runID, leg, prompt)
}

// SessionKey names one provider session, and the directory that holds its
// evidence. It contains the Temporal run id of the workflow execution that
// scheduled it, so that neither a reset nor a new leg adopts older evidence.
func SessionKey(prompt string, seq, resume int, execution string) string {
	return fmt.Sprintf("%s-%d-%d-%s", prompt, seq, resume, execution)
}

// TaskValue is the value of the environment variable [TaskVariable] in every
// process that one activity starts for one attempt: by it a later execution of
// the same activity finds and ends what a killed worker left behind.
func TaskValue(runID, prompt string, seq int, activity string) string {
	return fmt.Sprintf("%s/%s/%d/%s", runID, prompt, seq, activity)
}

// TaskVariable marks the processes of verifications and commits.
const TaskVariable = "PROMPT_RUNNER_TASK"

// SessionVariable marks every process of a provider session with its key. With
// it set, no command starts a local runtime.
const SessionVariable = "PROMPT_RUNNER_SESSION"

// Commit trailers.
const (
	TrailerRun    = "Prompt-Runner-Run"
	TrailerPrompt = "Prompt-Runner-Prompt"
	TrailerCommit = "Prompt-Runner-Commit"
)

// CommitTrailer is the value of TrailerCommit for the n-th commit that one
// attempt makes in a repository; n starts at 1.
func CommitTrailer(runID, prompt string, seq, n int) string {
	if n <= 1 {
		return fmt.Sprintf("%s/%s/%d", runID, prompt, seq)
	}
	return fmt.Sprintf("%s/%s/%d.%d", runID, prompt, seq, n)
}
