import CacheRules
import Foundation
import HTTPTypes
import Testing

@testable import PageAudit

@Suite("What a page's next visits find", .timeLimit(.minutes(2)))
struct AuditTests {
    private static func exchange(
        _ path: String, _ destination: Destination, _ fields: HTTPFields, status: Int = 200
    ) -> RecordedExchange {
        RecordedExchange(
            url: "https://shop.test" + path, destination: destination, status: status,
            request: destination == .document ? [:] : [.referer: "https://shop.test/"], response: fields, size: 1_000,
            start: 1_700_000_000_000)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var destination: Destination
        var fields: HTTPFields
        /// A minute, a day, a week, after a deploy, offline.
        var found: String
        var control: String?
        var testDescription: String { path }
    }

    private static let rows = [
        Row(
            path: "/app-BX3kTQ9a.js", destination: .script,
            fields: [.contentType: "text/javascript", .cacheControl: "max-age=31536000, immutable"],
            found: "stored stored stored named there"),
        Row(
            path: "/main-4fK2x9Qa.js", destination: .script,
            fields: [.contentType: "text/javascript", .cacheControl: "no-store"],
            found: "fetched fetched fetched named missing", control: "public, max-age=31536000, immutable"),
        Row(
            path: "/old.js", destination: .script,
            fields: [.contentType: "text/javascript", .eTag: "\"1\"", .cacheControl: "max-age=31536000"],
            found: "stored stored stored old there", control: "no-cache"),
        // A deploy may come a minute after the visit.
        Row(
            path: "/short.js", destination: .script,
            fields: [.contentType: "text/javascript", .eTag: "\"1\"", .cacheControl: "max-age=600"],
            found: "stored asked asked old there", control: "no-cache"),
        // Its author says that the name has a hash, though none is seen (RFC 8246 §2).
        Row(
            path: "/icons-a2b4.woff2", destination: .font,
            fields: [.contentType: "font/woff2", .eTag: "\"1\"", .cacheControl: "max-age=31536000, immutable"],
            found: "stored stored stored named there"),
        // After a deploy the page is new, so that the file is asked about first (rule older-than-page).
        Row(
            path: "/plain.css", destination: .style, fields: [.contentType: "text/css", .eTag: "\"1\""],
            found: "behind behind behind new there"),
        Row(
            path: "/asked.png", destination: .image,
            fields: [.contentType: "image/png", .eTag: "\"1\"", .cacheControl: "no-cache"],
            found: "asked asked asked new there"),
        Row(
            path: "/api/data", destination: .fetch, fields: [.contentType: "application/json"],
            found: "fetched fetched fetched new missing"),
    ]

    @Test("each kind of file, at each moment, as the cache itself decides", arguments: rows)
    func files(_ row: Row) async throws {
        let page = Self.exchange("/", .document, [.contentType: "text/html", .eTag: "\"1\""])
        let audit = await Audit([page, Self.exchange(row.path, row.destination, row.fields)])
        try #require(audit.files.count == 2 && audit.url == "https://shop.test/")
        let file = audit.files[1]
        let found = [
            file.minute.rawValue, file.day.rawValue, file.week.rawValue, file.deploy.rawValue, file.offline.rawValue,
        ]
        #expect(found.joined(separator: " ") == row.found)
        #expect(file.advisedCacheControl == row.control)
        // The page states nothing: it is asked about each time, and new after a deploy. Others guess (RFC 9111 §4.2.2).
        #expect(audit.files[0].minute == .asked && audit.files[0].deploy == .new && audit.files[0].offline == .there)
        #expect(audit.files[0].isGuessed && audit.files[0].advisedCacheControl == "no-cache" && audit.score <= 90)
        #expect(audit.nginx.contains("    \"~^[23]...*(/|\\.html)$\" no-cache;"))
        #expect(audit.caddy.contains("@pages path */ *.html"))
    }

    @Test("under rules of one's own: an answer at any age asks nobody, and a snapshot is told")
    func ownRules() async throws {
        let page = Self.exchange("/", .document, [.contentType: "text/html", .eTag: "\"1\""])
        for (verdict, minute) in [(Verdict.cacheFirst, Audit.Answer.stored), (.snapshot, .asked)] {
            let rules = RuleList.webViewDefaults.preceded(by: Rule("mine", verdict, when: .destination(.document)))
            let audit = await Audit([page], rules: rules)
            #expect(audit.files.map(\.minute) == [minute])
            #expect(audit.text(colours: false, width: 100).contains("a snapshot") == (verdict == .snapshot))
        }
    }

