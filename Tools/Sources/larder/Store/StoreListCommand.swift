import ArgumentParser
import Dashboard
import Foundation
import LarderHost
import OriginDialing

struct StoreListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists stored responses, the largest first.",
        discussion:
            "Exit status 1 means that no stored response matches, or that a server has another by now (--compare).")

    @OptionGroup(title: "Which ones")
    var selection: SelectionOptions

    @Option(help: "Only responses about which this rule decides.")
    var rule: String?

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Flag(help: "Show notes in full.")
    var long = false

    @Flag(
        help: """
            Ask the servers for what they have now, past every cache, and compare. Nothing is stored; exit status 1 \
            where something differs or can't be compared.
            """)
    var compare = false

    @OptionGroup
    var origins: OriginOptions

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let keeper = try await options.keeper()
        let now = Console.now
        var items = try await keeper.list(
            try selection.selection(at: now), rules: try RulesSource(rules).rules())
        await StoreOptions.noteLoss(of: keeper, since: now)
        if let rule { items = items.filter { $0.rule == rule } }
        if compare {
            items = try await keeper.compared(
                items, hostMap: try HostMap(origins.hostMap), authorities: origins.originCa)
        }
        if options.json {
            try Console.say(json: items)
        } else {
            let text = StoredItemsText(
                items, now: now.sinceEpoch / .seconds(1), colours: Console.hasColours, width: Console.tableWidth,
                isLong: long)
            Console.say(text.render())
        }
        if items.isEmpty {
            try await selection.noteOtherPorts(in: keeper)
            throw ExitCode(1)
        }
        if items.contains(where: { $0.current != nil && $0.current != "same" }) { throw ExitCode(1) }
    }
}
