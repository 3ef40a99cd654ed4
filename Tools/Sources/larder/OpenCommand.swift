import ArgumentParser
import CacheEngine
import CacheRules
import CachingProxy
import Dashboard
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderHost
import PageScripts
import PageSyntax
import ResponseStore
import ViewCare
import WebVisit

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Opens one page in a web view, through Larder, and says what happened.",
        discussion: """
            Exit status 1 means that the page did not load, and 74 that its picture or the HAR file could not be \
            written. An address that leads to a download or to another app is no page; neither is saved or opened.

            A user name and password in the address, https://user:password@host/, answer that origin's challenges; \
            pages, reports and the store do not see them.
            """)

    @Argument(help: "The page, an http or https URL.")
    var url: String

    @Option(help: ArgumentHelp("Save a picture of the page as PNG.", valueName: "file"))
    var screenshot: String?

    @Option(
        help: ArgumentHelp(
            "Give up after this time, such as 90s or 2m; a number alone is seconds. 60s unless set.",
            valueName: "duration"),
        transform: DurationArgument.init)
    var timeout = DurationArgument.seconds(60)

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Option(
        name: .customLong("offline-page"),
        help: ArgumentHelp(
            "An HTML file to show where a page is not stored and there is no network.", valueName: "file"))
    var offlinePage: String?

    @Option(
        help: ArgumentHelp(
            """
            Keep the web view's own cookies, storage and cache in this folder for the next visit; without it they are \
            gone when the page closes.
            """, valueName: "dir"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            """
            The web view's width and height in CSS pixels and its density, as preload takes it: 390x844@1 unless set; \
            whole numbers.
            """, valueName: "size"), transform: PageScreen.init(argument:))
    var screen: PageScreen?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            """
            Let the web view keep responses in its own cache too, as it does on devices; it lies in the folder of \
            --data.
            """
        ))
    var webViewCache = true

    @Option(
        help: ArgumentHelp(
            """
            How the page's requests reach Larder: proxy, everything and as it is; appScheme, a page that is opened at \
            app-cache-https; httpsScheme, only in test builds; none, past Larder. docs/modes.md says what each \
            carries. --resolve, --origin-ca and --rules hold for what reaches Larder.
            """, valueName: "mode"))
    var through = InterceptionMode.proxy

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            """
            A field of each request to the page's own host and port, 'Name: value'; --through proxy \
            only. Repeatable.
            """,
            valueName: "field"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Leave out what Larder's scripts replace on pages of this host, in the scheme modes: all of it, or \
            HOST=NAME,… \
            with \(PagePatch.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.
            """, valueName: "host"), transform: PagePatch.leftOut(argument:))
    var unpatched: [(host: String, patches: Set<PagePatch>)] = []

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            """
            The network that is simulated: direct; 4g (60 ms away, 12 Mbit/s); slow-3g (400 ms, 400 kbit/s); silent, \
            nothing answers; trickling, ten bytes a second; closing, connections end before the answer; lossy, every \
            third answer breaks off.
            """, valueName: "preset"))
    var simulated = SimulatedNetwork.direct

    @Option(
        help: ArgumentHelp(
            """
            How the page itself uses the cache, as fetch's cache and URLRequest's cachePolicy say: no-cache, reload, \
            reload-ignoring-local, force-cache (returnCacheDataElseLoad), only-if-cached (returnCacheDataDontLoad), \
            no-store.
            """, valueName: "mode"))
    var cacheMode: CacheMode?

    @Flag(help: "Fetch everything anew, past every cache, and store what the rules store; --through proxy only.")
    var reload = false

    @Flag(help: "Show every request with its details.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "Save the requests as HAR 1.2, without cookies and passwords; larder audit and browsers read it.",
            valueName: "file"))
    var har: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var connectivity: ConnectivityOptions

    @OptionGroup var network: NetworkOptions

    func validate() throws {
        if let problem = through.problem(with: url) { throw ValidationError(problem) }
        if let screen {
            let isWhole = [screen.width, screen.height, screen.density].allSatisfy { $0 == $0.rounded() }
            guard isWhole, max(screen.width, screen.height) <= Double(VisitRequest.greatestSide), screen.density <= 10
            else {
                throw ValidationError("A web view here takes whole numbers for --screen, at most 8192x8192@10.")
            }
        }
        guard !reload || through == .proxy else {
            throw ValidationError("--reload reaches requests through the proxy alone; take --through proxy.")
        }
        guard header.isEmpty || through == .proxy else {
            throw ValidationError("--header reaches requests through the proxy alone; take --through proxy.")
        }
        guard unpatched.isEmpty || through.hasHandler else {
            throw ValidationError("No script is injected there that --unpatched could leave out.")
        }
        guard timeout.duration > .zero else { throw ValidationError("--timeout takes more than 0 seconds.") }
        try screenshot.map { try FilesToWrite.check($0, "--screenshot") }
        try har.map { try FilesToWrite.check($0, "--har") }
        var isFolder: ObjCBool = false
        if let data, FileManager.default.fileExists(atPath: data, isDirectory: &isFolder), !isFolder.boolValue {
            throw ValidationError("--data takes a folder, and '\(data)' is a file.")
        }
        if let data, let refusal = FolderOwnership.refusal(of: data) {
            throw ValidationError("--data: the folder '\(data)' \(refusal.words).")
        }
        guard through != .none || simulated == .direct else {
            throw ValidationError("--network stands between Larder and the network; take --through proxy.")
        }
        guard through != .none || cacheMode == nil else {
            throw ValidationError("Without Larder no cache is there for --cache-mode; take --through proxy.")
        }
        guard through != .none || connectivity.connectivity.hasNetwork else {
            throw ValidationError("Without Larder nothing is stored to show --offline; take --through proxy.")
        }
    }

    func run() async throws {
        let display = try await Display.find()
        defer { display.stop() }
        let picture = screenshot.map { URL(fileURLWithPath: $0).path }
        let (url, userinfo) = URLUserinfo.split(url)
        let login = userinfo.flatMap { BasicCredentials(userinfo: $0.utf8) }
        var visit = VisitRequest(
            url: url, siteUser: login?.user, sitePassword: login?.password, screenshotPath: picture,
            timeoutSeconds: timeout.seconds,
            dataDirectory: data.map { URL(fileURLWithPath: $0).path }, usesDiskCache: data != nil && webViewCache)
        visit.cacheMode = cacheMode?.rawValue
        if let screen {
            (visit.width, visit.height, visit.density) = (Int(screen.width), Int(screen.height), Int(screen.density))
        }
        visit.prefetchesNames = connectivity.connectivity.hasNetwork
        var through = through
        if let fault = TurnedOff(inStore: network.storeDirectory).fault(of: through) {
            guard connectivity.connectivity.hasNetwork, simulated == .direct, cacheMode == nil, !reload, header.isEmpty
            else {
                throw HostError(
                    code: .badUse,
                    message:
                        "The mode \(through) is not used: \(fault) Without it there is no --offline, --network, "
                        + "--cache-mode, --reload or --header."
                )
            }
            Console.note("The mode \(through) is not used: \(fault)")
            through = .none
        }
        if through != .none, !connectivity.connectivity.hasNetwork, !StoreDirectory.isStore(network.storeDirectory) {
            Console.note("There was no store in '\(network.storeDirectory)'; name another with --store.")
        }
        let start = Console.now
        var summary =
            through == .proxy
            ? try await openThroughProxy(visit, display) : try await openInSession(visit, through, display)
        // A store that can't be read is told elsewhere.
        if through != .none, let store = try? StoreKeeper(directory: network.storeDirectory) {
            try? await summary.look(into: store, since: start)
        }
        // A picture that was asked for and isn't there is a failure, too: its file may be an old one.
        if let picture { summary.expectPicture(at: picture) }
        Console.say(
            json
                ? try summary.json()
                : summary.text(colours: Console.hasColours, width: Console.tableWidth, isVerbose: verbose))
        if let har { try FilesToWrite.write(summary.har(), to: har, "--har") }
        if !summary.isSuccess { throw ExitCode(1) }
        if let problem = summary.pictureProblem {
            Console.note("larder: --screenshot: " + TerminalText.clean(problem))
            throw ExitCode(74)
        }
    }

    private func openThroughProxy(_ visit: VisitRequest, _ display: Display) async throws -> PageSummary {
        var setup = ProxySetup(
            storeDirectory: network.storeDirectory, mode: .forward(intercept: .forWebViews))
        try network.apply(to: &setup.cache)
        setup.cache.rules = try RulesSource(rules).rules()
        setup.add(try HTTPFields(lines: header), toOriginOf: visit.url)
        setup.cache.offlinePage = try offlinePage.map { try OfflinePageFile.read($0) }
        if reload { (setup.reloads, setup.cache.rules) = (true, setup.cache.rules.preceded(by: Rule.disconnected)) }
        setup.upperCache = webViewCache && !reload ? .asks : .off
        setup.cache.network = simulated
        let (result, exchanges) = try await PageVisitor.visit(
            visit, setup, connectivity.connectivity, display: display)
        return PageSummary(result, exchanges, network: simulated)
    }

    /// The requests are answered inside the web view's process.
    private func openInSession(
        _ visit: VisitRequest, _ through: InterceptionMode, _ display: Display
    ) async throws -> PageSummary {
        // Read here, so that a wrong file is told as it is for the proxy.
        let rules = try RulesSource.passedOn(rules)
        var cache = SessionCacheRequest(
            storeDirectory: URL(fileURLWithPath: network.storeDirectory).path, rules: rules, account: network.account,
            connectivity: connectivity.connectivity, hostMap: network.origins.hostMap,
            originAuthorities: network.origins.originCa, offlinePage: offlinePage)
        cache.network = simulated
        var visit = visit
        // Requests that a page makes past a scheme handler would still reach the network; nobody listens at port 1.
        if !connectivity.connectivity.hasNetwork { visit.proxy = "http://127.0.0.1:1" }
        let session = try await WebViewSession.start(
            SessionRequest(
                view: visit, mode: through, cache: through == .none ? nil : cache, looksForBlankPages: true,
                recovers: false, unpatched: Dictionary(unpatched.map { ($0.host, $0.patches) }) { $0.union($1) }),
            display: display)
        let opened: SessionResult
        do {
            opened = try await session.perform(.open(url: visit.url))
        } catch {
            await session.end()
            throw error
        }
        await session.end()
        return PageSummary(
            opened.seen, session.takeExchanges(), session.takeNotices(), addresses: opened.addresses,
            passesLarder: through == .none, network: simulated)
    }
}

extension PagePatch {
    /// `shop.test=fetch,history`, or a host alone for all.
    ///
    /// - Throws: `ValidationError` for a name that is none.
    static func leftOut(argument: String) throws -> (host: String, patches: Set<PagePatch>) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = parts.first, !host.isEmpty else {
            throw ValidationError("--unpatched takes a host, such as shop.test.")
        }
        let names = parts.dropFirst().first.map { $0.split(separator: ",") }
        let patches = try names?.map { name in
            guard let patch = PagePatch(rawValue: String(name)) else {
                throw ValidationError(
                    "'\(name)' can't be left out; \(allCases.map(\.rawValue).joined(separator: ", ")) can."
                )
            }
            return patch
        }
        return (host.lowercased(), Set(patches ?? allCases))
    }
}

extension SimulatedNetwork: ArgumentParser.ExpressibleByArgument {}
extension CacheMode: ArgumentParser.ExpressibleByArgument {}

// Named with their modules, as both are others'.
extension ViewCare.InterceptionMode: ArgumentParser.ExpressibleByArgument {
    /// The tool has no mode `navigation`: its web view is watched over in each.
    public init?(argument: String) {
        guard let mode = Self.allCases.first(where: { $0.rawValue == argument }) else { return nil }
        self = mode
    }

    /// Why a page can't be opened in this mode.
    func problem(with url: String) -> String? {
        do throws(HostError) {
            let request = try HTTPRequest(method: "GET", url: url, fieldLines: [])
            guard usesAppScheme, request.scheme != "https" else { return nil }
        } catch {
            return error.message
        }
        return "The mode appScheme opens https pages only; for '\(url)' take --through proxy."
    }
}
