extension Section {
    private static let tag = #"ETag: "a""#

    private static func cdn(_ name: String, _ cdn: String, _ others: String..., expected: Row.Kinds, fresh: Bool) -> Row
    {
        let answer = Answer(status: 200, fields: ["CDN-Cache-Control: \(cdn)"] + others)
        return Row(
            "RFC 9213 §2", name, in: expected, needs: .targetedCacheControl, .get(.asked(answer)),
            fresh ? .get(after: 50, .stored) : .get(after: 50, .asked(.ok())))
    }

    static let targeted = Section(
        "RFC 9213 Targeted cache control",
        [
            cdn(
                "CDN-Cache-Control counts before Cache-Control: it allows", "max-age=100", "Cache-Control: no-store",
                expected: .sharedOnly, fresh: true),
            cdn(
                "CDN-Cache-Control counts before Cache-Control: it forbids", "no-store", "Cache-Control: max-age=100",
                expected: .sharedOnly, fresh: false),
            cdn(
                "CDN-Cache-Control counts before Cache-Control: it shortens", "max-age=10",
                "Cache-Control: max-age=100", expected: .sharedOnly, fresh: false),
            cdn(
                "CDN-Cache-Control counts before Expires", "max-age=10", "Expires: {100}", expected: .sharedOnly,
                fresh: false),
            cdn(
                "private in it is obeyed by a shared cache", "private, max-age=100", "Cache-Control: max-age=100",
                expected: .sharedOnly, fresh: false),
            cdn(
                "of a key that comes twice the last counts (RFC 8941 §3.2)", "max-age=1, max-age=100",
                expected: .sharedOnly, fresh: true),
            cdn("an empty one is ignored", "", "Cache-Control: max-age=100", expected: .sharedOnly, fresh: true),
            cdn(
                "one that is no dictionary is ignored", "max-age=100; =, ((", "Cache-Control: no-store",
                expected: .sharedOnly, fresh: false),
            cdn(
                "one with upper case is no dictionary, and is ignored", "Max-Age=1", "Cache-Control: max-age=100",
                expected: .sharedOnly, fresh: true),
            Row(
                "RFC 9213 §2", "a private cache has no part in it: Cache-Control counts", in: .privateOnly,
                .get(.asked(.ok("CDN-Cache-Control: max-age=1000", "Cache-Control: max-age=10"))),
                .get(after: 9, .stored), .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9213 §2", "a private cache stores what CDN-Cache-Control forbids others", in: .privateOnly,
                .get(.asked(.ok("CDN-Cache-Control: no-store", "Cache-Control: max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9213 §2", "both fields are passed on",
                .get(
                    .asked(.ok("CDN-Cache-Control: max-age=100", "Cache-Control: max-age=100")),
                    .field("CDN-Cache-Control: max-age=100"), .field("Cache-Control: max-age=100")),
                .get(after: 10, .stored, .field("CDN-Cache-Control: max-age=100"))),
        ])

    private static func search(_ name: String, _ field: String, _ first: String, _ second: String, same: Bool) -> Row {
        Row(
            "draft-ietf-httpbis-no-vary-search §4", name, needs: same ? .noVarySearch : nil,
            .get(at: first, .asked(.ok("Cache-Control: max-age=100", "No-Vary-Search: \(field)", body: "first"))),
            same
                ? .get(at: second, after: 10, .stored, .body("first"))
                : .get(at: second, after: 10, .asked(.ok(body: "second"))))
    }

    static let noVarySearch = Section(
        "No-Vary-Search",
        [
            Row(
                "draft-ietf-httpbis-no-vary-search §4", "without the field every query is another target",
                .get(at: "?a=1&b=2", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "?b=2&a=1", .asked(.ok())), .get(at: "?a=1", .asked(.ok()))),
            search("params: no parameter matters", "params", "?a=1", "?b=2", same: true),
            search("params: nor whether there is a query", "params", "?a=1", "", same: true),
            search(
                "params with a list: these do not matter", #"params=("utm" "x")"#, "?a=1&utm=2", "?x=3&a=1",
                same: true),
            search("params with a list: the others do", #"params=("utm")"#, "?a=1&utm=2", "?a=2&utm=2", same: false),
            search("except: these matter", #"params, except=("id")"#, "?id=1&a=1", "?id=2&a=1", same: false),
            search("except: the others do not", #"params, except=("id")"#, "?id=1&a=1", "?b=3&id=1", same: true),
            search("key-order: the order does not matter", "key-order", "?a=1&b=2", "?b=2&a=1", same: true),
            search("key-order: the values do", "key-order", "?a=1&b=2", "?b=1&a=2", same: false),
            search("key-order: the order among equal names does", "key-order", "?a=1&a=2", "?a=2&a=1", same: false),
            search("a value that can't be read is as if it were not there", "params=((", "?a=1", "?a=2", same: false),
            search(
                "names compare after decoding", #"params=("é")"#.replacing("é", with: "%c3%a9"), "?%C3%A9=1&a=1",
                "?a=1", same: true),
            Row(
                "draft-ietf-httpbis-no-vary-search §4", "the path must match all the same",
                .get(at: "/a?x=1", .asked(.ok("Cache-Control: max-age=100", "No-Vary-Search: params"))),
                .get(at: "/b?x=1", .asked(.ok()))),
        ])

    static let cacheStatus = Section(
        "RFC 9211 Cache-Status",
        [
            Row(
                "RFC 9211 §2", "a miss that is stored, then a hit with the freshness that is left",
                .get(
                    .asked(.ok("Cache-Control: max-age=100")), .cacheStatus("fwd=uri-miss"), .cacheStatus("stored")),
                .get(after: 10, .stored, .cacheStatus("hit"), .cacheStatus("ttl=90"))),
            Row(
                "RFC 9211 §2.5", "a miss that is not stored does not say so",
                .get(
                    .asked(.ok("Cache-Control: no-store")), .cacheStatus("fwd=uri-miss"), .noCacheStatus("stored"))),
            Row(
                "RFC 9211 §2.2", "another variant",
                .get(with: ["X-A: 1"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-A"))),
                .get(
                    with: ["X-A: 2"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-A")),
                    .cacheStatus("fwd=vary-miss"))),
            Row(
                "RFC 9211 §2.3", "stale, and confirmed with 304",
                .get(.asked(.ok("Cache-Control: max-age=10", tag))),
                .get(
                    after: 10, .validated(.notModified(tag)), .cacheStatus("fwd=stale"), .cacheStatus("fwd-status=304"))
            ),
            Row(
                "RFC 9211 §2.2", "stale, and replaced",
                .get(.asked(.ok("Cache-Control: max-age=10", tag))),
                .get(
                    after: 10, .asked(.ok("Cache-Control: max-age=10")), .cacheStatus("fwd=stale"),
                    .cacheStatus("stored"))),
            Row(
                "RFC 9211 §2.2", "the request's own directives",
                .get(.asked(.ok("Cache-Control: max-age=100", tag))),
                .get(
                    with: ["Cache-Control: no-cache"], .validated(.notModified(tag)), .cacheStatus("fwd=request"))),
            Row(
                "RFC 9211 §2.2", "the method", .post(.asked(.ok()), .cacheStatus("fwd=method"), .noCacheStatus("hit"))),
            Row(
                "RFC 9211 §2.4", "a stale response that is served has less than no freshness left",
                .get(.asked(.ok("Cache-Control: max-age=10"))),
                .get(after: 15, with: ["Cache-Control: max-stale"], .stored, .cacheStatus("ttl=-5"))),
            Row(
                "RFC 9211 §2", "caches nearer the origin come first",
                .get(
                    .asked(.ok("Cache-Control: max-age=100", "Cache-Status: Edge; hit")),
                    .field("Cache-Status: Edge; hit, Larder; fwd=uri-miss; stored")),
                .get(after: 10, .stored, .field("Cache-Status: Edge; hit, Larder; hit; ttl=90"))),
        ])

    static let clearSiteData = Section(
        "Clear-Site-Data",
        [
            Row(
                "RFC 9111 §4.4", "\"cache\" removes everything of the origin that is stored", in: .privateOnly,
                needs: .clearSiteData, alone: true,
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/b", .asked(.ok(#"Clear-Site-Data: "cache""#))), .get(at: "/a", .asked(.ok()))),
            Row(
                "RFC 9111 §4.4", "\"*\" does as well", in: .privateOnly, needs: .clearSiteData, alone: true,
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/b", .asked(.ok(#"Clear-Site-Data: "storage", "*""#))), .get(at: "/a", .asked(.ok()))),
            Row(
                "RFC 9111 §4.4", "other kinds of data leave the store alone", alone: true,
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/b", .asked(.ok(#"Clear-Site-Data: "cookies", "storage""#))),
                .get(at: "/a", after: 10, .stored)),
            Row(
                "RFC 9111 §4.4", "unquoted it means nothing", alone: true,
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/b", .asked(.ok("Clear-Site-Data: cache"))), .get(at: "/a", after: 10, .stored)),
            Row(
                "RFC 9111 §4.4", "a shared cache is not the client's to clear", in: .sharedOnly, alone: true,
                .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                .get(at: "/b", .asked(.ok(#"Clear-Site-Data: "cache""#))), .get(at: "/a", after: 10, .stored)),
        ])
}
