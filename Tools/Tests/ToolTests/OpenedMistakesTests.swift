import CacheTesting
import Foundation
import NIOHTTP1
import Testing
import WireSupport

/// The mistakes of servers, as someone reads them who opens the page.
@Suite("larder open names the mistakes of servers", .serialized, .timeLimit(.minutes(60)))
struct OpenedMistakesTests {
    struct Row: Sendable {
        var path: String
        /// The element that asks for it: a frame, where the mistake is one of pages.
        var element = "script"
        var status = 200
        var fields: [(String, String)]
        /// Part of the cause and of the cure.
        var cause: String
        var cure: String
    }

    private static let html = ("Content-Type", "text/html")
    private static let script = ("Content-Type", "text/javascript")
    private static let tag = ("ETag", "\"1\"")

    private static let rows = [
        Row(path: "/html.js", fields: [html, tag], cause: "HTML", cure: "404"),
        Row(path: "/typeless.js", fields: [tag], cause: "no Content-Type", cure: "state it"),
        Row(
            path: "/refused.js", fields: [("Content-Type", "text/plain"), ("X-Content-Type-Options", "nosniff"), tag],
            cause: "nosniff", cure: "text/javascript"),
        Row(
            path: "/coding.js", fields: [script, tag, ("Content-Encoding", "utf-8")], cause: "names no coding",
            cure: "leave it out"),
        Row(path: "/part", element: "iframe", status: 206, fields: [html], cause: "Status 206", cure: "answer 200"),
        Row(
            path: "/nowhere", element: "iframe", status: 302, fields: [], cause: "without Location",
            cure: "name the address"),
        Row(
            path: "/syntax.js", fields: [script, tag, ("Cache-Control", "max-age = 600; public")],
            cause: "max-age = 600; public'", cure: "commas, not semicolons"),
        Row(
            path: "/seconds.js", fields: [script, tag, ("Cache-Control", "max-age=10m")], cause: "max-age=10m",
            cure: "whole number of seconds"),
        Row(
            path: "/directive.js", fields: [script, tag, ("Cache-Control", "nocache")], cause: "'nocache'",
            cure: "write 'no-cache'"),
        Row(
            path: "/both", element: "iframe", fields: [html, tag, ("Cache-Control", "no-store, max-age=600")],
            cause: "says both", cure: "leave one of them out"),
        Row(
            path: "/immutable.js", fields: [script, tag, ("Cache-Control", "immutable")], cause: "never is",
            cure: "add a max-age"),
        Row(
            path: "/shared.js", fields: [script, tag, ("Cache-Control", "s-maxage=60")], cause: "shared caches alone",
            cure: "add a max-age"),
        Row(path: "/pragma.js", fields: [script, tag, ("Pragma", "no-cache")], cause: "Pragma", cure: "Cache-Control"),
        Row(
            path: "/date.js", fields: [script, ("Last-Modified", "2023-11-14 22:13")], cause: "is no date",
            cure: "write it like"),
        Row(
            path: "/clock.js", fields: [script, tag, ("Date", "Tue, 14 Nov 2023 20:13:20 GMT")],
            cause: "behind this machine", cure: "correct the server's clock"),
        Row(
            path: "/age.js", fields: [script, tag, ("Cache-Control", "max-age=60"), ("Age", "61")],
            cause: "arrives stale",
            cure: "shorten that cache's time"),
        Row(
            path: "/tags.js", fields: [script, ("ETag", "\"1\""), ("ETag", "\"2\"")], cause: "Two ETag fields",
            cure: "send one"
        ),
        Row(
            path: "/unquoted.js", fields: [script, ("ETag", "abc")], cause: "not in quotes", cure: "write ETag: \"abc\""
        ),
        Row(path: "/validator.js", fields: [script], cause: "no ETag and no Last-Modified", cure: "send one"),
        Row(
            path: "/agents.js", fields: [script, tag, ("Vary", "Accept-Encoding, User-Agent")],
            cause: "'Vary: User-Agent'", cure: "leave it out"),
        Row(path: "/star.js", fields: [script, tag, ("Vary", "*")], cause: "'Vary: *'", cure: "leave Vary out"),
        Row(
            path: "/allowed.js", fields: [script, tag, ("Access-Control-Allow-Origin", "https://a.test")],
            cause: "Access-Control-Allow-Origin", cure: "Vary: Origin"),
        Row(
            path: "/account", element: "iframe", fields: [html, tag, ("Cache-Control", "max-age=60")], cause: "cookie",
            cure: "Vary: Cookie"),
        Row(
            path: "/cookie.png", element: "img", fields: [("Content-Type", "image/png"), tag, ("Set-Cookie", "a=1")],
            cause: "sets a cookie", cure: "Leave Set-Cookie out"),
        Row(
            path: "/login", element: "iframe",
            fields: [html, tag, ("Cache-Control", "public, max-age=60"), ("Set-Cookie", "b=1")], cause: "sets a cookie",
            cure: "private, no-cache"),
        Row(
            path: "/week", element: "iframe", fields: [html, tag, ("Cache-Control", "max-age=604800")],
            cause: "fresh for 7 d", cure: "no-cache"),
        Row(
            path: "/year.js", fields: [script, tag, ("Cache-Control", "max-age=31536000")], cause: "fresh for",
            cure: "hash"),
        Row(path: "/app-BX3kTQ9a.js", fields: [script, tag], cause: "hash", cure: "immutable"),
        Row(
            path: "/unstored.js", fields: [script, ("Cache-Control", "no-store")], cause: "no-store",
            cure: "answer with 'no-cache'"),
        Row(
            path: "/lib.js?_=1732675200000", fields: [script, tag, ("Cache-Control", "max-age=31536000")],
            cause: "differs at each visit", cure: "leave it out"),
        Row(
            path: "/error", element: "iframe", status: 404, fields: [html, ("Cache-Control", "max-age=31536000")],
            cause: "fresh for 365 d", cure: "no-cache"),
        Row(
            path: "/moved", element: "iframe", status: 301,
            fields: [("Location", "/week"), ("Cache-Control", "max-age=31536000")], cause: "goes on leading there",
            cure: "send 'no-cache'"),
    ]

    @Test("each with its address, its cause and its cure, in one visit")
    func mistakes() async throws {
        let folder = try TemporaryDirectory()
        let elements = Self.rows.map { row in
            row.element == "script"
                ? "<script src='\(row.path)'></script>" : "<\(row.element) src='\(row.path)'></\(row.element)>"
        }
        let origin = try await PageOrigin.start { request in
            guard
                let row = Self.rows.first(where: { $0.path.prefix { $0 != "?" } == request.path.prefix { $0 != "?" } })
            else {
                return .page("Shop", "Shop" + elements.joined(), ["Set-Cookie": "session=1"])
            }
            return .init(
                status: row.status, fields: HTTPHeaders(row.fields), body: row.element == "iframe" ? "<p>frame" : "1")
        }
        let opened = try await ToolProcess.run(
            ToolProcess.larder, ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store])
        await origin.stop()
        let lines = opened.out.split(separator: "\n").filter {
            $0.hasPrefix("  warning") || $0.hasPrefix("  not stored")
        }
        for row in Self.rows {
            #expect(
                lines.contains { $0.contains(row.path) && $0.contains(row.cause) && $0.contains(row.cure) },
                "\(row.path): \(lines.filter { $0.contains(row.path) })")
        }
    }
}
