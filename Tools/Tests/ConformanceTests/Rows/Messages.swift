/// Sections about messages on the wire, as far as a cache can get them wrong.
extension Section {
    static let interim = Section(
        "RFC 9110 §15.2 Interim responses",
        [
            Row(
                "RFC 9110 §15.2", "an interim response is forwarded before the final one",
                .get(
                    .asked(Answer.ok("Cache-Control: max-age=100").preceded(by: 103, "Link: </a.css>; rel=preload")),
                    .interim(103, ["Link: </a.css>; rel=preload"]))),
            Row(
                "RFC 9110 §15.2", "several are forwarded in order",
                .get(
                    .asked(
                        Answer.ok().preceded(by: 102).preceded(by: 103, "Link: </a>").preceded(by: 103, "Link: </b>")),
                    .interim(102, []), .interim(103, ["Link: </a>"]), .interim(103, ["Link: </b>"]))),
            Row(
                "RFC 9111 §3", "only the final response is stored",
                .get(
                    .asked(Answer.ok("Cache-Control: max-age=100").preceded(by: 103, "Link: </a>", "X-A: 1")),
                    .interim(103, ["Link: </a>", "X-A: 1"]), .no("X-A")),
                .get(after: 10, .stored, .noInterim, .no("X-A"), .no("Link"))),
            Row(
                "RFC 9111 §3", "directives of an interim response do not count",
                .get(
                    .asked(Answer.ok("Cache-Control: max-age=100").preceded(by: 103, "Cache-Control: no-store")),
                    .interim(103, ["Cache-Control: no-store"])),
                .get(after: 10, .stored, .noInterim)),
            Row(
                "RFC 9110 §15.2", "an interim response may come before a 304 too",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10,
                    .validated(Answer.notModified(#"ETag: "a""#).preceded(by: 103, "Link: </a>")),
                    .interim(103, ["Link: </a>"]))),
            Row(
                "RFC 9110 §15.2", "an interim response does not count as an answer to a condition",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(
                    after: 10,
                    .asked(Answer.ok(#"ETag: "b""#).preceded(by: 103, #"ETag: "a""#)),
                    .field(#"ETag: "b""#))),
            Row(
                "RFC 9110 §10.1.1", "100 to a request that expects it reaches the client",
                .post(
                    with: ["Expect: 100-continue"], body: "content", .asked(Answer.ok().preceded(by: 100)),
                    .interim(100, []), .sentBody("content"))),
        ])

    static let hopByHop = Section(
        "RFC 9110 §7.6 Forwarding",
        [
            Row(
                "RFC 9110 §7.6.1", "what Connection nominates in a request goes no further",
                .get(
                    with: ["Connection: X-Hop", "X-Hop: 1", "X-Stay: 2"], .asked(.ok()), .sentNo("X-Hop"),
                    .sent("X-Stay: 2"), .sentNo("Connection"))),
            Row(
                "RFC 9110 §7.6.1", "fields known to be of the connection go no further",
                .get(
                    with: ["TE: trailers", "Connection: TE", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive"],
                    .asked(.ok()), .sentNo("TE"), .sentNo("Keep-Alive"), .sentNo("Proxy-Connection"))),
            Row(
                "RFC 9110 §11.7.2", "credentials for the proxy go no further",
                .get(with: ["Proxy-Authorization: Basic YTpi"], .asked(.ok()), .sentNo("Proxy-Authorization"))),
            Row(
                "RFC 9110 §7.6.1", "fields of the client's connection do not select a variant",
                .get(
                    with: ["Connection: X-Hop", "X-Hop: 1"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-Hop"))),
                .get(after: 10, with: ["Connection: X-Hop", "X-Hop: 2"], .stored)),
            Row(
                "RFC 9110 §7.6.3", "Via names the proxy in what it forwards, after what was there",
                .get(with: ["Via: 1.0 before"], .asked(.ok()), .sentStarts("Via: 1.0 before, 1.1 larder-")),
                .get(.asked(.ok("Via: 1.1 upstream")), .fieldStarts("Via: 1.1 upstream, 1.1 larder-"))),
            Row(
                "RFC 9110 §7.6", "unknown fields of requests are forwarded, every line of them",
                .get(with: ["X-A: 1", "X-A: 2", "X-B:"], .asked(.ok()), .sent("X-A: 1, 2"), .sent("X-B: "))),
            Row(
                "RFC 9110 §7.7", "content and its description are forwarded as they are",
                .post(
                    with: ["Content-Type: text/x", "Content-Language: de"], body: "some\r\ncontent",
                    .asked(.status(201, "X-A: 1")), .sentBody("some\r\ncontent"), .sent("Content-Type: text/x"),
                    .sent("Content-Language: de"), .sent("Content-Length: 13"))),
            Row(
                "RFC 9110 §4.2.3", "the target is forwarded as it is, dots, empty query and all",
                .get(at: "/a/../b//c;d=e,f?", .asked(.ok()), .sentTarget("/a/../b//c;d=e,f?"))),
            Row(
                "RFC 9112 §9.6", "an origin that closes after its response closes no client's connection",
                .get(.asked(.ok("Cache-Control: no-store", "Connection: close")), .no("Connection")),
                .get(.asked(.ok()))),
        ])

    static let trailers = Section(
        "RFC 9110 §6.5 Trailers",
        [
            Row(
                "RFC 9111 §3.1", "trailer fields are never combined with header fields",
                .get(
                    .asked(
                        Answer.ok("Cache-Control: max-age=100", "Trailer: X-Sum", body: "some content").chunked(
                            trailers: "X-Sum: 7")),
                    .no("X-Sum")),
                .get(after: 10, .stored, .no("X-Sum"))),
            Row(
                "RFC 9110 §6.5.1", "Cache-Control among the trailers does not count",
                .get(
                    .asked(
                        Answer.ok("Cache-Control: max-age=100").chunked(trailers: "Cache-Control: no-store"))),
                .get(after: 10, .stored, .field("Cache-Control: max-age=100"))),
            Row(
                "RFC 9110 §6.5.1", "freshness among the trailers does not count",
                .get(.asked(Answer.ok().chunked(trailers: "Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(.asked(.ok()), .sentNo("If-None-Match"))),
            Row(
                "RFC 9110 §6.5.1", "Age among the trailers does not count",
                .get(.asked(Answer.ok("Cache-Control: max-age=100").chunked(trailers: "Age: 90"))),
                .get(after: 20, .stored, .field("Age: 20"))),
            Row(
                "RFC 9110 §6.5.1", "Vary among the trailers does not count",
                .get(.asked(Answer.ok("Cache-Control: max-age=100").chunked(trailers: "Vary: *"))),
                .get(after: 10, .stored, .no("Vary"))),
        ])
}
