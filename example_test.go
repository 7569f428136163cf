package promptrunner_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"go.temporal.io/sdk/client"

	promptrunner "github.com/prompt-runner/prompt-runner"
	"github.com/prompt-runner/prompt-runner/run"
)

func Example() {
	ctx := context.Background()
	temporal, err := client.DialContext(ctx, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer temporal.Close()

	runs := promptrunner.New(temporal)
	handle, err := runs.Start(ctx,
		run.Request{Packet: "/srv/packets/nightly", Prompts: []string{"01", "02"}},
		promptrunner.StartOptions{WorkflowID: "packet/nightly"})
	if already, ok := errors.AsType[*promptrunner.AlreadyRunningError](err); ok {
		handle, err = runs.Attach(already.WorkflowID, already.RunID), nil
	}
	if err != nil {
		log.Fatal(err)
	}

	result, err := handle.Follow(ctx, promptrunner.FollowOptions{
		Snapshot: func(snapshot run.Snapshot) { fmt.Println(snapshot.State) },
	})
	if failure, ok := errors.AsType[*promptrunner.Failure](err); ok {
		log.Fatalf("%s: %s", failure.Type, failure.Message)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d prompts completed\n", result.Completed, result.Total)
}
