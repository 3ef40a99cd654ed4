import EvictionBench
import Foundation

/// `larder-bench eviction TRACE…`: the policies side by side on traces made of recordings and lists of files.
enum EvictionCommand {
    private static let usage = """
        usage: larder-bench eviction [--memory] [--sessions N] [--seeds N] [--json] TRACE...
        TRACE is a recording (.har), a list of files (.tsv, made by scripts/static-files), or a folder of those.
        --memory    counts what the memory tier holds: heads, and bodies up to 64 KiB
        --sessions  of the modelled visitor, 1,500 unless given
        --seeds     traces to take the mean of, 3 unless given

        """

    private struct Options {
        var paths: [String] = []
        var inMemory = false
        var asJSON = false
        var sessions = 1_500
        var seeds = 3

        init?(_ arguments: [String]) {
            var rest = arguments[...]
            while let argument = rest.popFirst() {
                switch argument {
                case "--memory": inMemory = true
                case "--json": asJSON = true
                case "--sessions", "--seeds":
                    guard let number = rest.popFirst().flatMap(Int.init), number > 0 else { return nil }
                    if argument == "--sessions" { sessions = number } else { seeds = number }
                default:
                    if argument.hasPrefix("-") { return nil }
                    paths.append(argument)
                }
            }
            if paths.isEmpty { return nil }
        }
    }

    private struct Part: Encodable {
        var trace: String
        var description: String
        var results: [EvictionResult]
    }

    /// - Returns: The exit status: 1 when no trace could be made, 2 for bad use.
    static func run(_ arguments: [String]) throws -> Int32 {
        guard let options = Options(arguments) else {
            tell(usage)
            return 2
        }
        let (recordings, applications) = SiteTemplate.read(options.paths) { tell("larder-bench: \($0)\n") }
        if recordings.isEmpty, applications.isEmpty {
            tell("larder-bench: NOTHING TO PLAY; name a folder of recordings or of file lists.\n")
            return 1
        }
        if recordings.isEmpty { tell("larder-bench: NO RECORDINGS; what follows rests on lists of files alone.\n") }
        if applications.isEmpty { tell("larder-bench: NO APPLICATIONS; what follows rests on recordings alone.\n") }
        var model = BrowsingModel()
        model.sessions = options.sessions
        let comparison = EvictionComparison(
            model: model, seeds: (1...options.seeds).map { UInt64($0) }, inMemory: options.inMemory)
        let both = recordings.isEmpty || applications.isEmpty ? [] : recordings + applications
        let parts = [("recordings", recordings), ("applications", applications), ("both", both)]
            .filter { !$0.1.isEmpty }
            .map { name, templates in
                let (description, results) = comparison.run(templates)
                return Part(trace: name, description: description, results: results)
            }
        if options.asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            FileHandle.standardOutput.write(try encoder.encode(parts) + Data([0x0A]))
        } else {
            let text = parts.map {
                "\($0.trace): \($0.description)\n\n"
                    + EvictionTable.text($0.results, withCost: !options.inMemory) + "\n"
            }
            FileHandle.standardOutput.write(Data(text.joined(separator: "\n").utf8))
        }
        return 0
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
