import ArgumentParser
import CacheRules
import LarderHost
import OriginDialing

/// Options that every command with a proxy shares.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the store; it is created if needed. \(StoreOptions.place)", valueName: "dir"))
    var store: String?

    @OptionGroup
    var origins: OriginOptions

    @Option(
        help: ArgumentHelp(
            """
            Keep responses apart from those of other accounts. Any text that tells accounts apart; not a secret, \
            because the store's index contains it.
            """, valueName: "name"))
    var account = ""

    func apply(to cache: inout CacheSetup) throws {
        cache.hostMap = try HostMap(origins.hostMap)
        cache.originAuthorities = origins.originCa
        cache.account = account
    }

    var storeDirectory: String { store ?? StoreDirectory.standard() }
}
