import CacheTesting
import CachingProxy
import Foundation
import LarderHost
import OriginDialing
import WebVisit

/// How the page's loads reach the origin.
enum MatrixMode: String, CaseIterable, Sendable {
    /// WebKit's own network, through tunnels that nobody reads.
    case network
    case proxy, httpsScheme, appScheme
}

/// A kind of load.
struct MatrixKind: Decodable, Sendable {
    var section: String
    var name: String
    /// What a plain network makes of it.
    var expected: String
}

/// What came of every kind of load in one mode.
struct MatrixPass: Sendable {
    /// With an empty store, and then with what that has left there.
    var cold: [String: String]
    var warm: [String: String]
}

/// The page with all kinds of loads, its origin, and web views that open it.
struct MatrixStage: Sendable {
    private let folder: TemporaryDirectory
    private let origin: MatrixOrigin
    private let display: Display
    /// For the network itself, and for what passes a scheme handler by: WebSockets.
    private let tunnel: LocalProxy
    private let hostMap: [String]

    init() async throws {
        folder = try TemporaryDirectory()
        display = try await Display.find()
        origin = try await MatrixOrigin.start(try CertificateAuthority(directory: folder.path + "/origin"))
        let (port, plainPort, deadPort) = (origin.port, origin.plainPort, origin.deadPort)
        hostMap =
            MatrixOrigin.hosts.map { "\($0):443:127.0.0.1:\(port)" }
            + ["example.net:8080:127.0.0.1:\(port)"]
            + (MatrixOrigin.hosts + ["127.0.0.1"]).map { "\($0):80:127.0.0.1:\(plainPort)" }
            + ["\(MatrixOrigin.unreachable):443:127.0.0.1:\(deadPort)"]
        var setup = ProxySetup(storeDirectory: folder.path + "/tunnel", mode: .forward(intercept: .none))
        setup.cache.hostMap = try HostMap(hostMap)
        tunnel = try await LocalProxy.start(setup)
    }

    func stop() async {
        await tunnel.stop()
        await origin.stop()
        display.stop()
    }

    /// The kinds in their order, with what a plain network makes of each.
    func kinds() async throws -> [MatrixKind] {
        let session = try await open(.network, view(tunnel, leaves))
        let text = try await Self.value(
            of: "return kinds.map(({section, name, expected}) => ({section, name, expected}))", in: session)
        await session.end()
        return try JSONDecoder().decode([MatrixKind].self, from: Data(text.utf8))
    }

    /// Opens the page twice, each time in a new web view without cookies and storage.
    func measure(_ mode: MatrixMode) async throws -> MatrixPass {
        guard mode == .proxy else {
            let view = view(tunnel, leaves)
            return MatrixPass(cold: try await results(mode, view), warm: try await results(mode, view))
        }
        var setup = ProxySetup(
            storeDirectory: "\(folder.path)/\(mode.rawValue)", mode: .forward(intercept: .allExcept([])))
        setup.cache.hostMap = try HostMap(hostMap)
        setup.cache.originAuthorities = folder.path + "/origin/ca.pem"
        setup.cache.rules = .webViewDefaults
        setup.credentials = .random()
        setup.servesWebView = true
        setup.sendsCacheStatus = false
        let proxy = try await LocalProxy.start(setup)
        let leaves = try (MatrixOrigin.hosts + [MatrixOrigin.unreachable]).map {
            TrustedLeaf(host: $0, certificatePEM: try proxy.authority.leafPEM(for: $0))
        }
        let view = view(proxy, leaves)
        let cold = try await results(mode, view)
        await proxy.waitForCommits()
        let pass = MatrixPass(cold: cold, warm: try await results(mode, view))
        await proxy.stop()
        return pass
    }

    private var leaves: [TrustedLeaf] {
        MatrixOrigin.hosts.map { TrustedLeaf(host: $0, certificatePEM: origin.certificatePEM) }
    }

