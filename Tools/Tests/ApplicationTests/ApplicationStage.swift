import CacheTesting
import CachingProxy
import Foundation
import LarderHost
import OriginDialing
import WebVisit

/// A running application, and web views that use it in each mode.
final class ApplicationStage: Sendable {
    enum Mode: String, CaseIterable, Sendable {
        case direct, proxy, httpsScheme
        /// At https://localhost, past Larder.
        case https
        /// That page at the app-cache scheme.
        case appScheme

        /// Whether TLS is in front of the application.
        var isSecure: Bool { self == .https || self == .appScheme }
    }
    enum Visit: String, Sendable { case cold, warm, offline }

    /// What came of a visit.
    struct Outcome: Sendable {
        /// The step that failed, and why.
        var failure: String?
        /// Only the first step was done, without its server.
        var onlyOpened = false
        /// What the page said in the end.
        var text = ""
        /// Errors in the console, with `#` for each number: addresses, times and lines differ.
        var errors: Set<String> = []
        var requests = 0
        /// Of those, answered from the store.
        var hits = 0
        /// The first lines of requests that the application's host got past Larder.
        var past: [String] = []
        /// What the script at the app-cache scheme says of it.
        var addresses: AddressReport?
        /// The document in the end, as its scripts read it, without its own origin.
        var document = ""

