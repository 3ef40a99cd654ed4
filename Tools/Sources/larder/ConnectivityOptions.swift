import ArgumentParser
import CacheRules

/// The network and the device as the rules should see them.
struct ConnectivityOptions: ParsableArguments {
    @Flag(help: "Act as if there were no network: answer from the store, and send nothing.")
    var offline = false

    @Flag(help: "Act as if traffic cost more than usual, as on a mobile network.")
    var expensive = false

    @Flag(help: "Act as if the user wanted little traffic, as with Low Data Mode.")
    var constrained = false

    @Flag(help: "Act as if the device were saving its battery.")
    var lowPower = false

    var connectivity: Connectivity {
        Connectivity(hasNetwork: !offline, isExpensive: expensive, isConstrained: constrained, isLowPower: lowPower)
    }
}
