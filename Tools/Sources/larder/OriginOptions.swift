import ArgumentParser

/// Where origins are, and whom they may be certified by.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp(
            "Connect elsewhere for a name: host:port:address, or host:port:address:port. Repeatable.",
            valueName: "host:port:address[:port]"))
    var hostMap: [String] = []

    @Option(
        help: ArgumentHelp("A PEM file with authorities that origins may have besides the system's.", valueName: "file")
    )
    var originCa: String?
}
