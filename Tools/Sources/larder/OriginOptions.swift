import ArgumentParser

/// Where origins are, and whom they may be certified by.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"),
        help: "Connect elsewhere for a name: host:port:address, or host:port:address:port. Repeatable.")
    var hostMap: [String] = []

    @Option(help: "A PEM file with authorities that origins may have besides the system's.")
    var originCa: String?
}
