import CacheEngine
import CacheTesting
import CachingProxy
import Foundation
import HTTPCacheSemantics
import LarderHost
import OriginDialing
import ResponseStore
import WebVisit

/// A web view, a proxy with the rules that web views get, and one origin for all hosts, on https.
final class WebViewScene: Sendable {
    let folder: TemporaryDirectory
    let origin: PageOrigin
    let visitor: PageVisitor
    private let log = ReportLog()
    private let display: Display

    /// - Parameter patience: See ``CacheEngine/OriginLimits/beforeFallback``; none, as on a busy machine the origin is
    ///   slow, and each answer without it is one request more.
    init(
        _ folder: TemporaryDirectory, hosts: [String], patience: Duration? = nil, _ script: @escaping PageOrigin.Script
    ) async throws {
        self.folder = folder
        display = try await Display.find()
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: try authority.makeIdentity(names: hosts), script)
        self.origin = origin
        var setup = ProxySetup(storeDirectory: folder.store, mode: .forward(intercept: .allExcept([])))
        setup.cache.hostMap = try HostMap(hosts.map { "\($0):443:127.0.0.1:\(origin.port)" })
        setup.cache.originAuthorities = folder.path + "/origin/ca.pem"
        setup.cache.rules = .webViewDefaults
        setup.cache.originLimits.beforeFallback = patience
        setup.cache.observer = log
        visitor = try await PageVisitor.start(setup, display: display)
    }

    deinit { display.stop() }

    /// What a page says to people, on one line.
    static let text = #"return document.body.innerText.replace(/\s+/g, " ").trim()"#

    /// A visit that keeps its cookies and storage from one to the next.
    func open(
        _ url: String, picture: String? = nil, data: String = "data", usesDiskCache: Bool = false,
        clearing: WebsiteDataClearing? = nil, script: String = WebViewScene.text
    ) async throws -> VisitResult {
        try await visitor.visit(
            VisitRequest(
                url: url, screenshotPath: picture, timeoutSeconds: 240, quietMilliseconds: 200,
                dataDirectory: "\(folder.path)/\(data)", usesDiskCache: usesDiskCache,
                clearing: clearing, script: script,
                scriptTimeoutSeconds: 240))
    }

    /// What the web views of ``open(_:picture:data:usesDiskCache:clearing:script:)`` keep.
    var data: WebViewData { WebViewData(directory: folder.path + "/data", display: display) }

    /// What is stored for a URL.
    func stored(_ url: String, for account: String = "") async throws -> [StoredEntry] {
        try await visitor.proxy.store.entries(for: CacheKey(partition: account, uri: url))
    }

    /// What was reported since the last call, of all that has wholly arrived: a web view may be done with an answer
    /// before its report is there.
    func reports() async -> [ExchangeReport] {
        await visitor.proxy.waitForCommits(within: .seconds(600))
        return log.take()
    }

    func stop() async {
        await visitor.proxy.stop()
        await origin.stop()
        display.stop()
    }
}
