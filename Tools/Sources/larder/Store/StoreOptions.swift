import ArgumentParser
import LarderHost

/// Options that every command about a store shares.
struct StoreOptions: ParsableArguments {
    @Option(help: "The folder of the store.")
    var store: String?

    @Flag(help: "Print JSON.")
    var json = false

    var directory: String { store ?? StoreDirectory.standard() }

    func keeper() throws -> StoreKeeper { try StoreKeeper(directory: directory) }
}
