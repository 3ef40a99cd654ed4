import ArgumentParser

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Lists, shows, counts, verifies, removes and refreshes stored responses.",
        subcommands: [
            StoreListCommand.self, StoreShowCommand.self, StoreStatsCommand.self, StoreVerifyCommand.self,
            StoreRemoveCommand.self, StoreRefreshCommand.self,
        ])
}
