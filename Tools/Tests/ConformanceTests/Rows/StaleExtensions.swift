extension Section {
    private static let tag = #"ETag: "a""#
    private static let again = Answer.ok("Cache-Control: max-age=100", #"ETag: "b""#, body: "new")

    /// A response with `stale-while-revalidate`, stale but within the window, for which waiting is demanded.
    private static func waits(
        _ citation: String, _ name: String, _ directives: String = "", with fields: [String] = [],
        in kinds: Row.Kinds = .both
    ) -> Row {
        Row(
            citation, name, in: kinds, needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50\(directives)", tag))),
            .get(after: 20, with: fields, .validated(.notModified(tag))))
    }

    private static let whileRevalidate = [
        Row(
            "RFC 5861 §3", "within the window the stale response comes at once, and the next one is new",
            needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag, body: "old"))),
            .get(after: 20, .storedThenAsked(again), .body("old"), .field("Age: 20"), .sent(#"If-None-Match: "a""#)),
            .get(after: 10, .stored, .body("new"))),
        Row(
            "RFC 5861 §3", "a 304 in the background renews the stored response", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag))),
            .get(after: 20, .storedThenAsked(.notModified("Cache-Control: max-age=100", tag, "X-A: new")), .no("X-A")),
            .get(after: 50, .stored, .field("X-A: new"), .field("Age: 50"))),
        Row(
            "RFC 5861 §3", "without a validator the background request is a plain one", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", body: "old"))),
            .get(
                after: 20, .storedThenAsked(.ok("Cache-Control: max-age=100", body: "new")), .body("old"),
                .sentNo("If-None-Match")),
            .get(after: 10, .stored, .body("new"))),
        Row(
            "RFC 5861 §3", "a fresh response starts nothing", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag))), .get(after: 9, .stored)),
        Row(
            "RFC 5861 §3", "to the end of the window, and not beyond", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag))),
            .get(after: 59, .storedThenAsked(.notModified(tag))),
            .get(at: "/b", .asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag))),
            .get(at: "/b", after: 61, .validated(.notModified(tag)))),
        Row(
            "RFC 5861 §3", "an error in the background leaves the stored response", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", tag))),
            .get(after: 20, .storedThenAsked(.status(503))), .get(after: 10, .storedThenAsked(.notModified(tag)))),
        Row(
            "RFC 5861 §3", "the background request has the fields that Vary nominates", needs: .staleWhileRevalidate,
            .get(
                with: ["X-A: 1"],
                .asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=50", "Vary: X-A", tag))),
            .get(after: 20, with: ["X-A: 1"], .storedThenAsked(.notModified(tag, "Vary: X-A")), .sent("X-A: 1"))),
        Row(
            "RFC 5861 §3", "an argument that can't be read gives no window", needs: .staleWhileRevalidate,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-while-revalidate=soon", tag))),
            .get(after: 20, .validated(.notModified(tag)))),
        waits("RFC 9111 §5.2.2.2", "stale-while-revalidate: must-revalidate forbids it", ", must-revalidate"),
        waits("RFC 9111 §5.2.2.4", "stale-while-revalidate: no-cache forbids it", ", no-cache"),
        waits(
            "RFC 9111 §5.2.2.8", "stale-while-revalidate: proxy-revalidate forbids it to a shared cache",
            ", proxy-revalidate", in: .sharedOnly),
        waits(
            "RFC 9111 §5.2.2.10", "stale-while-revalidate: s-maxage forbids it to a shared cache", ", s-maxage=10",
            in: .sharedOnly),
        waits(
            "RFC 9111 §5.2.1.4", "stale-while-revalidate: no-cache of the request", with: ["Cache-Control: no-cache"]),
        waits(
            "RFC 9111 §5.2.1.1", "stale-while-revalidate: max-age of the request",
            with: ["Cache-Control: max-age=100"]),
        waits(
            "RFC 9111 §5.2.1.3", "stale-while-revalidate: min-fresh of the request",
            with: ["Cache-Control: min-fresh=1"]),
        Row(
            "RFC 5861 §3", "a private cache is not hindered by proxy-revalidate and s-maxage", in: .privateOnly,
            needs: .staleWhileRevalidate,
            .get(
                .asked(
                    .ok("Cache-Control: max-age=10, stale-while-revalidate=50, proxy-revalidate, s-maxage=1", tag))),
            .get(after: 20, .storedThenAsked(.notModified(tag)))),
    ]

    private static func covers(_ status: Int) -> Row {
        Row(
            "RFC 5861 §4", "a \(status) within the window is replaced by the stale response", needs: .staleIfError,
            .get(.asked(.ok("Cache-Control: max-age=10, stale-if-error=50", tag))),
            .get(after: 20, .storedAfter(.status(status)), .status(200), .field("Age: 20")),
            .get(.validated(.notModified(tag))))
    }

    private static let ifError =
        [500, 502, 503, 504].map(covers)
        + [404, 403, 410, 501].map { status in
            Row(
                "RFC 5861 §4", "a \(status) is no error that a stale response may replace",
                .get(.asked(.ok("Cache-Control: max-age=10, stale-if-error=50", tag))),
                .get(after: 20, .asked(.status(status))))
        } + [
            Row(
                "RFC 5861 §4", "beyond the window the error is forwarded", needs: .staleIfError,
                .get(.asked(.ok("Cache-Control: max-age=10, stale-if-error=50", tag))),
                .get(after: 61, .asked(.status(503)))),
            Row(
                "RFC 5861 §4", "without the directive the error is forwarded",
                .get(.asked(.ok("Cache-Control: max-age=10", tag))), .get(after: 20, .asked(.status(503)))),
            Row(
                "RFC 5861 §4", "the request may ask for it", needs: .staleIfError,
                .get(.asked(.ok("Cache-Control: max-age=10", tag))),
                .get(after: 20, with: ["Cache-Control: stale-if-error=50"], .storedAfter(.status(503)), .status(200)),
                .get(with: ["Cache-Control: stale-if-error=5"], .asked(.status(503)))),
            Row(
                "RFC 5861 §4", "must-revalidate is stronger", needs: .staleIfError,
                .get(.asked(.ok("Cache-Control: max-age=10, stale-if-error=50, must-revalidate", tag))),
                .get(after: 20, .asked(.status(503)))),
            Row(
                "RFC 5861 §4", "an origin that can't be reached is an error", needs: .staleIfError,
                .get(.asked(.ok("Cache-Control: max-age=10, stale-if-error=50", tag))),
                .get(after: 20, .storedAfter(.unreachable), .field("Age: 20"))),
            Row(
                "RFC 5861 §4", "with nothing stored the error is forwarded",
                .get(with: ["Cache-Control: stale-if-error=50"], .asked(.status(503)))),
        ]

    static let staleExtensions = Section("RFC 5861 Stale content", whileRevalidate + ifError)

    static let immutable = Section(
        "RFC 8246 Immutable",
        [
            Row(
                "RFC 8246 §2", "while fresh, max-age=0 of a request is no reason to validate", needs: .immutable,
                .get(.asked(.ok("Cache-Control: max-age=100, immutable", tag))),
                .get(after: 10, with: ["Cache-Control: max-age=0"], .stored)),
            Row(
                "RFC 8246 §2", "no-cache of a request is one",
                .get(.asked(.ok("Cache-Control: max-age=100, immutable", tag))),
                .get(after: 10, with: ["Cache-Control: no-cache"], .validated(.notModified(tag)))),
            Row(
                "RFC 8246 §2", "once stale, it is validated like any response",
                .get(.asked(.ok("Cache-Control: max-age=10, immutable", tag))),
                .get(after: 10, .validated(.notModified(tag)))),
            Row(
                "RFC 8246 §2", "once stale, max-age of a request does not save it",
                .get(.asked(.ok("Cache-Control: max-age=10, immutable", tag))),
                .get(after: 10, with: ["Cache-Control: max-age=100"], .validated(.notModified(tag)))),
            Row(
                "RFC 8246 §2", "immutable is no freshness by itself",
                .get(.asked(.ok("Cache-Control: immutable", tag))), .get(.validated(.notModified(tag)))),
        ])
}
