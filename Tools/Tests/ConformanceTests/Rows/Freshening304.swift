extension Section {
    static let freshening304 = Section(
        "RFC 9111 §4.3.4 Freshening by 304",
        [
            Row(
                "RFC 9111 §3.2", "fields of the 304 replace those stored, now and later",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "X-A: old", "X-B: stays"))),
                .get(
                    after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "X-A: new")),
                    .field("X-A: new"), .field("X-B: stays"), .field("Cache-Control: max-age=100")),
                .get(
                    after: 50, .stored, .field("X-A: new"), .field("X-B: stays"),
                    .field("Cache-Control: max-age=100"))),
            Row(
                "RFC 9111 §3.2", "fields that were not there are added",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "X-A: new")),
                    .field("X-A: new")),
                .get(after: 50, .stored, .field("X-A: new"))),
            Row(
                "RFC 9111 §3.2", "all lines of a field are replaced together",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "X-A: 1", "X-A: 2", "X-A: 3"))),
                .get(
                    after: 10,
                    .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "X-A: 4", "X-A: 5")),
                    .field("X-A: 4, 5")),
                .get(after: 10, .stored, .field("X-A: 4, 5"))),
            Row(
                "RFC 9111 §3.2", "names compare without case",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "X-Aa: old"))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#, "x-aA: new")), .field("X-AA: new"))),
            Row(
                "RFC 9111 §3.2", "Content-Length is not updated",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, body: "0123456789"))),
                .get(
                    after: 10,
                    .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "Content-Length: 3")),
                    .body("0123456789"), .field("Content-Length: 10")),
                .get(after: 10, .stored, .body("0123456789"), .field("Content-Length: 10"))),
            Row(
                "RFC 9111 §3.2", "other Content fields are updated: the prefix means nothing",
                .get(
                    .asked(
                        .ok(
                            "Cache-Control: max-age=10", #"ETag: "a""#, "Content-Language: de",
                            "Content-Location: {path}/a", "Content-Foo: old"))),
                .get(
                    after: 10,
                    .validated(
                        .notModified(
                            "Cache-Control: max-age=100", #"ETag: "a""#, "Content-Language: en",
                            "Content-Location: {path}/b", "Content-Foo: new"))),
                .get(
                    after: 10, .stored, .field("Content-Language: en"), .field("Content-Location: {path}/b"),
                    .field("Content-Foo: new"))),
            Row(
                "RFC 9111 §3.2", "Content-Type is updated by a cache that stores the response as it was received",
                needs: .suspectedBug("the cache MUST add each header field … Content-* is not a signal"),
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "Content-Type: text/plain"))),
                .get(
                    after: 10,
                    .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#, "Content-Type: text/css"))),
                .get(after: 10, .stored, .field("Content-Type: text/css"))),
            Row(
                "RFC 9111 §3.1", "fields of the 304's connection are not stored",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10,
                    .validated(
                        .notModified(
                            "Cache-Control: max-age=100", #"ETag: "a""#, "Connection: X-Hop", "X-Hop: 1",
                            "Keep-Alive: timeout=9", "Proxy-Authenticate: Basic realm=\"a\"")),
                    .no("X-Hop"), .no("Keep-Alive")),
                .get(after: 10, .stored, .no("X-Hop"), .no("Keep-Alive"), .no("Proxy-Authenticate"))),
            Row(
                "RFC 9111 §4.3.4", "a 304 without freshness of its own renews the stored lifetime",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#))), .get(after: 9, .stored),
                .get(after: 1, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.3.4", "a 304 can lengthen the lifetime",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(after: 99, .stored), .get(after: 1, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.3.4", "a 304 can end it",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=0", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.3.4", "a 304 can bring no-cache",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=100, no-cache", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.3.4", "a 304 can renew Expires",
                .get(.asked(.ok("Expires: {10}", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified("Expires: {110}", #"ETag: "a""#))),
                .get(after: 99, .stored, .field("Expires: {110}")), .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.3.4", "Date becomes that of the 304",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#)),
                    .field("Date: {10}")),
                .get(after: 10, .stored, .field("Date: {10}"), .field("Age: 10"))),
            Row(
                "RFC 9110 §6.6.1", "a 304 without Date counts from its arrival",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .validated(Answer.notModified("Cache-Control: max-age=100", #"ETag: "a""#).undated())),
                .get(after: 10, .stored, .field("Age: 10"))),
            Row(
                "RFC 9111 §4.3.4", "a 304 with another strong tag updates nothing",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "X-A: old"))),
                .get(
                    after: 10,
                    .askedAgain(.notModified("Cache-Control: max-age=100", #"ETag: "b""#, "X-A: new"), .ok()),
                    .no("X-A"))),
            Row(
                "RFC 9110 §13.1.2",
                "our choice: a strong tag in the 304 means the stored weak one that was asked about",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: W/"a""#))),
                .get(
                    after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: "a""#)),
                    .field(#"ETag: W/"a""#)),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.4", "a strong tag in the 304 does not mean a stored weak one with other text",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: W/"a""#))),
                .get(after: 10, .askedAgain(.notModified(#"ETag: "b""#), .ok()))),
            Row(
                "RFC 9111 §4.3.4", "a weak tag in the 304 matches the stored weak one",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: W/"a""#))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=100", #"ETag: W/"a""#))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.4", "Last-Modified in the 304 names the stored response",
                .get(.asked(.ok("Cache-Control: max-age=10", "Last-Modified: {-100}"))),
                .get(after: 10, .validated(.notModified("Cache-Control: max-age=100", "Last-Modified: {-100}"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.4", "another Last-Modified in the 304 does not",
                .get(.asked(.ok("Cache-Control: max-age=10", "Last-Modified: {-100}"))),
                .get(after: 10, .askedAgain(.notModified("Last-Modified: {-50}"), .ok()))),
            Row(
                "RFC 9111 §4.3.4", "a 304 updates the variant that it is about, and no other",
                .get(
                    with: ["X-A: 1"],
                    .asked(.ok("Cache-Control: max-age=10", "Vary: X-A", #"ETag: "1""#, "X-B: old"))),
                .get(
                    with: ["X-A: 2"],
                    .asked(.ok("Cache-Control: max-age=1000", "Vary: X-A", #"ETag: "2""#, "X-B: old"))),
                .get(
                    after: 10, with: ["X-A: 1"],
                    .validated(.notModified("Cache-Control: max-age=100", "Vary: X-A", #"ETag: "1""#, "X-B: new")),
                    .body("{token}, step 1"), .field("X-B: new")),
                .get(after: 10, with: ["X-A: 2"], .stored, .body("{token}, step 2"), .field("X-B: old"))),
            Row(
                "RFC 9111 §4.3.4", "a 304 that changes Vary changes what the response matches",
                .get(with: ["X-A: 1", "X-B: 1"], .asked(.ok("Cache-Control: max-age=10", "Vary: X-A", #"ETag: "1""#))),
                .get(
                    after: 10, with: ["X-A: 1", "X-B: 1"],
                    .validated(.notModified("Cache-Control: max-age=100", "Vary: X-B", #"ETag: "1""#))),
                .get(after: 10, with: ["X-A: 2", "X-B: 1"], .stored),
                .get(with: ["X-A: 1", "X-B: 2"], .asked(.ok("Cache-Control: no-store")))),
            Row(
                "RFC 9111 §3.1", "Set-Cookie of a 304 reaches the client",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "Set-Cookie: a=1"))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#, "Set-Cookie: a=2")), .field("Set-Cookie: a=2"))),
        ])

    static let headFreshening = Section(
        "RFC 9111 §4.3.5 Freshening by HEAD",
        [
            Row(
                "RFC 9110 §9.3.2", "HEAD is answered from a stored GET, without content",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789"))),
                .head(after: 10, .stored, .empty, .field("Content-Length: 10"), .field(#"ETag: "a""#))),
            Row(
                "RFC 9111 §4", "a HEAD response answers no GET",
                .head(.asked(.ok("Cache-Control: max-age=100"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4", "a HEAD response is not stored for itself",
                .head(.asked(.ok("Cache-Control: max-age=100")), .noCacheStatus("stored")),
                .head(.asked(.ok("Cache-Control: max-age=100")))),
            Row(
                "RFC 9111 §4.3.5", "a HEAD response with the same validator and length freshens",
                needs: .headFreshening,
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, "X-A: old", body: "0123456789"))),
                .head(
                    after: 10,
                    .asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#, "X-A: new", body: "0123456789"))),
                .get(after: 50, .stored, .body("0123456789"), .field("X-A: new"), .field("Age: 50"))),
            Row(
                "RFC 9111 §4.3.5", "Last-Modified serves as well", needs: .headFreshening,
                .get(.asked(.ok("Cache-Control: max-age=10", "Last-Modified: {-100}", body: "0123456789"))),
                .head(
                    after: 10, .asked(.ok("Cache-Control: max-age=100", "Last-Modified: {-100}", body: "0123456789"))),
                .get(after: 50, .stored, .body("0123456789"))),
            Row(
                "RFC 9111 §4.3.5", "HEAD with no-cache and another tag makes the stored response stale",
                needs: .headFreshening,
                .get(.asked(.ok("Cache-Control: max-age=1000", #"ETag: "a""#, body: "0123456789"))),
                .head(
                    after: 10, with: ["Cache-Control: no-cache"],
                    .asked(.ok("Cache-Control: max-age=1000", #"ETag: "b""#, body: "0123456789"))),
                .get(.asked(.ok("Cache-Control: max-age=1000", #"ETag: "b""#)))),
            Row(
                "RFC 9111 §4.3.5", "another Last-Modified makes it stale", needs: .headFreshening,
                .get(.asked(.ok("Cache-Control: max-age=1000", "Last-Modified: {-100}", body: "0123456789"))),
                .head(
                    after: 10, with: ["Cache-Control: no-cache"],
                    .asked(.ok("Cache-Control: max-age=1000", "Last-Modified: {-50}", body: "0123456789"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.3.5", "another Content-Length makes it stale", needs: .headFreshening,
                .get(.asked(.ok("Cache-Control: max-age=1000", #"ETag: "a""#, body: "0123456789"))),
                .head(
                    after: 10, with: ["Cache-Control: no-cache"],
                    .asked(.ok("Cache-Control: max-age=1000", #"ETag: "a""#, body: "0123"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.3.5", "an error as answer to HEAD changes nothing",
                .get(.asked(.ok("Cache-Control: max-age=1000", #"ETag: "a""#))),
                .head(after: 10, with: ["Cache-Control: no-cache"], .asked(.status(503, #"ETag: "b""#))),
                .get(.stored)),
            Row(
                "RFC 9111 §4.3.5", "HEAD freshens the variant that it could have selected, and no other",
                needs: .headFreshening,
                .get(
                    with: ["X-A: 1"],
                    .asked(.ok("Cache-Control: max-age=10", "Vary: X-A", #"ETag: "1""#, body: "one"))),
                .get(
                    with: ["X-A: 2"],
                    .asked(.ok("Cache-Control: max-age=10", "Vary: X-A", #"ETag: "2""#, body: "two"))),
                .head(
                    after: 10, with: ["X-A: 1"],
                    .asked(.ok("Cache-Control: max-age=100", "Vary: X-A", #"ETag: "1""#, body: "one"))),
                .get(after: 10, with: ["X-A: 1"], .stored, .body("one")),
                .get(with: ["X-A: 2"], .validated(.notModified(#"ETag: "2""#, "Vary: X-A")), .body("two"))),
        ])
}
