// Package localruntime is Temporal for people who run none: an embedded server
// on a SQLite file, Temporal Web and a worker in one process, one per user.
//
// It owns <state>/runtime: database, certificates, log, locks and runtime.json,
// the record by which other commands find the process. The lock file, not the
// record, says whether a runtime lives. The server executes commands as its
// user, so every gRPC port demands a client certificate from <state>/runtime/tls
// and everything listens on the loopback interface only.
//
// It is the only package that imports go.temporal.io/server and the UI server;
// cmd/worker must not import it.
package localruntime
