import CacheTesting
import CachingProxy
import Foundation
import LarderHost
import WebVisit

/// A web view that is kept for many steps, and one origin for all hosts, on https.
final class SessionScene: Sendable {
    let origin: PageOrigin
    let session: WebViewSession
    private let display: Display

    init(
        _ folder: TemporaryDirectory, _ mode: InterceptionMode, hosts: [String] = ["shop.test"],
        usesTLS: Bool = true, looksForBlankPages: Bool = false, quietMilliseconds: Int = 200,
        pendingLimitMilliseconds: Int = 10_000,
        _ script: @escaping PageOrigin.Script
    ) async throws {
        display = try await Display.find()
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: usesTLS ? try authority.makeIdentity(names: hosts) : nil, script)
        self.origin = origin
        let cache = SessionCacheRequest(
            storeDirectory: folder.store, hostMap: hosts.map { "\($0):443:127.0.0.1:\(origin.port)" },
            originAuthorities: folder.path + "/origin/ca.pem")
        session = try await WebViewSession.start(
            SessionRequest(
                view: VisitRequest(
                    url: "about:blank", timeoutSeconds: 240, quietMilliseconds: quietMilliseconds,
                    pendingLimitMilliseconds: pendingLimitMilliseconds), mode: mode, cache: cache,
                looksForBlankPages: looksForBlankPages),
            display: display, program: mode == .httpsScheme ? "larder-webview-testhost" : "larder-webview")
    }

    deinit { display.stop() }

    func open(_ url: String) async throws -> VisitResult { try await session.perform(.open(url: url)).seen }

    /// What a script in the page returns, as JSON.
    func run(_ script: String) async throws -> String {
        let seen = try await session.perform(.run(script: script)).seen
        return seen.scriptResult ?? "failed: \(seen.scriptError ?? "")"
    }

    func stop() async {
        await session.end()
        await origin.stop()
        display.stop()
    }
}
