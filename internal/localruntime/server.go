package localruntime

import (
	"fmt"
	"time"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/temporal"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// storeName is how the server's configuration refers to the database.
const storeName = "sqlite"

// startServer starts the embedded Temporal server. It is ready when a client
// can connect.
func startServer(database *config.SQL, chosen ports, certificates temporalconn.Files, logger serverLogger) (temporal.Server, error) {
	server, err := temporal.NewServer(
		temporal.WithConfig(serverConfig(database, chosen, certificates)),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(map[primitives.ServiceName]static.Hosts{
			primitives.FrontendService: static.SingleLocalHost(address(chosen.frontend)),
			primitives.HistoryService:  static.SingleLocalHost(address(chosen.history)),
			primitives.MatchingService: static.SingleLocalHost(address(chosen.matching)),
			primitives.WorkerService:   static.SingleLocalHost(address(chosen.worker)),
		}),
		temporal.WithLogger(logger),
		// Who has a client certificate may do everything: the certificate is the
		// user's own.
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return authorization.NewNoopClaimMapper() }),
		temporal.WithDynamicConfigClient(dynamicConfig()),
	)
	if err != nil {
		return nil, fmt.Errorf("local runtime: embedded Temporal server: %w", err)
	}
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("local runtime: start the embedded Temporal server: %w", err)
	}
	return server, nil
}

func serverConfig(database *config.SQL, chosen ports, certificates temporalconn.Files) *config.Config {
	frontend := address(chosen.frontend)
	conf := &config.Config{
		Global: config.Global{
			Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: loopback},
			TLS:        mutualTLS(certificates),
		},
		Persistence: config.Persistence{
			DefaultStore:     storeName,
			VisibilityStore:  storeName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{storeName: {SQL: database}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services: map[string]config.Service{
			string(primitives.FrontendService): service(chosen.frontend),
			string(primitives.HistoryService):  service(chosen.history),
			string(primitives.MatchingService): service(chosen.matching),
			string(primitives.WorkerService):   service(chosen.worker),
		},
		PublicClient: config.PublicClient{HostPort: frontend},
	}
	conf.Archival.History.State = "disabled"
	conf.Archival.Visibility.State = "disabled"
	conf.NamespaceDefaults.Archival.History.State = "disabled"
	conf.NamespaceDefaults.Archival.Visibility.State = "disabled"
	return conf
}

// service listens for gRPC on loopback. Its HTTP port stays 0, which is closed.
func service(port int) config.Service {
	return config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: loopback}}
}

// mutualTLS demands a client certificate on every gRPC port, those between the
// server's own services included.
func mutualTLS(certificates temporalconn.Files) config.RootTLS {
	listener := config.ServerTLS{
		CertFile:          certificates.Cert,
		KeyFile:           certificates.Key,
		ClientCAFiles:     []string{certificates.CA},
		RequireClientAuth: true,
	}
	dialer := config.ClientTLS{ServerName: serverName, RootCAFiles: []string{certificates.CA}}
	return config.RootTLS{
		Internode:    config.GroupTLS{Server: listener, Client: dialer},
		Frontend:     config.GroupTLS{Server: listener, Client: dialer},
		SystemWorker: config.WorkerTLS{CertFile: certificates.Cert, KeyFile: certificates.Key, Client: dialer},
	}
}