    @Test("a site without a fault has 100 points, and no lines for its server; others have theirs")
    func lines() async {
        let page = Self.exchange(
            "/", .document, [.contentType: "text/html", .eTag: "\"1\"", .cacheControl: "no-cache"])
        let good = Self.exchange("/app-BX3kTQ9a.js", .script, Self.rows[0].fields)
        let fine = await Audit([page, good])
        #expect(fine.score == 100 && fine.nginx.isEmpty && fine.caddy.isEmpty)
        let audit = await Audit(
            [page, good] + Self.rows[1...2].map { Self.exchange($0.path, $0.destination, $0.fields) })
        // It would be 75 of 100, but old code is shown after a deploy.
        #expect(audit.score == 60)
        #expect(audit.nginx[2] == #"    "~^[23]../old\.js$" no-cache;"#)
        let pattern = "^/(main-[A-Za-z0-9_-]{8})\\.js$"
        #expect(
            audit.nginx[3] == "    \"~^[23]..\(pattern.dropFirst())\" \"public, max-age=31536000, immutable\";")
        #expect(audit.nginx[4] == "    default $upstream_http_cache_control;")
        #expect(!audit.nginx.contains { $0.contains("html") || $0.hasPrefix("location ") })
        #expect(
            audit.caddy.contains("@files path /old.js") && audit.caddy[0] == "@hashed1 path_regexp \(pattern)")
        let text = audit.text(colours: false, width: 100)
        #expect(text.contains("60 of 100 points; capped at 60, as code or a page is old after a deploy"))
        let about = await Audit([Self.exchange("/about", .document, [.contentType: "text/html", .eTag: "\"1\""])])
        // Where the server answers with a file of another name, that one's counts in nginx.
        #expect(about.nginx[2...3] == [#"    "~^[23]../about$" no-cache;"#, #"    "~^[23]...*(/|\.html)$" no-cache;"#])
        #expect(about.caddy[0] == "@files path /about")
        let hash = "5d60c2ed348e2db0"
        let first = await Audit(
            [page] + ["/js/\(hash).js", "/js/\(hash).chunk.js"].map { Self.exchange($0, .script, Self.rows[1].fields) })
        #expect(first.nginx[2].hasPrefix("    \"~^[23]../js/([A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{16}\\.chunk)\\.js$\""))
        let hidden = await Audit(
            [Self.exchange("/", .document, [.contentType: "text/html", .cacheControl: "no-store"]), good, good])
        #expect(hidden.score == 40)
        #expect(
            text.contains("stored   stored   stored   old")
                && text.contains("/main-4fK2x9Qa.js: send 'Cache-Control: public, max-age=31536000, immutable'"))
    }

    @Test(
        "a file that did not come, an error and HTML in place of a file have no points; what is right is not proposed")
    func broken() async {
        let page = Self.exchange("/", .document, [.contentType: "text/html", .cacheControl: "no-cache"])
        var dead = Self.exchange("/dead.js", .script, [:], status: 504)
        dead.failure = "Nothing answers at 'shop.test'."
        let error = Self.exchange("/gone.css", .style, [:], status: 404)
        let html = Self.exchange("/app.js", .script, [.contentType: "text/html", .cacheControl: "max-age=600"])
        let audit = await Audit([page, dead, error, html])
        #expect(audit.files.map(\.isBroken) == [false, true, true, true])
        // Without a validator the page is fetched whole each time: three of its five points, of twenty.
        #expect(audit.score == 2 * 100 / 20)
        #expect(audit.files[1].notStored == "Nothing answers at 'shop.test'." && audit.files[1].status == 0)
        #expect(audit.files.allSatisfy { $0.advisedCacheControl == nil } && audit.nginx.isEmpty)
        let text = audit.text(colours: false, width: nil)
        #expect(text.contains("10 of 100 points; 3 of 4 files did not come"), "\(text)")
    }
}
