import ArgumentParser
import HTTPCacheSemantics
import HTTPTypes
import LarderHost
import ManifestBuilding
import Manifests
import Preloading
import SeedBuilding

struct SeedBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Makes a seed of a build folder.",
        discussion: """
            Groups and order are those of 'larder manifest build'. The responses count as received when the seed is \
            built: without --field 'Cache-Control: …' only names with a content hash are fresh, and all else is \
            validated while there is a network.
            """)

    @Argument(help: ArgumentHelp("The folder that the build has written.", valueName: "dir"))
    var folder: String

    @Option(help: ArgumentHelp("The URL of the folder on the server, ending in /.", valueName: "url"))
    var base: String

    @Option(help: ArgumentHelp("The seed to write, outside of the folder.", valueName: "file"))
    var out: String

    @Option(
        help: ArgumentHelp(
            "A manifest's folder. Its head and last list go into the seed, and apps accept no older head.",
            valueName: "dir"))
    var manifest: String?

    @Flag(help: "Store in gzip what gets shorter by it.")
    var gzip = false

    @Flag(help: "Put HTML files in as well. Leave it out if the server changes them.")
    var documents = false

    @Option(help: ArgumentHelp("PATTERN=NAME puts matching files in a group. Repeatable.", valueName: "rule"))
    var group: [String] = []

    @Option(help: ArgumentHelp("A field of each response, 'Name: value'. Repeatable.", valueName: "field"))
    var field: [String] = []

    @Option(help: "The site's id. Without it: the manifest's, or the base's host.")
    var id: String?

    @Option(
        help: ArgumentHelp(
            "When the files were the site's, such as 2026-11-20T08:00:00Z. Without it: now.", valueName: "time"))
    var built: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let folders = [manifest.map { ManifestFolder($0).path }, folder + "/larder"].compactMap { $0 }
        let build = try BuildFolder(folder, leavingOut: folders)
        guard build.isOutside(out) else {
            throw ManifestToolError("--out '\(out)' is in the folder that goes into it; choose another place.")
        }
        var site = ListBuilder(build, try BuildOutput.find(in: build))
        site.rules = try group.map { text throws(ManifestToolError) in try GroupRule(text) }
        site.listsDocuments = documents
        var builder = SeedBuilder(site, base: base, built: try time)
        (builder.id, builder.compresses, builder.manifest) = (id, gzip, manifest.map { ManifestFolder($0) })
        builder.fields = try HTTPFields(lines: field)
        let result = try builder.write(to: out)
        let content = result.index.files.reduce(into: ByteCount.zero) { $0 += $1.size }
        if json {
            try Console.say(
                json: Line(
                    file: out, id: result.index.id, built: UTCTimestamp.text(result.index.built),
                    files: result.index.files.count, bytes: result.size.bytes, contentBytes: content.bytes,
                    manifest: result.index.manifest != nil, missing: result.missing, skipped: build.skipped))
        } else {
            Console.say("\(out): \(result.index.files.count) files, \(content) of content in \(result.size)")
            if !documents, build.files.contains(where: { $0.path.hasSuffix(".html") }) {
                Console.say("HTML is left out: a page that nobody has opened does not open offline (--documents).")
            }
            if result.missing > 0 {
                Console.say("\(result.missing) files of the manifest are not in it; apps fetch them.")
            }
        }
    }

    private var time: WallInstant {
        get throws {
            guard let built else { return Console.now }
            guard let time = UTCTimestamp.parse(built) else {
                throw ManifestToolError("--built '\(built)' is no time such as 2026-11-20T08:00:00Z.")
            }
            return time
        }
    }

    private struct Line: Encodable {
        var file: String
        var id: String
        var built: String
        var files: Int
        /// The length of the file.
        var bytes: Int64
        /// The length of the contents without their codings.
        var contentBytes: Int64
        var manifest: Bool
        var missing: Int
        var skipped: [String: Int]
    }
}
