import AppleFoundation
import LarderKit
import Network
import Testing
import WebKit

@testable import Guides

/// What docs/guides shows, driven with stand-ins: a reader copies it as it is.
@MainActor
@Suite("The code of the guides", .timeLimit(.minutes(5)))
struct GuidesTests {
    private static let home = URL(string: "https://shop.example/")
    private static let link = URL(string: "https://shop.example/orders/7")

    /// An account, whose store's folder is removed afterwards.
    private func withAccount(_ use: (AccountWeb) async throws -> Void) async throws {
        let id = UUID()
        let folder = try LarderConfiguration.forApp(named: "larder-\(id.uuidString)").directory
        defer { try? FileManager.default.removeItem(at: folder) }
        try await use(try AccountWeb(id))
    }

    private func loads(_ webView: WKWebView?) -> [String] {
        (webView?.told ?? []).compactMap { told in
            if case .load(let request) = told { request.url?.absoluteString } else { nil }
        }
    }

    @Test(
        "a link is what is shown in the end, whether it comes before or after the first page", arguments: [true, false])
    func links(_ isFirst: Bool) async throws {
        let (home, link) = (try #require(Self.home), try #require(Self.link))
        try await withAccount { web in
            if isFirst {
                let opening = Task { await web.open(link) }
                await web.start(home)
                await opening.value
            } else {
                let starting = Task { await web.start(home) }
                await web.open(link)
                await starting.value
            }
            #expect(loads(web.page?.webView).last == link.absoluteString)
            await web.start(home)
            #expect(loads(web.page?.webView).last == link.absoluteString, "a screen that appears again loads nothing")
        }
    }

    @Test("a pop-up has Larder in front of its delegate before WebKit gets it, and is gone once it is closed")
    func popup() async throws {
        let home = try #require(Self.home)
        try await withAccount { web in
            await web.open(home)
            let page = try #require(web.page)
            let frame = WKFrameInfo(simulating: URLRequest(url: home))
            let action = WKNavigationAction(simulating: URLRequest(url: home), from: frame, to: nil)
            let opened = try #require(
                page.webView(
                    page.webView, createWebViewWith: page.webView.configuration, for: action,
                    windowFeatures: WKWindowFeatures()))
            let popup = try #require(page.popup)
            #expect(opened === popup.webView && opened.uiDelegate === popup)
            #expect(opened.navigationDelegate != nil && opened.navigationDelegate !== popup)
            #expect(loads(opened).isEmpty, "WebKit loads it")
            popup.webViewDidClose(opened)
            #expect(page.popup == nil)
        }
    }

    @Test("signing out takes the page away and all kinds of the data store's data")
    func signOut() async throws {
        let home = try #require(Self.home)
        try await withAccount { web in
            await web.open(home)
            let store = try #require(web.page?.webView.configuration.websiteDataStore)
            try await web.signOut()
            #expect(web.page == nil)
            // All of it, and then WebKit's caches, which may have been filled again meanwhile.
            #expect(store.removals.first?.types == WKWebsiteDataStore.allWebsiteDataTypes())
            #expect(store.removals.dropFirst().allSatisfy { $0.types.count < 4 })
        }
    }

    @Test("links to other hosts and schemes, and with a user, open nothing")
    func strangers() {
        for text in [
            "http://shop.example/", "https://shop.example.evil.test/", "https://shop.example@evil.test/",
            "https://user@shop.example/", "javascript:alert(1)", "shop.example",
        ] {
            #expect(Links.page(URL(string: text)) == nil, "\(text)")
        }
        #expect(Links.page(Self.link) == Self.link)
    }

    @Test("a download gets a file of its own, and is shown once it is there")
    func download() async throws {
        let home = try #require(Self.home)
        try await withAccount { web in
            await web.open(home)
            let page = try #require(web.page)
            let response = URLResponse(url: home, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
            var files: [URL] = []
            for _ in 0..<2 {
                let download = WKDownload(simulating: URLRequest(url: home), in: page.webView)
                page.webView(page.webView, navigationAction: Self.action(home), didBecome: download)
                #expect(download.delegate === page)
                page.download(download, decideDestinationUsing: response, suggestedFilename: "bill.pdf") { file in
                    if let file { files.append(file) }
                }
                page.downloadDidFinish(download)
                #expect(page.saved == files.last && page.saving.isEmpty)
            }
            #expect(Set(files).count == 2 && files.allSatisfy { $0.lastPathComponent == "bill.pdf" })
            for file in files { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        }
    }

    @Test("a bundled site opens at the app-cache scheme, also without a seed")
    func bundled() async throws {
        let folder = try LarderConfiguration.forApp(named: "site").directory
        defer { try? FileManager.default.removeItem(at: folder) }
        let site = try await BundledSite.open()
        let webView = await site.show(in: WKWebViewConfiguration(), frame: .zero)
        #expect(loads(webView) == ["app-cache-https://app.shop.example/"])
        #expect(site.larder.mode(of: webView)?.name == .appScheme)
    }

    private static func action(_ url: URL) -> WKNavigationAction {
        let frame = WKFrameInfo(simulating: URLRequest(url: url))
        return WKNavigationAction(simulating: URLRequest(url: url), from: frame, to: frame)
    }
}
