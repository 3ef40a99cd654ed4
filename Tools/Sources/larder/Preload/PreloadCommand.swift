import ArgumentParser
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderHost
import ManifestBuilding
import Manifests
import OriginDialing
import PageSyntax
import Preloading

struct PreloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preload",
        abstract: "Fetches what pages will need into a store, before anybody opens them.",
        discussion: """
            What a manifest lists is verified by its hash before any page can see it, and only what the store lacks is \
            fetched. Stopped in the middle, it goes on where it was. At the end each listed page, and all that its \
            HTML, CSS and modules name at the listed hosts, is asked for as a web view would without a network. Exit \
            status 1 means that something is not there, that a page lacks something, or that no newer manifest could \
            be had; what was fetched stays. A server that does not answer for 60 seconds is left to another run.

            A page to be --rendering runs with its scripts, in a web view without cookies, and is given up at its \
            limits of time and memory. Its requests say Sec-Purpose: prefetch, and only GET leaves.
            """)

    @Argument(help: "URLs to fetch, without hashes.")
    var url: [String] = []

    @Option(
        help: ArgumentHelp(
            "The URL of a manifest's head.json. Repeatable: one after the other, and with --json one line for each.",
            valueName: "url"))
    var manifest: [String] = []

    @Option(help: "The manifest's id. Without it: the host and port of its URL.")
    var id: String?

    @Option(
        help: ArgumentHelp(
            "A public key that must have signed the manifest: its text or its file. Repeatable.", valueName: "key"))
    var key: [String] = []

    @Option(help: ArgumentHelp("The public recovery key.", valueName: "key"))
    var recoveryKey: String?

    @Option(help: ArgumentHelp("The base that the manifest must have.", valueName: "url"))
    var base: String?

    @Option(help: ArgumentHelp("The version of the app, for releases that want a newer one.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("A file with URLs, one a line; - for standard input.", valueName: "file"))
    var list: String?

    @Flag(
        help: """
            Fetch also all that pages among the URLs name in HTML, style sheets, modules and Link fields. Nothing \
            runs; what scripts fetch is left to --rendering.
            """)
    var withFiles = false

    @Option(
        help: ArgumentHelp(
            """
            The screen for which --with-files fetches images: width and height of the web view in CSS pixels, and the \
            density, such as 390x844@3. Without it all candidates of srcset and picture are fetched.
            """, valueName: "size"),
        transform: PageScreen.init(argument:))
    var screen: PageScreen?

    @Option(
        help: ArgumentHelp(
            "A page of preload links (<link rel=preload>) alone: what it names is fetched. Repeatable.",
            valueName: "url"))
    var linksOf: [String] = []

    @Option(
        name: [.customLong("rendering"), .customLong("page")],
        help: ArgumentHelp(
            """
            A page to load whole in a web view that nobody sees, so that all that it asks for is stored. Without \
            cookies; not where it is marked as having side effects. Repeatable.
            """, valueName: "url"))
    var page: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Paths, such as '/basket/add/**', that do something when they are opened: nothing there is asked for, by no \
            --rendering either. Without a query. Repeatable. A manifest marks its own.
            """, valueName: "glob"))
    var sideEffects: [String] = []

    @Option(
        help: ArgumentHelp("The longest that a page may load.", valueName: "duration"),
        transform: DurationArgument.init)
    var timeLimit = DurationArgument.seconds(30)

    @Option(
        help: ArgumentHelp("The most memory that a page may take. 512MiB unless set.", valueName: "size"),
        transform: ByteCountArgument.init)
    var memoryLimit: ByteCountArgument?

    @Option(help: ArgumentHelp("How soon URLs are needed: boot, page or lazy.", valueName: "group"))
    var group = PreloadGroup.page

    @Option(
        help: ArgumentHelp(
            "The origin of the pages that will ask, such as https://shop.test. Without it: that of each file.",
            valueName: "origin"))
    var pageOrigin: String?

    @Option(
        help: ArgumentHelp(
            """
            The most that is fetched in a day, such as 50MB, but for what is on its way by then; none for no limit. \
            Without it: 256MiB, as in an app.
            """,
            valueName: "size"),
        transform: DailyBudgetArgument.init)
    var budget = DailyBudgetArgument()

    @Option(
        help: ArgumentHelp(
            "Where accepted serials and the budget are kept. Without it: preload in the store's folder.",
            valueName: "dir"))
    var state: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            """
            A field of every request, 'Name: value', such as a User-Agent that the server varies by. Repeatable. A \
            user name and password may stand in URLs, as in 'larder open', and go to their host alone; what they open \
            is stored without them.
            """, valueName: "field"))
    var header: [String] = []

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var connectivity: ConnectivityOptions

    @OptionGroup var network: NetworkOptions

    func validate() throws {
        guard !manifest.isEmpty || list != nil || !url.isEmpty || !page.isEmpty || !linksOf.isEmpty else {
            throw ValidationError(
                "There is nothing to fetch; name a --manifest, a --list, a page for --links-of or --rendering, or URLs."
            )
        }
        let isForManifest = id != nil || !key.isEmpty || recoveryKey != nil || base != nil || appVersion != nil
        guard !manifest.isEmpty || !isForManifest else {
            throw ValidationError("--id, --key, --recovery-key, --base and --app-version belong to a --manifest.")
        }
        guard timeLimit.duration > .zero else { throw ValidationError("--time-limit takes more than 0 seconds.") }
        guard withFiles || screen == nil else { throw ValidationError("--screen belongs to --with-files.") }
        guard manifest.count < 2 || id == nil && base == nil else {
            throw ValidationError("--id and --base are for one --manifest; call 'larder preload' for each.")
        }
        if let pageOrigin, !Self.isOrigin(pageOrigin) {
            throw ValidationError(
                "--page-origin '\(pageOrigin)' is no origin: scheme, host and port alone, such as https://shop.test.")
        }
    }

    func run() async throws {
        var isComplete = true
        let interruption = await Interruption.expect()
        defer { interruption.cancel() }
        // Before there is something to bring to an end, such as while standard input is read.
        interruption.onFirst { _exit(128 + SIGINT) }
        var left: [String?] = manifest.isEmpty ? [nil] : manifest.map(Optional.some)
        while !left.isEmpty, !interruption.hasCome {
            // URLs and pages come with the first.
            let isFirst = left.count == max(1, manifest.count)
            if try await !fetch(left.removeFirst(), andURLs: isFirst, interruption) { isComplete = false }
        }
        if interruption.hasCome {
            let names = left.compactMap { $0.map(URLUserinfo.removed(from:)) }.joined(separator: ", ")
            let rest = names.isEmpty ? "" : " Not begun: \(names)."
            Console.warn("It was interrupted; what was fetched stays, and another run goes on.\(rest)", json: json)
            isComplete = false
        }
        if !isComplete { throw ExitCode(1) }
    }

    /// - Returns: Whether everything is there.
    private func fetch(
        _ manifest: String?, andURLs isFirst: Bool, _ interruption: Interruption
    ) async throws -> Bool {
        var cache = CacheSetup(storeDirectory: network.storeDirectory)
        try network.apply(to: &cache)
        cache.rules = try RulesSource(rules).rules()
        var request = PreloadRequest(cache: cache)
        request.connectivity = connectivity.connectivity
        request.stateDirectory = state
        request.usesKnownFields = true
        request.viewFields.more = try HTTPFields(lines: header)
        request.manifest = try wantedManifest(manifest, &request.viewFields)
        request.items = isFirst ? try items(&request.viewFields).map { $0.withFiles(withFiles, for: screen) } : []
        request.pageOrigin = pageOrigin
        request.bytesPerDay = budget.limit
        request.pages = isFirst ? page : []
        request.linkPages = isFirst ? linksOf : []
        request.pageLimits.time = timeLimit.duration
        if let memoryLimit { request.pageLimits.memory = memoryLimit.count }
        guard let marked = SideEffectPages(paths: sideEffects) else {
            throw ValidationError("A --side-effects is no glob over a path, such as '/basket/add/**'.")
        }
        request.sideEffectPages = marked
        let run = try PreloadRun(request)
        let progress = PreloadProgress()
        if let manifest = request.manifest { progress.begin(manifest.url) }
        let work = Task {
            try await run.run(
                waiting: { set in
                    progress.clear()
                    Console.note("Another process fetches '\(set)' into this store; this one goes on after it.")
                }, progress: { progress.note($0) })
        }
        interruption.onFirst { work.cancel() }
        let outcome = try await work.value
        progress.clear()
        for failure in outcome.failedLinkPages { Console.note("larder: \(failure)") }
        if !request.viewFields.authorization.isEmpty, outcome.summary.verified > 0 {
            Console.warn(
                "What the password opened is stored for everybody who reads this store; --store and --account keep it "
                    + "apart.", json: json)
        }
        let text = PreloadText(outcome, manifest: request.manifest, withFiles: withFiles)
        if json, self.manifest.count > 1 {
            try Console.say(jsonLine: text.line)
        } else if json {
            try Console.say(json: text.line)
        } else {
            Console.say(text.render())
        }
        return outcome.isComplete && outcome.offline.lacking.isEmpty
    }

    /// RFC 6454 §6.1, and a slash behind it.
    private static func isOrigin(_ text: String) -> Bool {
        guard let parts = TargetURI.split(text), parts.scheme == "http" || parts.scheme == "https" else { return false }
        let rest = text.dropFirst(parts.scheme.utf8.count + 3)
        return !parts.authority.isEmpty && (rest == parts.authority || rest == parts.authority + "/")
    }

    /// Takes user name and password out of a URL, and notes them for its host.
    private static func withoutLogin(_ url: String, _ fields: inout ViewFields) throws -> String {
        let (plain, userinfo) = URLUserinfo.split(url)
        guard let userinfo else { return plain }
        guard let login = BasicCredentials(userinfo: userinfo.utf8), let host = TargetURI.split(plain)?.authority else {
            throw ValidationError(
                "The address has a user name or password that can't be sent; RFC 7617 says which can.")
        }
        fields.authorization[host.lowercased()] = login.fieldValue
        return plain
    }

    private func wantedManifest(
        _ manifest: String?, _ fields: inout ViewFields
    ) throws -> PreloadRequest.Manifest? {
        guard let manifest = try manifest.map({ try Self.withoutLogin($0, &fields) }) else { return nil }
        guard TargetURI.split(manifest) != nil else {
            throw ValidationError(
                "'\(manifest)' is no URL of a manifest, such as https://example.com/larder/head.json.")
        }
        let keys = try key.map { text throws(ManifestToolError) in try KeyFiles.pinned(text) }
        let recovery = try recoveryKey.map { text throws(ManifestToolError) in try KeyFiles.pinned(text) }
        let trust: ManifestTrust =
            keys.isEmpty && recovery == nil ? .server : .pinned(PinnedKeys(keys, recovery: recovery))
        var version: AppVersion?
        if let appVersion {
            version = AppVersion(appVersion)
            guard version != nil else { throw ValidationError("'\(appVersion)' is no version, such as 5.2.") }
        }
        return PreloadRequest.Manifest(
            url: manifest, id: id ?? StandardID.of(manifest) ?? "site", trust: trust, base: base, appVersion: version)
    }

    private func items(_ fields: inout ViewFields) throws -> [PreloadItem] {
        let url = try url.map { try Self.withoutLogin($0, &fields) }
        guard let list else { return try named(url) }
        let handle = list == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: list)
        guard let handle, let content = Self.content(of: handle) else {
            throw ValidationError("The list '\(list)' can't be read: name a file with a URL in each line.")
        }
        let named = try named(url)
        let listed: [PreloadItem]
        do throws(PreloadListError) {
            listed = try PreloadList.read(content, group: group)
        } catch {
            throw ValidationError("\(list), line \(error.line): \(error.message)")
        }
        guard !listed.isEmpty || !named.isEmpty || !manifest.isEmpty || !page.isEmpty || !linksOf.isEmpty else {
            throw ValidationError("The list '\(list)' names no URL; write one in each line.")
        }
        return named + listed
    }

    /// - Returns: The content, cut one octet after the longest list; `nil` for a folder.
    private static func content(of handle: FileHandle) -> [UInt8]? {
        let longest = Int(PreloadList.longest.bytes)
        var content: [UInt8] = []
        while content.count <= longest {
            do {
                guard let piece = try handle.read(upToCount: longest + 1 - content.count), !piece.isEmpty else {
                    return content
                }
                content += piece
            } catch {
                return nil
            }
        }
        return content
    }

    private func named(_ urls: [String]) throws -> [PreloadItem] {
        do throws(PreloadListError) {
            return try PreloadList.read(Array(urls.joined(separator: "\n").utf8), group: group)
        } catch {
            let index = max(0, min(urls.count, error.line) - 1)
            throw ValidationError("'\(urls[index])': \(error.message)")
        }
    }
}

extension PreloadGroup: ExpressibleByArgument {}
