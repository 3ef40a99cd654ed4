// The lines of docs/guides/objective-c.md. There is no Objective-C on Linux, so `@objc` is missing here.
import LarderKit
import WebKit

@MainActor
public final class ShopCache: NSObject {
    private let larder: Larder

    private init(_ larder: Larder) { self.larder = larder }

    public static func open() throws -> ShopCache { ShopCache(try Larder()) }

    public func install(in configuration: WKWebViewConfiguration) async -> String {
        let installed = await larder.install(in: configuration)
        return installed.reason ?? installed.name.rawValue
    }

    public func load(_ url: URL, in webView: WKWebView) { larder.load(url, in: webView) }

    public var account: String? {
        get { larder.account }
        set { larder.account = newValue }
    }

    public var isOffline: Bool {
        get { !larder.connectivity.hasNetwork }
        set { larder.connectivityOverride = newValue ? .disconnected : nil }
    }

    public func preload(_ urls: [URL]) async -> Bool { await larder.preload(urls).isReady }

    public func removeAll() async throws { try await larder.removeAll() }
}
