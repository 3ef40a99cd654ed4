import ArgumentParser
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import LarderHost
import Preloading

struct SeedFillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Fills a store from a seed, as an app does at its first start.",
        discussion: """
            What the store has of the same URLs stays if it is newer than the seed. Nothing is sent. The seed's \
            manifest is not looked at. Exit status 1 means that something was not stored.
            """)

    @Argument(help: ArgumentHelp("A seed.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The account to store the responses for; none unless given.", valueName: "name"))
    var account = ""

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let seed = try Seed(path: file)
        var setup = CacheSetup(storeDirectory: options.directory)
        setup.rules = try RulesSource(rules).rules()
        // Makes the store where there is none.
        let local = try LocalCache(setup)
        let configuration = PreloadConfiguration(connectivity: { .disconnected }, partition: account)
        let summary = try await SeedFilling(seed, cache: local.cache, configuration: configuration).run()
        await local.cache.waitForBackgroundWork()
        if options.json {
            try Console.say(
                json: Line(
                    store: options.directory, files: summary.files, stored: summary.stored,
                    bytes: summary.storedSize.bytes, held: summary.held, newer: summary.newer, failed: summary.failed,
                    stopped: summary.stopped?.reason.rawValue,
                    failures: summary.failures.map {
                        .init(url: $0.url, reason: $0.refusal.reason.rawValue, why: $0.refusal.message)
                    }))
        } else {
            Console.say(
                "\(summary.stored) of \(summary.files) files stored, \(summary.storedSize); \(summary.held) were "
                    + "there, \(summary.newer) are newer in the store")
            for failure in summary.failures { Console.say(untrusted: "\(failure.url): \(failure.refusal)") }
            if let stopped = summary.stopped { Console.say("stopped: \(stopped)") }
        }
        if summary.failed > 0 || !summary.isComplete { throw ExitCode(1) }
    }

    private struct Line: Encodable {
        var store: String
        var files: Int
        var stored: Int
        var bytes: Int64
        var held: Int
        var newer: Int
        var failed: Int
        var stopped: String?
        var failures: [Failure]

        struct Failure: Encodable {
            var url: String
            var reason: String
            var why: String
        }
    }
}
