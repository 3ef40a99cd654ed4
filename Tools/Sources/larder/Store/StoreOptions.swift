import ArgumentParser
import HTTPCacheSemantics
import LarderHost
import ResponseStore

/// Options that every command about a store shares.
struct StoreOptions: ParsableArguments {
    /// Not the folder itself: help is the same on every machine.
    static let place = "Without it: larder in the user's cache folder."

    @Option(help: ArgumentHelp("The folder of the store. \(StoreOptions.place)", valueName: "dir"))
    var store: String?

    @Flag(help: "Print JSON.")
    var json = false

    var directory: String { store ?? StoreDirectory.standard() }

    func keeper() async throws -> StoreKeeper {
        let start = Console.now
        let keeper = try StoreKeeper(directory: directory)
        await Self.noteLoss(of: keeper, since: start)
        return keeper
    }

    /// Says it where the store has begun anew: some damage shows only when the index is read.
    static func noteLoss(of keeper: StoreKeeper, since start: WallInstant) async {
        if let loss = await keeper.store.newBeginning(since: start) { Console.note(loss) }
    }
}
