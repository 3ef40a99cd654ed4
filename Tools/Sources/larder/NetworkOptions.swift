import ArgumentParser
import CacheRules
import LarderHost
import OriginDialing

/// Options that every command with a proxy shares.
struct NetworkOptions: ParsableArguments {
    @Option(help: "The folder of the store; it is made when it is not there.")
    var store: String?

    @Option(
        name: .customLong("resolve"),
        help: "Connect elsewhere for a name: host:port:address, or host:port:address:port. Repeatable.")
    var hostMap: [String] = []

    @Option(help: "A PEM file with authorities that origins may have besides the system's.")
    var originCa: String?

    @Option(
        help: """
            Keep what is fetched apart from what other accounts fetched. Any text that tells them apart; no secret, for \
            it stands in the store's index.
            """)
    var account = ""

    func apply(to setup: inout ProxySetup) throws {
        setup.hostMap = try HostMap(hostMap)
        setup.originAuthorities = originCa
        setup.account = account
    }

    var storeDirectory: String { store ?? StoreDirectory.standard() }
}
