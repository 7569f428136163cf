package temporalconn

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
)

// Target holds the connection flags of a command line; an empty field was not
// given.
type Target struct {
	// Address is the host and port of Temporal's frontend.
	Address string
	// Namespace is the Temporal namespace.
	Namespace string
	// Profile names a profile of temporal.toml.
	Profile string
}

// FromEnvironment builds client options from flags, the TEMPORAL_* variables in
// environ (a list of KEY=VALUE) and the temporal.toml profile, in this order of
// precedence; what none of them says is the SDK's default, localhost:7233 and
// namespace "default".
//
// Explicit reports whether somebody chose a server: any flag, or an address in
// the environment or the profile. Where nobody did, the local runtime is meant.
//
// Unknown keys, a named file or profile that does not exist and values that
// cannot be understood are errors.
func FromEnvironment(environ []string, target Target) (options client.Options, explicit bool, err error) {
	env := Environment(environ)
	if err := validate(env); err != nil {
		return client.Options{}, false, fmt.Errorf("connection to Temporal: %w", err)
	}
	profile, err := envconfig.LoadClientConfigProfile(envconfig.LoadClientConfigProfileOptions{
		ConfigFileProfile: target.Profile,
		ConfigFileStrict:  true,
		EnvLookup:         env,
	})
	if err != nil {
		return client.Options{}, false, fmt.Errorf("connection to Temporal: %w; see TEMPORAL_CONFIG_FILE (by default %s), TEMPORAL_PROFILE and --profile",
			err, cmp.Or(envconfig.DefaultConfigFilePath(), "temporal.toml in the user's configuration directory"))
	}
	profile.Address = cmp.Or(target.Address, profile.Address)
	profile.Namespace = cmp.Or(target.Namespace, profile.Namespace)
	explicit = profile.Address != "" || target != Target{}

	options, err = profile.ToClientOptions(envconfig.ToClientOptionsRequest{IncludeRemoteCodec: true})
	if err != nil {
		return client.Options{}, false, fmt.Errorf("connection to Temporal: %w; check the TEMPORAL_TLS_* variables and the profile's tls and codec tables", err)
	}
	options.HostPort = cmp.Or(options.HostPort, client.DefaultHostPort)
	options.Namespace = cmp.Or(options.Namespace, client.DefaultNamespace)
	if options.DataConverter == nil {
		options.DataConverter = DataConverter()
	}
	return options, explicit, nil
}

// validate refuses what envconfig would pass over without a word.
func validate(env Environment) error {
	if path, _ := env.LookupEnv("TEMPORAL_CONFIG_FILE"); path != "" {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("TEMPORAL_CONFIG_FILE: %w; create the file or unset the variable", err)
		}
	}
	for _, key := range []string{"TEMPORAL_TLS", "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION"} {
		value, _ := env.LookupEnv(key)
		if !slices.Contains([]string{"", "0", "1", "true", "false"}, strings.ToLower(value)) {
			return fmt.Errorf("%s is %q; it must be true, false, 1 or 0", key, value)
		}
	}
	return nil
}
