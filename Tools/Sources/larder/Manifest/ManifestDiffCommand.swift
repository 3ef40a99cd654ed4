import ArgumentParser
import Dashboard
import HTTPCacheSemantics
import ManifestBuilding
import Manifests

struct ManifestDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows what a device that holds one manifest has to fetch for another.",
        discussion: """
            Each is a manifest's folder, a head or a list; of a head the last release counts. Sizes are before a \
            server compresses.
            """)

    @Argument(help: "The manifest that a device holds.")
    var old: String

    @Argument(help: "The one to go to.")
    var new: String

    @Option(help: ArgumentHelp("The release of the first, instead of its last.", valueName: "name"))
    var oldRelease: String?

    @Option(help: ArgumentHelp("The release of the second, instead of its last.", valueName: "name"))
    var newRelease: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let result = ListComparison(
            try PublishedList(old, release: oldRelease), try PublishedList(new, release: newRelease))
        if json {
            try Console.say(
                json: Line(
                    added: result.added.map(FileLine.init), changed: result.changed.map(FileLine.init),
                    removed: result.removed.map(FileLine.init), unchanged: result.unchanged,
                    bytesToFetch: result.bytesToFetch.bytes, bytesUnderOtherPaths: result.bytesUnderOtherPaths.bytes,
                    totalBytes: result.totalBytes.bytes))
        } else {
            for file in result.added { say("+", "32", file) }
            for file in result.changed { say("~", "33", file) }
            for file in result.removed { say("-", "31", file) }
            Console.say(
                "\(result.bytesToFetch) of \(result.totalBytes) to fetch: \(result.added.count) new, "
                    + "\(result.changed.count) changed; \(result.removed.count) gone, \(result.unchanged) as before")
            if result.bytesUnderOtherPaths > .zero {
                Console.say("\(result.bytesUnderOtherPaths) of them are content that the first has under another path")
            }
        }
    }

    private func say(_ mark: String, _ colour: String, _ file: ListedFile) {
        let mark = Console.hasColours ? "\u{1B}[\(colour)m\(mark)\u{1B}[0m" : mark
        Console.say("\(mark) \(file.path.isEmpty ? "(the base)" : TerminalText.clean(file.path))  \(file.size)")
    }

    private struct FileLine: Encodable {
        var path: String
        var sha256: String
        var size: Int64
        var group: String

        init(_ file: ListedFile) {
            (path, sha256, size, group) = (file.path, "\(file.digest)", file.size.bytes, file.group.name)
        }
    }

    private struct Line: Encodable {
        var added: [FileLine]
        var changed: [FileLine]
        var removed: [FileLine]
        var unchanged: Int
        var bytesToFetch: Int64
        var bytesUnderOtherPaths: Int64
        var totalBytes: Int64
    }
}
