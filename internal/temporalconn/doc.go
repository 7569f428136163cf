// Package temporalconn turns flags, environment and configuration files into a
// connection to Temporal: address, TLS, API key, payload conversion, logging.
//
// Every client, worker and replay of this module takes its data converter from
// here, so that what one encodes the others can decode. The package knows
// nothing of runs; it must not import workflows, activities or localruntime.
package temporalconn