        mutating func noteErrors(_ seen: VisitResult) {
            for message in seen.console where message.level == .error {
                errors.insert(message.text.replacing(#/[0-9]+/#) { _ in "#" })
            }
        }
    }

    let application: Application
    private let folder: TemporaryDirectory
    private let server: ApplicationServer
    private let front: ApplicationFront
    private let display: Display

    init(_ application: Application, environments: String) async throws {
        self.application = application
        folder = try TemporaryDirectory()
        let files = folder.path + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        server = try ApplicationServer(application, environments: environments, folder: files)
        display = try await Display.find()
        try await server.start()
        front = try await .start(try CertificateAuthority(directory: folder.path + "/front"), before: server.port)
    }

    func stopServer() async { await server.stop() }

    func stop() async {
        await front.stop()
        await server.stop()
        display.stop()
    }

    /// Does all steps in a new web view, over the store of the mode.
    func visit(_ mode: Mode, _ visit: Visit) async throws -> Outcome {
        let log = ReportLog()
        let store = "\(folder.path)/\(mode.rawValue)"
        let isOffline = visit == .offline
        var view = VisitRequest(
            url: "about:blank", width: 1_200, timeoutSeconds: 120, quietMilliseconds: 500,
            pendingLimitMilliseconds: 2_000, scriptTimeoutSeconds: 120)
        var (request, proxy): (SessionRequest, LocalProxy?) = (SessionRequest(view: view, mode: .none), nil)
        switch mode {
        case .direct: break
        case .proxy:
            var setup = ProxySetup(storeDirectory: store, mode: .forward(intercept: .allExcept([])))
            setup.cache.rules = .webViewDefaults
            setup.credentials = .random()
            setup.servesWebView = true
            setup.sendsCacheStatus = false
            setup.cache.observer = log
            let started = try await LocalProxy.start(setup)
            started.connectivity.hasNetwork = !isOffline
            view.proxy = "http://127.0.0.1:\(started.port)"
            view.proxyUser = started.credentials?.user
            view.proxyPassword = started.credentials?.password
            request = SessionRequest(view: view, mode: .proxy)
            proxy = started
        case .httpsScheme:
            request.mode = .httpsScheme
            request.cache = SessionCacheRequest(
                storeDirectory: store, connectivity: isOffline ? .disconnected : .connected)
        case .https, .appScheme:
            let tunnel = try await tunnel(storeDirectory: store + "-tunnel")
            view.proxy = "http://127.0.0.1:\(tunnel.port)"
            view.trusted = [TrustedLeaf(host: ApplicationFront.host, certificatePEM: front.certificate)]
            request = SessionRequest(view: view, mode: mode == .https ? .none : .appScheme)
            if mode == .appScheme {
                request.cache = SessionCacheRequest(
                    storeDirectory: store, connectivity: isOffline ? .disconnected : .connected,
                    hostMap: ["\(ApplicationFront.host):443:127.0.0.1:\(front.ports.throughLarder)"],
                    originAuthorities: folder.path + "/front/ca.pem")
            }
            proxy = tunnel
        }
        _ = front.takePast()
        let session = try await WebViewSession.start(
            request, display: display,
            program: mode == .httpsScheme ? "larder-webview-testhost" : "larder-webview")
        var outcome = try await use(session, mode, visit)
        await session.end()
        outcome.past = front.takePast()
        let outcomes = session.takeExchanges().map(\.outcome) + log.take().map(\.outcome.rawValue)
        outcome.requests = outcomes.count
        outcome.hits = outcomes.filter { $0.contains("hit") || $0 == "validated" }.count
        await proxy?.stop()
        return outcome
    }

    /// For what goes past Larder, or all of it: to the application, through TLS where it is asked for.
    private func tunnel(storeDirectory: String) async throws -> LocalProxy {
        var setup = ProxySetup(storeDirectory: storeDirectory, mode: .forward(intercept: .none))
        setup.cache.hostMap = try HostMap([
            "\(ApplicationFront.host):443:127.0.0.1:\(front.ports.past)",
            "\(ApplicationFront.host):80:127.0.0.1:\(front.ports.plain)",
        ])
        return try await LocalProxy.start(setup)
    }

    private func use(_ session: WebViewSession, _ mode: Mode, _ visit: Visit) async throws -> Outcome {
        var (outcome, last) = (Outcome(), VisitResult(requestedURL: ""))
        // Offline is another visit to what a warm one has seen.
        let word = "\(mode.rawValue)-\(visit == .cold ? "cold" : "warm")"
        let onlyOpens = if case .says = application.offline { visit == .offline } else { false }
        for step in onlyOpens ? Array(application.steps.prefix(1)) : application.steps {
            switch step {
            case .open(let path):
                let address = mode.isSecure ? "https://\(ApplicationFront.host)" : server.address
                let url = address + path.replacingOccurrences(of: "VISIT", with: word)
                last = try await session.perform(.open(url: url)).seen
            case .back: last = try await session.perform(.back).seen
            case .act(let name, let script):
                last = try await session.perform(.run(script: Application.functions + script)).seen
                if let error = last.scriptError { outcome.failure = outcome.failure ?? "\(name): \(error)" }
            }
            outcome.noteErrors(last)
        }
        outcome.onlyOpened = onlyOpens
        if onlyOpens, case .says(let text) = application.offline {
            let wanted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            last = try await session.perform(
                .run(
                    script: Application.functions
                        + "for (let i = 0; i < 100 && !say().includes(\(wanted)); i++) await new Promise(r => setTimeout(r, 100));"
                )
            ).seen
        }
        outcome.noteErrors(last)
        outcome.text = try await read("return say().slice(0, 400)", in: session).text
        let document = try await read(Self.readDocument, in: session)
        (outcome.document, outcome.addresses) = (document.text, document.result.addresses)
        return outcome
    }

    private static let readDocument = """
        const own = location.origin === 'null' ? `${location.protocol}//${location.host}` : location.origin;
        return document.documentElement.outerHTML.replaceAll(own, 'https://localhost');
        """

    private func read(_ script: String, in session: WebViewSession) async throws -> (
        text: String, result: SessionResult
    ) {
        let result = try await session.perform(.run(script: Application.functions + script))
        let text = try result.seen.scriptResult.map { try JSONDecoder().decode(String.self, from: Data($0.utf8)) }
        return (text ?? result.seen.scriptError ?? "", result)
    }
}
