import ArgumentParser

/// Where origins are, and which authorities certify them.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp(
            "Connect to another address for this host and port. Repeatable.",
            valueName: "host:port:address[:port]"))
    var hostMap: [String] = []

    @Option(
        help: ArgumentHelp(
            "A PEM file with certificate authorities to trust for origins, besides the system's.", valueName: "file")
    )
    var originCa: String?
}
