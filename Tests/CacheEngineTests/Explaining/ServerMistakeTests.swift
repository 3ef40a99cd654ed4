import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Mistakes of servers")
struct ServerMistakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path = "/page"
        var destination = Destination.document
        var status = 200
        var fields: [(String, String)]
        /// The names of the mistakes.
        var names: [String]
        var words = ""
        var testDescription: String { "\(path) \(fields)" }
    }

    private static let now = WallInstant(sinceEpoch: .seconds(1_700_000_000))
    private static let html = ("Content-Type", "text/html")
    private static let tag = ("ETag", "\"1\"")

    private static let rows: [Row] = [
        // What is right has none.
        Row(fields: [html, tag, ("Cache-Control", "no-cache")], names: []),
        Row(
            fields: [
                html, tag, ("Cache-Control", "private, max-age=60, must-revalidate"), ("Vary", "Accept-Encoding"),
            ], names: []),
        Row(
            path: "/app-BX3kTQ9a.js", destination: .script,
            fields: [("Content-Type", "text/javascript"), ("Cache-Control", "public, max-age=31536000, immutable")],
            names: []),
        Row(
            path: "/a.png", destination: .image, fields: [("Content-Type", "image/png"), tag, ("Expires", "0")],
            names: []),
        Row(
            fields: [
                html, tag, ("Cache-Control", "max-age=60, x-own=\"a b; c\""), ("Date", "Tue, 14 Nov 2023 22:13:20 GMT"),
            ], names: []),
        Row(status: 404, fields: [html], names: []), Row(status: 302, fields: [("Location", "/")], names: []),
        // RFC 9111 §5.2: "cache-directive = token [ "=" ( token / quoted-string ) ]", in a list with commas.
        Row(
            fields: [html, tag, ("Cache-Control", "max-age = 600; public")], names: ["syntax"],
            words: "no spaces around '='; commas, not semicolons"),
        Row(
            fields: [html, tag, ("Cache-Control", "max-age=600; public")], names: ["syntax"],
            words: "commas, not semicolons"),
        // §1.2.2: delta-seconds are digits.
        Row(
            fields: [html, tag, ("Cache-Control", "max-age=10m")], names: ["seconds"], words: "whole number of seconds"),
        Row(fields: [html, tag, ("Cache-Control", "max-age=-1")], names: ["seconds"]),
        Row(fields: [html, tag, ("Cache-Control", "no-chache")], names: ["directive"], words: "write 'no-cache'"),
        Row(
            fields: [html, tag, ("Cache-Control", "no-cache, privat")], names: ["directive"], words: "write 'private'"),
        Row(
            fields: [html, tag, ("Cache-Control", "public max-age=60")], names: ["syntax"],
            words: "a comma between directives"),
        Row(fields: [html, tag, ("Cache-Control", "no-cache=\"set-cookie, x y\", max-age=60 , public")], names: []),
        Row(fields: [html, tag, ("Cache-Control", "nocache")], names: ["directive"], words: "write 'no-cache'"),
        Row(fields: [html, tag, ("Cache-Control", "maxage=60")], names: ["directive"], words: "write 'max-age'"),
        Row(fields: [html, tag, ("Cache-Control", "max_age=60")], names: ["directive"], words: "write 'max-age'"),
        Row(fields: [html, tag, ("Cache-Control", "smax-age=60")], names: ["directive"], words: "write 's-maxage'"),
        // §5.2.2.5: "MUST NOT store".
        Row(fields: [html, tag, ("Cache-Control", "no-store, max-age=600")], names: ["contradiction"]),
        // RFC 8246 §2: during its freshness lifetime.
        Row(fields: [html, tag, ("Cache-Control", "immutable")], names: ["immutable"]),
        // §5.3: Expires makes it fresh as well.
        Row(
            fields: [html, tag, ("Cache-Control", "immutable"), ("Expires", "Wed, 13 Nov 2024 22:13:20 GMT")], names: []
        ),
        // RFC 9111 §5.2.2.10: "applies to shared caches".
        Row(fields: [html, tag, ("Cache-Control", "s-maxage=60")], names: ["s-maxage"]),
        // §5.4.
        Row(fields: [html, tag, ("Pragma", "no-cache")], names: ["pragma"]),
        // RFC 9110 §5.6.7.
        Row(fields: [html, ("Last-Modified", "2023-11-14 22:13")], names: ["date"], words: "is no date"),
        // §6.6.1.
        Row(
            fields: [html, tag, ("Date", "Tue, 14 Nov 2023 20:13:20 GMT")], names: ["clock"],
            words: "'Date' is 2 h behind this machine: correct the server's clock"),
        Row(fields: [html, tag, ("Date", "Wed, 15 Nov 2023 00:13:20 GMT")], names: ["clock"], words: "2 h ahead of"),
        Row(fields: [html, tag, ("Date", "Tue, 14 Nov 2023 20:13:20 GMT"), ("Age", "7200")], names: []),
        // Some caches send the time of their answer.
        Row(fields: [html, tag, ("Date", "Tue, 14 Nov 2023 22:13:20 GMT"), ("Age", "7200")], names: []),
        // §5.3: one line for each field that is no list; §8.8.3.
        Row(
            fields: [html, ("ETag", "\"1\""), ("ETag", "\"2\"")], names: ["repeated"],
            words: "Two ETag fields; neither is used"),
        Row(fields: [html, ("ETag", "abc"), ("Last-Modified", "Tue, 14 Nov 2023 20:13:20 GMT")], names: ["etag"]),
        Row(fields: [html], names: ["validator"]),
        // §12.5.5.
        Row(fields: [html, tag, ("Vary", "*")], names: ["vary-star"]),
        Row(
            fields: [html, tag, ("Vary", "Accept-Encoding, User-Agent")], names: ["vary"], words: "'Vary: User-Agent'"),
        // Fetch §3.3.5.
        Row(fields: [html, tag, ("Access-Control-Allow-Origin", "https://a.test")], names: ["vary-origin"]),
        // RFC 9111 §7.3.
        Row(fields: [html, tag, ("Cache-Control", "public, max-age=60"), ("Set-Cookie", "a=1")], names: ["cookie"]),
        Row(
            path: "/a.png", destination: .image, fields: [("Content-Type", "image/png"), tag, ("Set-Cookie", "a=1")],
            names: ["cookie"]),
        // Kinds: MIME Sniffing, Fetch §3.6.
        Row(path: "/a.js", destination: .script, fields: [html, tag], names: ["html-instead"]),
        Row(path: "/a.css", destination: .unknown, fields: [html, tag], names: ["html-instead"]),
        // The page would answer there for a year.
        Row(path: "/main-4fK2x9Qa.js", destination: .script, fields: [html, tag], names: ["html-instead"]),
        Row(path: "/a.css", destination: .style, fields: [tag], names: ["type-missing"]),
        Row(
            path: "/a.js", destination: .script,
            fields: [("Content-Type", "text/plain"), ("X-Content-Type-Options", "nosniff"), tag],
            names: ["type-refused"]),
        Row(fields: [html, tag, ("Content-Encoding", "utf-8")], names: ["coding"]),
        Row(status: 302, fields: [], names: ["redirect"]),
        // How long.
        Row(
            path: "/a.js", destination: .script,
            fields: [("Content-Type", "text/javascript"), ("Cache-Control", "no-store")], names: ["no-store"]),
        Row(
            path: "/app-BX3kTQ9a.js", destination: .script, fields: [("Content-Type", "text/javascript"), tag],
            names: ["hashed"]),
        Row(fields: [html, tag, ("Cache-Control", "max-age=604800")], names: ["page-old"], words: "fresh for 7 d"),
        Row(
            path: "/a.js", destination: .script,
            fields: [("Content-Type", "text/javascript"), tag, ("Cache-Control", "max-age=31536000, immutable")],
            names: ["file-old"]),
        Row(fields: [html, tag, ("Cache-Control", "max-age=60"), ("Age", "61")], names: ["age"]),
        Row(status: 206, fields: [html], names: ["part"]),
        Row(
            status: 301, fields: [("Location", "/a"), ("Cache-Control", "max-age=31536000")], names: ["redirect-kept"]),
        Row(status: 301, fields: [("Location", "/a"), ("Cache-Control", "no-cache, max-age=31536000")], names: []),
        Row(status: 404, fields: [html, ("Cache-Control", "max-age=31536000, immutable")], names: ["error-kept"]),
        Row(
            path: "/lib.js?_=1732675200000", destination: .script,
            fields: [("Content-Type", "text/javascript"), tag, ("Cache-Control", "max-age=31536000")], names: ["query"]),
        Row(fields: [html, tag, ("Cache-Control", "max-age=60"), ("X-Asked-With", "cookie")], names: ["vary-cookie"]),
        Row(
            fields: [html, tag, ("Cache-Control", "max-age=60"), ("Vary", "Cookie"), ("X-Asked-With", "cookie")],
            names: []),
        // Numbers beyond all sense.
        Row(
            fields: [html, tag, ("Cache-Control", "max-age=9223372036854775807"), ("Age", "9223372036854775807")],
            names: ["page-old", "age"]),
    ]

    @Test("each mistake has its name, cause and cure; what is right has none", arguments: rows)
    func mistakes(_ row: Row) throws {
        var fields = HTTPFields()
        for (name, value) in row.fields { fields.append(HTTPField(name: try #require(.init(name)), value: value)) }
        let isAskedWithCookie = row.fields.contains { $0.0 == "X-Asked-With" }
        let found = ReceivedResponse(
            target: row.path, destination: row.destination, status: row.status, fields: fields,
            requestFields: isAskedWithCookie ? [.cookie: "(removed)"] : [:], time: Self.now
        ).mistakes
        #expect(found.map(\.name) == row.names, "\(found)")
        #expect(row.words.isEmpty || found.first?.words.contains(row.words) == true, "\(found)")
    }
}
