import ArgumentParser
import Foundation
import HTTPCacheSemantics
import ManifestBuilding
import Manifests
import Preloading

struct ManifestBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Makes a list of a build folder, and a head that names it.",
        discussion: """
            Groups and order come from Vite's manifest.json, webpack's stats.json or asset-manifest.json, or Next's \
            build-manifest.json. Without these, the document of the base, scripts, styles and fonts are 'boot', other \
            documents have a group 'page:/path' each, and the rest is 'lazy'. With --documents, what pages, scripts \
            and styles name besides is 'shared', and switches with the pages; films and sounds, and what nothing \
            names, are 'lazy'. --group decides otherwise: 'media/*=lazy' keeps a folder apart. Hashes are of the \
            content before a server compresses it.
            """)

    @Argument(help: ArgumentHelp("The folder that the build has written.", valueName: "dir"))
    var folder: String

    @Option(help: ArgumentHelp("The URL of the folder on the server, ending in /.", valueName: "url"))
    var base: String

    @OptionGroup(title: "Where it is written, and how long it holds")
    var publication: PublicationOptions

    @Option(
        help: ArgumentHelp(
            "Where head.json and lists/ go. Without it: larder in the build folder.", valueName: "dir"))
    var out: String?

    @Option(help: "The site's id, such as com.example.shop. Without it: as before, or the base's host and port.")
    var id: String?

    @Option(help: ArgumentHelp("The release's name. Without it: made of the content.", valueName: "name"))
    var release: String?

    @Option(help: ArgumentHelp("PATTERN=NAME puts matching files in a group. Repeatable.", valueName: "rule"))
    var group: [String] = []

    @Option(
        help: ArgumentHelp(
            "An entry of the build that 'boot' is made of. Repeatable; all unless given.", valueName: "name"))
    var entry: [String] = []

    @Option(help: ArgumentHelp("webpack's stats.json, if it is elsewhere.", valueName: "file"))
    var stats: String?

    @Option(
        help: ArgumentHelp(
            "Files and folders that are not listed, such as 'drafts' or '*.psd'; '*' also matches '/'. Repeatable.",
            valueName: "glob"))
    var exclude: [String] = []

    @Flag(help: "List HTML files as well. Leave it out if the server changes them.")
    var documents = false

    @Option(
        help: ArgumentHelp(
            """
            A query parameter that doesn't change a file, such as v; '*' for all. Repeatable. Those that pages, styles \
            and scripts put behind names of files are found without it; 'none' for none at all.
            """, valueName: "name"))
    var ignoreQuery: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Paths, such as '/basket/add/**', of pages that do something when they are opened: apps never ask for them \
            ahead of need. Repeatable. Without it: those of the release before; 'none' for none any more.
            """, valueName: "glob"))
    var sideEffects: [String] = []

    @Option(help: ArgumentHelp("The least version of the app that gets the release.", valueName: "version"))
    var minApp: String?

    @Option(
        help: ArgumentHelp(
            "The percentage of installations that get the release at first; not with --documents.", valueName: "percent"
        ))
    var rollout: RolloutShare?

    @Option(help: "How many releases the head names; the lists of older ones are removed.")
    var keep = ManifestPublication.kept

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard keep > 0 else { throw ValidationError("--keep takes 1 or more.") }
    }

    func run() async throws {
        let place = out ?? folder + "/larder"
        let manifest = ManifestFolder(place)
        let publication = try self.publication.publication(of: manifest)
        let build = try BuildFolder(folder, leavingOut: [place], excluding: exclude)
        for pattern in build.unusedPatterns { Console.note("--exclude '\(pattern)' matches nothing in '\(folder)'.") }
        try warnOfClock(manifest)
        let output = try BuildOutput.find(in: build, stats: stats, entries: entry)
        if output == nil {
            for name in BuildOutput.unusable(in: build) {
                Console.note(
                    "'\(name)' can't be read as the manifest of this build; groups come from the names of files "
                        + "instead."
                )
            }
        }
        if output == nil, let entry = entry.first {
            throw ManifestToolError("--entry '\(entry)' needs a build manifest, and none was found in '\(folder)'.")
        }
        guard BaseURL.isBase(base) else {
            throw ManifestToolError(
                "--base '\(base)' must be an https URL (http for localhost), and end in /, such as "
                    + "https://example.com/."
            )
        }
        var builder = ListBuilder(build, output)
        builder.rules = try group.map { text throws(ManifestToolError) in try GroupRule(text) }
        let marked = try markedPages(of: manifest)
        builder.sideEffectPages = marked.map { PageNeeds(match: $0, needs: [], hasSideEffects: true) }
        (builder.listsDocuments, builder.ignoreQuery) = (documents, ignoreQuery)
        let minimum = try minApp.map { text throws(ManifestToolError) in
            guard let version = AppVersion(text) else {
                throw ManifestToolError("--min-app '\(text)' is no version such as 5.2.")
            }
            return version
        }
        let list = try builder.list(release: release)
        if documents, !list.files.contains(where: { $0.path.isEmpty }) {
            Console.note(
                "'\(folder)' has no index.html, so \(base) itself is no page of the release: it opens offline only "
                    + "once somebody has opened it, where it leads to a page that is listed, or where 'larder preload' "
                    + "is given \(base) besides the manifest.")
        }
        let missing = builder.missingFiles(list, base: base)
        for file in missing.prefix(5) {
            Console.note("'\(file.namedBy)' names \(file.url), which the folder does not have.")
        }
        if missing.count > 5 { Console.note("\(missing.count - 5) more such files are missing; --json names them.") }
        let result = try publication.publish(
            list, base: base, id: id, minimumApp: minimum, permyriad: rollout?.permyriad, keep: keep)
        let signed = try self.publication.sign(manifest)
        if json {
            try Console.say(
                json: BuildLine(
                    head: manifest.headPath, list: result.head.releases.last?.list.path ?? "", id: result.head.id,
                    serial: result.head.serial, release: list.release, files: list.files.count,
                    bytes: list.size.bytes,
                    groups: groups(list).map { .init(name: $0.name, files: $0.files, bytes: $0.bytes.bytes) },
                    signed: signed, readFrom: output?.name, skipped: build.skipped, leftOut: build.leftOut,
                    missing: missing, ignoreQuery: list.ignoreQuery, sideEffects: marked))
        } else {
            say(list, result, manifest, output, signed, builder)
            if !marked.isEmpty {
                let origin = sideEffects.isEmpty ? ", as before (--side-effects none ends that)" : ""
                Console.say(untrusted: "Never asked for ahead of need: \(marked.joined(separator: ", "))\(origin)")
            }
        }
    }

    /// A mark that is forgotten would let apps open a page that does something, so it stays until somebody ends it.
    private func markedPages(of manifest: ManifestFolder) throws -> [String] {
        if sideEffects == ["none"] { return [] }
        guard SideEffectPages(paths: sideEffects) != nil else {
            throw ManifestToolError(
                "A --side-effects is no glob over a path, such as '/basket/add/**'; 'none' stands alone.")
        }
        guard sideEffects.isEmpty else { return sideEffects }
        if let before = try manifest.sideEffects() { return before }
        Console.note(
            "The list of the release before is not in '\(manifest.path)', so pages that it marked as having side "
                + "effects are not marked any more; name them with --side-effects.")
        return []
    }

    /// Apps go by serials, so that a head of a fast clock keeps none of its successors out, but expires late.
    private func warnOfClock(_ manifest: ManifestFolder) throws {
        guard let last = try manifest.head()?.head, last.issued > Console.now else { return }
        Console.note(
            "The head before says that it was made at \(UTCTimestamp.text(last.issued)), and this machine's clock "
                + "shows \(UTCTimestamp.text(Console.now)); put right the clock that is wrong, as heads expire by it.")
    }

    private func say(
        _ list: ReleaseList, _ result: ManifestPublication.Result, _ manifest: ManifestFolder, _ output: BuildOutput?,
        _ signed: Bool, _ builder: ListBuilder
    ) {
        let build = builder.folder
        Console.say("\(list.files.count) files, \(list.size), by \(output?.name ?? "the names of files")")
        for group in groups(list) {
            Console.say("  \(group.name): \(group.files) \(group.files == 1 ? "file" : "files"), \(group.bytes)")
        }
        if documents {
            Console.say("  Pages switch to the release once all of it is there but 'lazy'; --group moves files.")
        }
        for (reason, paths) in build.leftOut.sorted(by: { $0.key < $1.key }) {
            let names = paths.sorted().prefix(5).joined(separator: ", ")
            let rest = paths.count > 5 ? " and \(paths.count - 5) more" : ""
            Console.say(untrusted: "  left out: \(paths.count) × \(reason): \(names)\(rest)")
        }
        let queries = builder.queries
        if !queries.parameters.isEmpty {
            let files = queries.files.count == 1 ? "1 file is" : "\(queries.files.count) files are"
            Console.say(
                untrusted: "  \(files) asked for with a query, which makes no other file of it: "
                    + queries.parameters.joined(separator: ", "))
        }
        if !documents, build.files.contains(where: { $0.path.hasSuffix(".html") }) {
            Console.say("  HTML is not listed: a page that nobody has opened does not open offline (--documents)")
        }
        let name = result.isSameList ? "release \(list.release) again" : "release \(list.release)"
        Console.say("\(manifest.headPath): serial \(result.head.serial), \(name)")
        if result.head.serial == 1 {
            Console.say("The next serial comes from this head: keep the folder, also when the site is built anew.")
        }
        if !signed { Console.say("Not signed yet: larder manifest sign \(manifest.headPath) --key FILE") }
    }

    /// In the order of the list.
    private func groups(_ list: ReleaseList) -> [(name: String, files: Int, bytes: ByteCount)] {
        var groups: [(name: String, files: Int, bytes: ByteCount)] = []
        var places: [String: Int] = [:]
        for file in list.files {
            let place = places[file.group.name] ?? groups.count
            if place == groups.count { groups.append((file.group.name, 0, .zero)) }
            places[file.group.name] = place
            groups[place].files += 1
            groups[place].bytes += file.size
        }
        return groups
    }

    private struct BuildLine: Encodable {
        var head: String
        var list: String
        var id: String
        var serial: Int64
        var release: String
        var files: Int
        var bytes: Int64
        var groups: [Group]
        var signed: Bool
        /// The build manifest; left out where there was none.
        var readFrom: String?
        var skipped: [String: Int]
        /// The paths behind these numbers.
        var leftOut: [String: [String]]
        /// The files that pages and style sheets name and the folder does not have.
        var missing: [MissingFile]
        /// Parameters of queries that are passed over.
        var ignoreQuery: [String]
        /// The paths of pages that are never asked for ahead of need.
        var sideEffects: [String]

        struct Group: Encodable {
            var name: String
            var files: Int
            var bytes: Int64
        }
    }
}
