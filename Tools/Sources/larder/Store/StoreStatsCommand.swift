import ArgumentParser
import Dashboard
import LarderHost

struct StoreStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Says how much is stored, by host, content type and account.")

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let keeper = try await options.keeper()
        let start = Console.now
        let statistics = try await keeper.statistics()
        await StoreOptions.noteLoss(of: keeper, since: start)
        if options.json {
            try Console.say(json: statistics)
        } else {
            let text = StoreStatisticsText(statistics, colours: Console.hasColours, width: Console.tableWidth)
            Console.say(text.render())
        }
    }
}
