import CacheTesting
import CacheEngine
import Foundation
import HTTPTypes
import Locking
import Testing
import WebVisit

/// Pages whose time is over and redirects, without their origin, in a real WebKitGTK.
@Suite("without the origin, in a real web view", .serialized)
struct WebViewOfflineTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// How the origin goes away.
    enum Absence: CaseIterable {
        /// It accepts no connection.
        case gone
        /// The app knows that there is no network.
        case disconnected
        /// It takes requests and says nothing.
        case silent
        /// It sends heads and nothing behind them.
        case silentAfterHead
        /// It stops in the middle of each answer, of which it states no length.
        case silentInside
        /// It answers 503.
        case failing
    }

    /// Everything was stale when it came, in one of the ways in which a response can be.
    @Sendable private static func staleSite(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        switch request.path {
        case "/":
            return PageOrigin.Answer(
                fields: ["Content-Type": "text/html", "Cache-Control": "max-age=1", "Age": "3600", "ETag": "\"page\""],
                body: """
                    <!DOCTYPE html><title>Stale</title><link rel="stylesheet" href="/style.css">
                    <h1>Stale</h1><p id="script"></p><img src="/picture.svg" width="100" height="100">
                    <script src="/app.js"></script>
                    """)
        case "/style.css":
            return PageOrigin.Answer(
                fields: [
                    "Content-Type": "text/css", "Expires": "Thu, 01 Jan 2015 00:00:00 GMT",
                    "Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT",
                ], body: "body { background: #104080; color: white }")
        case "/app.js":
            return PageOrigin.Answer(
                fields: ["Content-Type": "text/javascript", "Cache-Control": "no-cache", "ETag": "\"script\""],
                body: "document.getElementById('script').textContent = 'the script ran'")
        case "/picture.svg":
            return PageOrigin.Answer(
                fields: ["Content-Type": "image/svg+xml", "Cache-Control": "max-age=0, must-revalidate"],
                body: "<svg xmlns='http://www.w3.org/2000/svg'><circle cx='50' cy='50' r='40' fill='orange'/></svg>")
        default: return .notFound
        }
    }

    /// An answer that stops until the end, of which it states no length.
    private static func stopping(
        _ answer: PageOrigin.Answer, _ end: AsyncStream<Never>, after length: Int = 30
    ) -> PageOrigin.Answer {
        var answer = answer
        answer.body = String(answer.body.prefix(length))
        answer.rest = {
            for await _ in end {}
            return ""
        }
        return answer
    }

    @Test(
        "where a handler answers, a page whose server stops in the middle is the stored one",
        arguments: [
            (InterceptionMode.appScheme, "app-cache-https"), (.httpsScheme, "https"),
        ])
    func stopped(_ mode: InterceptionMode, _ scheme: String) async throws {
        let stops = AtomicFlag(false)
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let scene = try await SessionScene(folder, mode) { request in
            stops.value ? Self.stopping(Self.staleSite(request), end) : Self.staleSite(request)
        }
        let seen = "return document.body.innerText.trim() + getComputedStyle(document.body).backgroundColor"
        #expect(try await scene.open("\(scheme)://shop.test/").loadError == nil)
        let online = try await scene.run(seen)
        #expect(online.contains("the script ran"))
        stops.value = true
        _ = try await scene.open("about:blank")
        // WebKit has no Sec-Fetch-Dest at an app's own scheme, and the rule `campaign-query` is about documents.
        #expect(try await scene.open("\(scheme)://shop.test/?utm_source=mail").firstContentfulPaint != nil)
        #expect(try await scene.run(seen) == online)
        ending.finish()
        await scene.stop()
    }

    @Test("a page that is long past its time paints from the store, with all it needs", arguments: Absence.allCases)
    func expired(_ absence: Absence) async throws {
        let state = LockedBox<Absence?>(nil)
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let scene = try await WebViewScene(folder, hosts: ["app.test"], patience: .seconds(3)) { request in
            switch state.withLock({ $0 }) {
            case .silent: for await _ in end {}
            case .silentAfterHead: return Self.stopping(Self.staleSite(request), end, after: 0)
            case .silentInside: return Self.stopping(Self.staleSite(request), end)
            case .failing: return PageOrigin.Answer(status: 503, fields: ["Content-Type": "text/html"], body: "busy")
            case .gone, .disconnected, nil: break
            }
            return Self.staleSite(request)
        }
        let pictures = [folder.path + "/on.png", folder.path + "/off.png"]
        let online = try await scene.open("https://app.test/", picture: pictures[0])
        #expect(online.scriptResult == #""Stale the script ran""# && online.failedResources == [])
        _ = await scene.reports()
        switch absence {
        case .gone: await scene.origin.stop()
        case .disconnected: scene.visitor.proxy.connectivity = .disconnected
        case .silent, .silentAfterHead, .silentInside, .failing: state.withLock { $0 = absence }
        }
        let offline = try await scene.open("https://app.test/", picture: pictures[1])
        #expect(offline.mainStatus == 200 && offline.finalURL == "https://app.test/")
        #expect(offline.scriptResult == online.scriptResult && offline.failedResources == [])
        #expect(offline.firstContentfulPaint != nil && offline.screenshot?.uniform == false)
        let painted = try pictures.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(painted[0] == painted[1])
        ending.finish()
        let reports = await scene.reports().filter { !$0.uri.hasSuffix(".ico") && !$0.isBackground }
        #expect(reports.count == 4)
        for report in reports {
            #expect(report.outcome == .staleHit || report.outcome == .hit, "\(report.uri): \(report.outcome)")
        }
        await scene.stop()
    }

    /// Redirects with lifetimes of their own, and a page that has to be asked for each time.
    @Sendable private static func redirectingSite(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        switch request.host + request.path {
        case "app.test/permanent": .redirect(301, to: "/landing", ["Cache-Control": "max-age=86400"])
        case "app.test/moved": .redirect(301, to: "/landing")
        case "app.test/campaign": .redirect(302, to: "/landing", ["Cache-Control": "max-age=600"])
        case "app.test/plain": .redirect(302, to: "/landing")
        case "app.test/chain": .redirect(301, to: "https://www.test/step", ["Cache-Control": "max-age=86400"])
        case "www.test/step": .redirect(307, to: "https://app.test/campaign", ["Cache-Control": "max-age=60"])
        case "app.test/landing": .page("Landing", "", ["Cache-Control": "no-cache", "ETag": "\"landing\""])
        default: .notFound
        }
    }

    @Test("redirects are stored as redirects, each with its own lifetime, and replayed hop by hop")
    func redirects() async throws {
        let scene = try await WebViewScene(folder, hosts: ["app.test", "www.test"]) { Self.redirectingSite($0) }
        func count(_ path: String) -> Int { scene.origin.asked.filter { $0 == path }.count }
        let landing = "https://app.test/landing"
        let starts = ["permanent", "moved", "campaign", "plain", "chain"]
        for visit in 1...2 {
            for start in starts {
                let result = try await scene.open("https://app.test/\(start)")
                #expect(result.finalURL == landing && result.title == "Landing", "\(start), visit \(visit)")
            }
        }
        // By their own lifetimes: those that state one are not asked about again, though the page behind them is.
        // 302 is not heuristically cacheable (RFC 9110 §15.4.3); a 301 is, but without Last-Modified it has no time
        // to reckon with (RFC 9111 §4.2.2). The rule `redirect` stores both for when there is no network.
        let asked = [
            ("app.test/permanent", 1), ("app.test/moved", 2), ("app.test/campaign", 1), ("app.test/plain", 2),
            ("app.test/chain", 1), ("www.test/step", 1), ("app.test/landing", 10),
        ]
        for (path, times) in asked { #expect(count(path) == times, "\(path)") }
        let stored: [(url: String, status: Int?, location: String?)] = [
            ("https://app.test/permanent", 301, "/landing"), ("https://app.test/moved", 301, "/landing"),
            ("https://app.test/campaign", 302, "/landing"), ("https://app.test/plain", 302, "/landing"),
            ("https://app.test/chain", 301, "https://www.test/step"),
            ("https://www.test/step", 307, "https://app.test/campaign"), (landing, 200, nil),
        ]
        for (url, status, location) in stored {
            let entry = try await scene.stored(url).first
            #expect(entry?.response.status.code == status, "\(url)")
            #expect(entry?.response.fields[.location] == location, "\(url)")
        }

        await scene.origin.stop()
        scene.visitor.proxy.connectivity = .disconnected
        _ = await scene.reports()
        for start in ["permanent", "moved", "campaign", "plain", "chain"] {
            let result = try await scene.open("https://app.test/\(start)")
            #expect(result.finalURL == landing && result.title == "Landing" && result.mainStatus == 200, "\(start)")
        }
        let hops = await scene.reports().filter { !$0.uri.hasSuffix(".ico") }.suffix(4)
        #expect(
            hops.map(\.uri) == [
                "https://app.test/chain", "https://www.test/step", "https://app.test/campaign", landing,
            ])
        #expect(hops.map(\.status) == [301, 307, 302, 200])
        // RFC 9110 §10.2.2: the fragment goes along.
        #expect(try await scene.open("https://app.test/permanent#part").finalURL == landing + "#part")
        await scene.stop()
    }
}
