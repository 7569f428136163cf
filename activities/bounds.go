package activities

import (
	"encoding/json"
	"fmt"

	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/run"
)

// What a packet may be long in, so that no result outgrows what may enter
// Temporal's history. Texts are cut; what cannot be cut is refused.
const (
	// maxName bounds names that are only shown, in bytes.
	maxName = 200
	// maxPrompts bounds the prompts of a leg, of at most about 200 bytes each.
	maxPrompts = 1000
	// maxBlockers bounds the unmet dependencies that a prompt lists.
	maxBlockers = 4
	// maxTargets bounds the names of a prompt's repositories, in bytes of JSON
	// and with what a commit adds to each.
	maxTargets = 96 << 10
	// targetCost is what a commit result says of a repository besides its name
	// and its reason, in bytes of JSON.
	targetCost = 160
	// maxReasons bounds why repositories were not committed, all of them
	// together and before JSON escapes quotes and control characters.
	maxReasons = 24 << 10
	// maxClasses bounds the classes of failure that a recovery policy names, in
	// bytes of JSON.
	maxClasses = 64 << 10
)

// bounded refuses a selection whose plan or outcome would be too long.
func bounded(loaded *packet.Packet, selected []string) error {
	if len(selected) > maxPrompts {
		return &refusal{Type: run.FailurePacketInvalid, Message: fmt.Sprintf(
			"%d prompts are selected, a run holds at most %d; name some of them, or split the packet", len(selected), maxPrompts)}
	}
	for _, id := range selected {
		prompt, _ := loaded.Prompt(id)
		if size := encodedSize(prompt.Targets) + targetCost*len(prompt.Targets); size > maxTargets {
			return &refusal{Type: run.FailurePacketInvalid, Message: fmt.Sprintf(
				"%s: targets: the %d repositories need %d bytes in a commit result, which has room for %d; split the prompt, or shorten the names",
				prompt.File, len(prompt.Targets), size, maxTargets)}
		}
		if size := encodedSize(prompt.Recovery.Retry.ClassAttempts); size > maxClasses {
			return &refusal{Type: run.FailurePacketInvalid, Message: fmt.Sprintf(
				"%s: recovery.retry.class_attempts: its %d classes need %d bytes, a policy has room for %d; remove some",
				prompt.File, len(prompt.Recovery.Retry.ClassAttempts), size, maxClasses)}
		}
	}
	return nil
}

func encodedSize(value any) int {
	data, err := json.Marshal(value)
	if err != nil {
		// Strings and numbers always encode.
		panic(err)
	}
	return len(data)
}
