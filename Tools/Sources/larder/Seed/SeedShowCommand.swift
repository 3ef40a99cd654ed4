import ArgumentParser
import HTTPCacheSemantics
import Manifests
import Preloading

struct SeedShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Lists what is in a seed.")

    @Argument(help: ArgumentHelp("A seed.", valueName: "file"))
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let seed = try Seed(path: file)
        let index = seed.index
        if json {
            let files = index.files.map { entry in
                Line.File(
                    url: entry.url, sha256: "\(entry.content.sha256)", size: entry.size.bytes,
                    coding: entry.coding.rawValue, bytes: Int64(entry.region.count), use: entry.destination.rawValue,
                    group: entry.group.rawValue,
                    fields: Dictionary(entry.fields.map { ($0.name.canonicalName, $0.value) }) { $0 + ", " + $1 })
            }
            try Console.say(
                json: Line(
                    id: index.id, built: UTCTimestamp.text(index.built), digest: seed.digest,
                    manifest: index.manifest != nil, files: files))
        } else {
            let manifest = index.manifest == nil ? "" : ", with a manifest"
            Console.say(
                untrusted: "\(index.id), built \(UTCTimestamp.text(index.built)), \(index.files.count) files\(manifest)"
            )
            for entry in index.files {
                let coded = entry.coding == .identity ? "" : " (\(ByteCount(Int64(entry.region.count))) in gzip)"
                Console.say(untrusted: "  \(entry.group.rawValue) \(entry.url)  \(entry.size)\(coded)")
            }
        }
    }

    private struct Line: Encodable {
        var id: String
        var built: String
        var digest: String
        var manifest: Bool
        var files: [File]

        struct File: Encodable {
            var url: String
            var sha256: String
            var size: Int64
            var coding: String
            /// As it is in the seed.
            var bytes: Int64
            var use: String
            var group: String
            var fields: [String: String]
        }
    }
}
