import ArgumentParser
import CacheRules

/// What rules are to take the network for, and the device.
struct ConnectivityOptions: ParsableArguments {
    @Flag(help: "As if there were no network: what is stored only, and nothing is sent.")
    var offline = false

    @Flag(help: "As if traffic cost more than usual, as on a mobile network.")
    var expensive = false

    @Flag(help: "As if little traffic were wanted, as with Low Data Mode.")
    var constrained = false

    @Flag(help: "As if the device saved its battery.")
    var lowPower = false

    var connectivity: Connectivity {
        Connectivity(hasNetwork: !offline, isExpensive: expensive, isConstrained: constrained, isLowPower: lowPower)
    }
}
