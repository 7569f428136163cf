package temporalconn

import "go.temporal.io/sdk/converter"

// DataConverter encodes and decodes every payload: plain JSON, readable in
// Temporal Web. A profile that names a remote codec wraps it.
func DataConverter() converter.DataConverter { return converter.GetDefaultDataConverter() }
