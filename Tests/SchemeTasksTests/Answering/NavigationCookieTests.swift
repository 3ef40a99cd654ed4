import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

@Suite("RFC 6265bis §5.2: cookies of documents at the app-cache scheme go by who has begun the navigation")
struct NavigationCookieTests {
    typealias Initiator = RequestEvidence.Initiator

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var initiator: Initiator?
        /// What goes with the main document, with a form's content, and with a frame of the site and of another site.
        var top: String, form: String, frame: String
    }

    private static let all = "strict=1; lax=1; none=1; __Host-strict=1"
    private static func page(_ hosts: String...) -> Initiator {
        .document(Set(hosts.map { WebOrigin(url: "app-cache-https://\($0)/") }))
    }

    static let rows = [
        Row(testDescription: "the app", initiator: .app, top: all, form: all, frame: all),
        Row(testDescription: "the same origin", initiator: page("shop.test"), top: all, form: all, frame: all),
        Row(testDescription: "the same site", initiator: page("www.shop.test"), top: all, form: all, frame: all),
        Row(
            testDescription: "one of two of the site", initiator: page("shop.test", "www.shop.test"), top: all,
            form: all,
            frame: all),
        Row(
            testDescription: "another site", initiator: page("evil.test"), top: "lax=1; none=1", form: "none=1",
            frame: "none=1"),
        Row(
            testDescription: "one of two sites", initiator: page("shop.test", "evil.test"), top: "lax=1; none=1",
            form: "none=1", frame: "none=1"),
        Row(
            testDescription: "a sandboxed document", initiator: .document([.opaque]), top: "lax=1; none=1",
            form: "none=1", frame: "none=1"),
        Row(testDescription: "nobody", initiator: .document([]), top: "lax=1; none=1", form: "none=1", frame: "none=1"),
        Row(testDescription: "unknown", initiator: nil, top: "lax=1; none=1", form: "none=1", frame: "none=1"),
    ]

    private func bench() async throws -> ResponderBench {
        let bench = ResponderBench {
            $0.registrableDomain = { $0.split(separator: ".").suffix(2).joined(separator: ".") }
        }
        for cookie in ["strict=1; SameSite=Strict", "lax=1; SameSite=Lax", "none=1; SameSite=None"] {
            try await bench.setCookie("https://shop.test/in", cookie + "; Secure; Path=/")
        }
        try await bench.setCookie("https://shop.test/in", "__Host-strict=1; SameSite=Strict; Secure; Path=/")
        bench.on("https://shop.test/a", 200, [.contentType: "text/html", .cacheControl: "no-store"], body: "page")
        return bench
    }

    private func ask(
        _ bench: ResponderBench, _ method: HTTPRequest.Method = .get, _ url: String = "app-cache-https://shop.test/a",
        _ navigation: RequestEvidence.Navigation = .topLevel, of page: String? = nil, by initiator: Initiator?
    ) async throws -> String? {
        var observed = RequestEvidence(
            method: method, url: url,
            fields: method == .post ? [.contentType: "application/x-www-form-urlencoded"] : [:], topLevelURL: page,
            navigation: navigation)
        observed.initiator = initiator
        _ = try await bench.ask(observed, body: method == .post ? [0x78] : nil)
        return bench.sent(.cookie).last
    }

    @Test("what goes with which document", arguments: rows)
    func kinds(_ row: Row) async throws {
        let bench = try await bench()
        #expect(try await ask(bench, by: row.initiator) == row.top)
        #expect(try await ask(bench, .post, by: row.initiator) == row.form)
        let (own, foreign) = ("app-cache-https://shop.test/", "app-cache-https://evil.test/")
        #expect(try await ask(bench, .get, navigationURL, .frame, of: own, by: row.initiator) == row.frame)
        #expect(try await ask(bench, .get, navigationURL, .frame, of: foreign, by: row.initiator) == "none=1")
        // A script can look like this, whoever is said to have begun it.
        #expect(try await ask(bench, .get, navigationURL, .unannouncedFrame, of: own, by: row.initiator) == "")
        #expect(try await ask(bench, .get, navigationURL, .none, of: own, by: row.initiator) == "")
    }
    private let navigationURL = "app-cache-https://shop.test/a"

    @Test(
        "over redirects: as the farthest of all that led here",
        arguments: [
            (Initiator.app, "shop.test", all), (.app, "www.shop.test", all), (.app, "evil.test", "lax=1; none=1"),
            (page("shop.test"), "shop.test", all),
            (page("shop.test"), "evil.test", "lax=1; none=1"), (page("evil.test"), "shop.test", "lax=1; none=1"),
            (page("evil.test"), "evil.test", "lax=1; none=1"),
        ])
    func redirects(_ initiator: Initiator, _ host: String, _ sent: String) async throws {
        let bench = try await bench()
        bench.on("https://\(host)/go", 302, [.location: "https://shop.test/a"])
        _ = try await ask(bench, .get, "app-cache-https://\(host)/go", by: initiator)
        #expect(bench.takeMoves() == [.load(url: "app-cache-https://shop.test/a")])
        // The web view is told to go there by Larder, for nobody.
        #expect(try await ask(bench, by: nil) == sent)
    }

    @Test("who may have begun a navigation, as a view tells of its documents")
    func shownDocuments() {
        var shown = ShownDocuments()
        let (shop, evil) = (WebOrigin(url: "app-cache-https://shop.test/"), WebOrigin(url: "https://evil.test/"))
        #expect(shown.origins == [.opaque])
        shown.committed("app-cache-https://shop.test/a")
        // Sandboxed by its policy, or without scripts.
        #expect(shown.origins == [.opaque])
        shown.told(.opaque, isMain: true)
        shown.told(evil, isMain: true)
        #expect(shown.origins == [.opaque])
        shown.told(shop, isMain: true)
        #expect(shown.origins == [shop])
        for url in ["about:blank", "about:srcdoc", "javascript:1", "app-cache-https://shop.test/frame"] {
            shown.announced(url)
        }
        #expect(shown.origins == [shop])
        shown.announced("https://evil.test/frame")
        #expect(shown.origins == [shop, evil])
        shown.told(.opaque, isMain: false)
        #expect(shown.origins == [shop, evil, .opaque])
        shown.committed("app-cache-https://shop.test/b")
        shown.told(shop, isMain: true)
        #expect(shown.origins == [shop])
        for number in 0..<1_000 { shown.announced("https://h\(number).test/") }
        #expect(shown.origins.count <= ShownDocuments.greatestCount + 2 && shown.origins.contains(.opaque))
        shown.committed(nil)
        #expect(shown.origins == [.opaque])
    }
}
