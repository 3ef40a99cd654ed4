import ArgumentParser
import CacheRules
import LarderHost
import OriginDialing

/// Options that every command with a proxy shares.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the store; it is made when it is not there. \(StoreOptions.place)", valueName: "dir"))
    var store: String?

    @OptionGroup
    var origins: OriginOptions

    @Option(
        help: ArgumentHelp(
            """
            Keep what is fetched apart from what other accounts fetched. Any text that tells them apart; no secret, for \
            it stands in the store's index.
            """, valueName: "name"))
    var account = ""

    func apply(to setup: inout ProxySetup) throws {
        setup.hostMap = try HostMap(origins.hostMap)
        setup.originAuthorities = origins.originCa
        setup.account = account
    }

    var storeDirectory: String { store ?? StoreDirectory.standard() }
}
