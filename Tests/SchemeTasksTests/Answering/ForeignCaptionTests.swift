import CacheTesting
import HTTPTypes
import ResponseStore
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("HTML §4.8.11.11.3: captions of another origin need CORS, which WebKit does not ask for")
struct ForeignCaptionTests {
    private static let captions = "WEBVTT\n\n00:00.000 --> 00:01.000\nsecret\n"

    static let shown: [FetchRow<(url: String, mode: String, site: String), Bool>] = [
        .init(("https://page.test/c", "no-cors", "same-origin"), true, "its own origin"),
        .init(("https://bank.test/c", "no-cors", "cross-site"), false, "another one"),
        .init(("https://www.page.test/c", "no-cors", "same-site"), false, "another one of the site"),
        .init(("https://bank.test/open", "cors", "cross-site"), true, "one that CORS opens"),
        .init(("https://bank.test/c", "cors", "cross-site"), false, "one that CORS does not open"),
        .init(("https://page.test/moved", "no-cors", "same-origin"), false, "one that the own origin leads to"),
    ]

    @Test("where the engine says what is asked for", arguments: shown)
    func atHTTPS(_ row: FetchRow<(url: String, mode: String, site: String), Bool>) async throws {
        let bench = ResponderBench()
        for host in ["page.test", "bank.test", "www.page.test"] { bench.on("https://\(host)/c", body: Self.captions) }
        bench.on("https://bank.test/open", 200, [.accessControlAllowOrigin: "*"], body: Self.captions)
        bench.on("https://page.test/moved", 302, [.location: "https://bank.test/open"])
        for referrer in ["https://page.test/", ""] {
            let answer = try await bench.load(
                row.given.url, mode: row.given.mode, dest: "track", site: row.given.site, [.referer: referrer])
            #expect((answer.text == Self.captions) == row.expected, "\(answer)")
        }
    }

    static let hidden: [FetchRow<(host: String, content: String, fields: HTTPFields), Bool>] = [
        .init(("page.test", captions, [.accept: "*/*"]), true, "the page's own"),
        .init(("bank.test", captions, [.accept: "*/*"]), false, "another origin's"),
        .init(("bank.test", "\u{FEFF}" + captions, [.accept: "*/*"]), false, "WebVTT §4.1: a byte order mark"),
        .init(("bank.test", "// WEBVTT", [.accept: "*/*"]), true, "a script"),
        .init(("bank.test", "", [.accept: "*/*"]), true, "nothing at all"),
        .init(("bank.test", captions, [.accept: "image/png,*/*;q=0.8"]), true, "an image"),
    ]

    @Test("at the app-cache scheme the content tells, cold and from the store", arguments: hidden)
    func atAppScheme(_ row: FetchRow<(host: String, content: String, fields: HTTPFields), Bool>) async throws {
        let bench = ResponderBench()
        bench.on("https://\(row.given.host)/c", 200, [.cacheControl: "max-age=600"], body: row.given.content)
        for _ in 0..<3 {
            let observed = RequestEvidence(
                method: .get, url: "app-cache-https://\(row.given.host)/c", fields: row.given.fields,
                topLevelURL: "app-cache-https://page.test/", navigation: RequestEvidence.Navigation.none)
            let answer = try await bench.ask(observed)
            #expect((answer.error == nil) == row.expected, "\(answer)")
            if row.expected { #expect(answer.text == row.given.content) }
        }
    }

    @Test("what is looked at first is answered, and reported, once")
    func once() async throws {
        let folder = try TemporaryDirectory()
        let disk = try DiskResponseStore(directory: folder.store, durability: .process)
        let bench = ResponderBench(storage: { _ in disk })
        bench.on(
            "https://bank.test/c", 200, [.cacheControl: "max-age=600"], body: String(repeating: "x", count: 200_000))
        for number in 1...4 {
            let observed = RequestEvidence(
                method: .get, url: "app-cache-https://bank.test/c", fields: [.accept: "*/*"],
                topLevelURL: "app-cache-https://page.test/", navigation: RequestEvidence.Navigation.none)
            #expect(try await bench.ask(observed).text.utf8.count == 200_000)
            #expect(bench.recorder.reports.map(\.outcome) == [.stored] + Array(repeating: .hit, count: number - 1))
        }
    }

    @Test("a page at http gets no document of the app-cache scheme into a frame; a page at that scheme does")
    func frames() async throws {
        let bench = ResponderBench()
        bench.on("https://bank.test/f", 200, [.contentType: "text/html"], body: "a document")
        for (page, text) in [
            ("http://evil.test/", ""), ("app-cache-https://page.test/", "a document"), ("about:blank", "a document"),
        ] {
            let answer = try await bench.ask(
                RequestEvidence(
                    method: .get, url: "app-cache-https://bank.test/f", fields: [:], topLevelURL: page,
                    navigation: .frame))
            #expect(answer.text == text, "\(page)")
        }
    }
}
