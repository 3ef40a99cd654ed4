extension Section {
    static let storing = Section(
        "RFC 9111 §3 Storing",
        [
            Row(
                "RFC 9111 §3", "a GET response with explicit freshness is stored and answers the same request",
                .get(.asked(.ok("Cache-Control: max-age=100")), .cacheStatus("stored")),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4", "the presented target URI must match: path",
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/A", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/a/", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/a", .stored)),
            Row(
                "RFC 9111 §4", "the presented target URI must match: query",
                .get(at: "?a=1", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?a=2", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?", .asked(.ok("Cache-Control: max-age=100")), .sentTarget("?")),
                .get(at: "?a=1", .stored), .get(at: "?a=2", .stored)),
            Row(
                "RFC 9111 §4", "the presented target URI must match: order and repetition in the query",
                .get(at: "?a=1&b=2", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?b=2&a=1", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?a=1&a=1&b=2", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?a=1&b=2", .stored)),
            Row(
                "RFC 9111 §4", "targets whose percent-encoding differs reach the origin as they are",
                .get(at: "/a%2Fb", .asked(.ok("Cache-Control: max-age=100")), .sentTarget("/a%2Fb")),
                .get(at: "/a/b", .asked(.ok("Cache-Control: max-age=100")), .sentTarget("/a/b"))),
            Row(
                "RFC 9111 §5.2.2.5", "no-store forbids storing",
                .get(.asked(.ok("Cache-Control: no-store")), .noCacheStatus("stored")),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.5", "no-store wins over max-age and a validator, in either order",
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100, no-store", #"ETag: "a""#))),
                .get(at: "/a", .asked(.ok()), .sentNo("If-None-Match")),
                .get(at: "/b", .asked(.ok("Cache-Control: no-store, max-age=100", #"ETag: "b""#))),
                .get(at: "/b", .asked(.ok()), .sentNo("If-None-Match"))),
            Row(
                "RFC 9111 §5.2.2.5", "no-store forbids storing a response with Expires",
                .get(.asked(.ok("Cache-Control: no-store", "Expires: {1000}"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2", "directive names compare without case",
                .get(.asked(.ok("Cache-Control: Max-Age=100, No-Store"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2", "directives of several field lines count together",
                .get(.asked(.ok("Cache-Control: max-age=100", "Cache-Control: no-store"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2", "a directive inside a quoted string is none",
                .get(.asked(.ok(#"Cache-Control: max-age=100, note="x, no-store, y""#))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9110 §5.6.1.2", "empty list members are ignored",
                .get(.asked(.ok("Cache-Control: , ,max-age=100,, no-store ,"))),
                .get(.asked(.ok("Cache-Control: ,, max-age=100 ,"))),
                .get(.stored)),
            Row(
                "RFC 9111 §5.2.3", "unknown directives are ignored",
                .get(.asked(.ok(#"Cache-Control: fancy, max-age=100, group="a, b", level=9"#))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §5.2.1.5", "no-store of the request forbids storing the response",
                .get(with: ["Cache-Control: no-store"], .asked(.ok("Cache-Control: max-age=100"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.1.5", "no-store of a request leaves what is already stored",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(with: ["Cache-Control: no-store"], .either(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §3", "private is stored by a private cache", in: .privateOnly,
                .get(.asked(.ok("Cache-Control: private, max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §5.2.2.7", "private is not stored by a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: private, max-age=100")), .noCacheStatus("stored")),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.7", "private wins over public and s-maxage in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: public, s-maxage=100, private"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.3", "must-understand with a status that is understood overrides no-store",
                .get(.asked(.ok("Cache-Control: must-understand, no-store, max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §5.2.2.3", "must-understand with an unknown status forbids storing",
                .get(.asked(.status(299, "Cache-Control: must-understand, no-store, max-age=100"))),
                .get(.asked(.status(299, "Cache-Control: must-understand, max-age=100"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §3", "a response without freshness, validator or heuristics is not reused",
                .get(.asked(.ok())), .get(.asked(.ok())), .get(after: 10, .asked(.ok()))),
            Row(
                "RFC 9111 §3", "an unknown final status without any permission is not stored",
                .get(.asked(.status(299, #"ETag: "a""#))),
                .get(.asked(.ok()), .sentNo("If-None-Match"))),
            Row(
                "RFC 9111 §3", "a status without heuristics is stored once it is public, and validated",
                .get(.asked(.status(299, "Cache-Control: public", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)), .sent(#"If-None-Match: "a""#))),
            Row(
                "RFC 9111 §3", "private alone permits a private cache to store any final status", in: .privateOnly,
                .get(.asked(.status(299, "Cache-Control: private", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)), .sent(#"If-None-Match: "a""#))),
            Row(
                "RFC 9111 §3", "s-maxage alone permits a shared cache to store any final status", in: .sharedOnly,
                .get(.asked(.status(299, "Cache-Control: s-maxage=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §3", "s-maxage alone permits a private cache nothing", in: .privateOnly,
                .get(.asked(.status(299, "Cache-Control: s-maxage=100"))),
                .get(after: 10, .asked(.ok()))),
            Row(
                "RFC 9111 §3", "a newer response takes the place of the stored one",
                .get(.asked(.ok("Cache-Control: max-age=10"))),
                .get(after: 10, .asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §3", "a response that may not be stored does not make the stored one fresh",
                .get(.asked(.ok("Cache-Control: max-age=10"))),
                .get(after: 10, .asked(.ok("Cache-Control: no-store"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9112 §7.1", "chunked content is stored without its framing",
                .get(.asked(Answer.ok("Cache-Control: max-age=100", body: "some chunks").chunked())),
                .get(after: 10, .stored, .no("Transfer-Encoding"))),
            Row(
                "RFC 9111 §3", "content of no byte is stored too",
                .get(.asked(.ok("Cache-Control: max-age=100", body: ""))),
                .get(after: 10, .stored, .empty, .field("Content-Length: 0"))),
            Row(
                "RFC 9111 §3", "content of a hundred thousand bytes is stored whole",
                .get(.asked(.ok("Cache-Control: max-age=100", body: String(repeating: "0123456789", count: 10_000)))),
                .get(after: 10, .stored, .field("Content-Length: 100000"))),
            Row(
                "RFC 9112 §2.3", "a response of HTTP/1.0 is stored, and answered as HTTP/1.1",
                .get(.asked(Answer.ok("Expires: {100}").version10())),
                .get(after: 10, .stored)),
        ])
}
