import CacheRules
import LarderHost
import ResponseStore

/// Tells on standard error that a running proxy has read its rules again.
struct RulesNotice {
    private let source: RulesSource
    private let reload: Result<RuleList, any Error>

    init(_ source: RulesSource, _ reload: Result<RuleList, any Error>) {
        self.source = source
        self.reload = reload
    }

    func write(json: Bool) {
        guard !json else { return Console.note(jsonLine: line) }
        switch reload {
        case .success(let rules): Console.note("larder: \(source.name) is in force: \(rules.sizeInWords).")
        case .failure(let error as UnusableRules):
            Console.note(problemsOf: error)
            Console.note("larder: \(Self.kept): \(error.count) in \(source.name).")
        case .failure(let error): Console.note("larder: \(error) \(Self.kept).")
        }
    }

    /// Says how much the new rules have removed from the store; nothing where that is nothing.
    static func write(_ removed: RemovedContent, by source: RulesSource, json: Bool) {
        guard removed.entries > 0 else { return }
        guard !json else {
            return Console.note(
                jsonLine: Line(
                    rulesPurged: .init(file: source.name, responses: removed.entries, bytes: removed.bytes.bytes)))
        }
        let responses = removed.entries == 1 ? "one stored response" : "\(removed.entries) stored responses"
        Console.note(
            "larder: The new rules never store what matches them: \(responses) removed, \(removed.bytes) given back.")
    }

    private static let kept = "The rules from before stay in force"

    /// An object with one member, as the line that says that the proxy is ready.
    private var line: Line {
        switch reload {
        case .success(let rules):
            Line(rulesTaken: .init(file: source.name, rules: rules.rules.count, keyRules: rules.keyRules.count))
        case .failure(let error as UnusableRules):
            Line(
                rulesRefused: .init(
                    file: source.name, message: "\(Self.kept): \(error.count).",
                    problems: error.problems.map(RulesProblemLine.init)))
        case .failure(let error):
            Line(rulesRefused: .init(file: source.name, message: "\(error) \(Self.kept).", problems: []))
        }
    }

    private struct Line: Encodable {
        var rulesTaken: Taken?
        var rulesRefused: Refused?
        var rulesPurged: Purged?

        struct Taken: Encodable {
            var file: String
            var rules: Int
            var keyRules: Int
        }

        struct Purged: Encodable {
            var file: String
            var responses: Int
            /// The bytes that were given back.
            var bytes: Int64
        }

        struct Refused: Encodable {
            var file: String
            var message: String
            /// With their places; none where the file can't be read.
            var problems: [RulesProblemLine]
        }
    }
}
