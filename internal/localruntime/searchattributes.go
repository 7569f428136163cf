package localruntime

import (
	"context"
	"fmt"
	"maps"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
)

// attributeDelay is how long the server may not know a new search attribute:
// its namespace cache is refreshed every two seconds, and a workflow task that
// uses the attribute earlier fails and waits ten.
const attributeDelay = 3 * time.Second

// addSearchAttributes adds those that a database of an earlier release lacks.
func addSearchAttributes(ctx context.Context, connection client.Client) error {
	operator := connection.OperatorService()
	existing, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("local runtime: list search attributes: %w", err)
	}
	missing := searchAttributes()
	maps.DeleteFunc(missing, func(name string, _ enums.IndexedValueType) bool {
		_, ok := existing.GetCustomAttributes()[name]
		return ok
	})
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: missing})
	if err != nil {
		return fmt.Errorf("local runtime: add search attributes %v: %w", missing, err)
	}
	timer := time.NewTimer(attributeDelay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("local runtime: add search attributes: %w", context.Cause(ctx))
	}
}