    private func view(_ proxy: LocalProxy, _ leaves: [TrustedLeaf]) -> VisitRequest {
        VisitRequest(
            url: "about:blank", proxy: "http://127.0.0.1:\(proxy.port)", proxyUser: proxy.credentials?.user,
            proxyPassword: proxy.credentials?.password, timeoutSeconds: 300, quietMilliseconds: 100, trusted: leaves,
            scriptTimeoutSeconds: 900)
    }

    /// The page in a web view of its own.
    func start(_ mode: MatrixMode) async throws -> WebViewSession { try await open(mode, view(tunnel, leaves)) }

    /// What a script in the page returns, and what the page wanted of its app meanwhile.
    func run(_ mode: MatrixMode, _ script: String) async throws -> (text: String, notices: [SessionNotice]) {
        let session = try await open(mode, view(tunnel, leaves))
        let text = try await Self.value(of: script, in: session)
        let notices = session.takeNotices()
        await session.end()
        return (text, notices)
    }

    /// What the injected script has had a hand in when a script in the page has run, and its faults.
    func counts(_ mode: MatrixMode, _ script: String) async throws -> (touched: [String: Int], faults: [String: Int]) {
        let session = try await open(mode, view(tunnel, leaves))
        let result = try await session.perform(.run(script: script))
        await session.end()
        if let error = result.seen.scriptError { throw MatrixFailure(error) }
        return (result.touchedRequests, result.scriptFaults)
    }

    /// The greatest resident memory, in MiB, of each process of a web view that runs a script, by their names.
    func peaks(_ mode: MatrixMode, _ script: String) async throws -> [String: Int] {
        let session = try await open(mode, view(tunnel, leaves))
        print(mode, try await Self.value(of: script, in: session))
        let peaks = Self.peaks(below: session.processIdentifier)
        await session.end()
        return peaks
    }

    private static func peaks(below process: Int32) -> [String: Int] {
        func text(_ name: String) -> String {
            (try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)) ?? ""
        }
        let line = text("status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        var peaks = [text("comm").trimmingCharacters(in: .newlines): kibibytes / 1_024]
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        for child in threads.flatMap({ text("task/\($0)/children").split(separator: " ").compactMap { Int32($0) } }) {
            peaks.merge(Self.peaks(below: child)) { max($0, $1) }
        }
        return peaks
    }

    private func results(_ mode: MatrixMode, _ view: VisitRequest) async throws -> [String: String] {
        let session = try await open(mode, view)
        let silent = MatrixDifference.all(in: mode).flatMap { difference in
            difference.results.filter { $0.value == "no answer" }.keys
        }
        let names = String(decoding: try JSONEncoder().encode(silent), as: UTF8.self)
        let text = try await Self.value(of: "return await measure(\(names))", in: session)
        await session.end()
        return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }

    private func open(_ mode: MatrixMode, _ view: VisitRequest) async throws -> WebViewSession {
        var request = SessionRequest(view: view, mode: .none)
        switch mode {
        case .network: break
        case .proxy: request.mode = .proxy
        case .httpsScheme: request.mode = .httpsScheme
        case .appScheme: request.mode = .appScheme
        }
        if mode == .httpsScheme || mode == .appScheme {
            request.cache = SessionCacheRequest(
                storeDirectory: "\(folder.path)/\(mode.rawValue)", hostMap: hostMap,
                originAuthorities: folder.path + "/origin/ca.pem")
        }
        let session = try await WebViewSession.start(
            request, display: display,
            program: mode == .httpsScheme ? "larder-webview-testhost" : "larder-webview")
        let opened = try await session.perform(.open(url: "https://example.com/matrix.html"))
        guard opened.seen.loadError == nil else { throw MatrixFailure("\(mode): \(opened.seen)") }
        return session
    }

    static func value(of script: String, in session: WebViewSession) async throws -> String {
        let ran = try await session.perform(.run(script: script)).seen
        guard let text = ran.scriptResult else {
            throw MatrixFailure(ran.scriptError ?? "The script returned nothing.")
        }
        return text
    }
}

struct MatrixFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
