import ArgumentParser
import HTTPCacheSemantics
import LarderHost
import ResponseStore

struct StoreRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes stored responses, pinned or not; safe while the store is in use.",
        discussion: """
            Say which with at least one of the options, or --everything. A response that another process is receiving \
            meanwhile is still stored afterwards. Exit status 1 means that no stored response matches.
            """)

    @OptionGroup(title: "Which ones")
    var selection: SelectionOptions

    @Flag(help: "Remove all stored responses.")
    var everything = false

    @Flag(help: "Only say what would be removed.")
    var dryRun = false

    @OptionGroup
    var options: StoreOptions

    func validate() throws {
        if selection.isEmpty, !everything {
            throw ValidationError(
                "Say what is to be removed by an option, such as --url URL or --host shop.test, or --everything.")
        }
        if !selection.isEmpty, everything {
            throw ValidationError("--everything can't be combined with other criteria.")
        }
    }

    func run() async throws {
        let keeper = try await options.keeper()
        let meant = try selection.selection(at: Console.now)
        var result = Result(isDryRun: dryRun, responses: 0, bytes: 0)
        var full = ByteCount.zero
        try await keeper.store.forEachSummary(of: meant) { entry in
            result.responses += 1
            full += entry.size
        }
        result.bytes = full.bytes
        if !dryRun {
            let removed = try await keeper.store.remove(meant)
            (result.responses, result.bytes) = (removed.entries, removed.bytes.bytes)
        }
        if options.json {
            try Console.say(json: result)
        } else {
            let responses = result.responses == 1 ? "one response" : "\(result.responses) responses"
            let given = ByteCount(result.bytes)
            Console.say(
                dryRun
                    ? "would remove \(responses), \(full); less is given back where contents are shared"
                    : given < full && given.description != full.description
                        ? "removed \(responses), \(full); \(given) given back, the rest is shared"
                        : "removed \(responses), \(given)")
        }
        if result.responses == 0 {
            try await selection.noteOtherPorts(in: keeper)
            throw ExitCode(1)
        }
    }

    private struct Result: Encodable {
        var isDryRun: Bool
        var responses: Int
        /// The bytes that were given back; of a dry run, those of every response in full.
        var bytes: Int64
    }
}
