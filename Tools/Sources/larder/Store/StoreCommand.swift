import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Looks after a store: lists, shows, counts, verifies, removes, refreshes.",
        subcommands: [
            StoreListCommand.self, StoreShowCommand.self, StoreStatsCommand.self, StoreVerifyCommand.self,
            StoreRemoveCommand.self, StoreRefreshCommand.self,
        ])
}
