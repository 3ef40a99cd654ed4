extension Section {
    static let responseDirectives = Section(
        "RFC 9111 §5.2.2 Response directives",
        [
            Row(
                "RFC 9111 §5.2", "directives of the response are passed on, understood or not",
                .get(
                    .asked(.ok(#"Cache-Control: max-age=100, x-ext="a b", no-transform"#)),
                    .field(#"Cache-Control: max-age=100, x-ext="a b", no-transform"#)),
                .get(after: 10, .stored, .field(#"Cache-Control: max-age=100, x-ext="a b", no-transform"#))),
            Row(
                "RFC 9111 §5.2.2.2", "must-revalidate does not hinder reuse while fresh",
                .get(.asked(.ok("Cache-Control: max-age=10, must-revalidate", #"ETag: "a""#))),
                .get(after: 9, .stored), .get(after: 1, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.2.2", "must-revalidate alone is no permission to store an unknown status",
                .get(.asked(.status(299, "Cache-Control: must-revalidate", #"ETag: "a""#))),
                .get(.asked(.ok()), .sentNo("If-None-Match"))),
            Row(
                "RFC 9111 §5.2.2.4", "no-cache: never without validation, however fresh",
                .get(.asked(.ok("Cache-Control: no-cache, max-age=1000", #"ETag: "a""#))),
                .get(after: 10, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.2.4", "no-cache without a validator: fetched each time",
                .get(.asked(.ok("Cache-Control: no-cache, max-age=1000"))),
                .get(.asked(.ok("Cache-Control: no-cache, max-age=1000"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.4", "no-cache in another line counts",
                .get(.asked(.ok("Cache-Control: max-age=1000", "Cache-Control: no-cache", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.2.4", "no-cache with a list that can't be read counts for the whole response",
                .get(.asked(.ok(#"Cache-Control: max-age=1000, no-cache="a b""#, #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.2.8", "proxy-revalidate does not hinder reuse while fresh",
                .get(.asked(.ok("Cache-Control: max-age=10, proxy-revalidate"))), .get(after: 9, .stored)),
            Row(
                "RFC 9111 §5.2.2.9", "public gives no freshness by itself",
                .get(.asked(.ok("Cache-Control: public"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.9", "public does not overrule no-store",
                .get(.asked(.ok("Cache-Control: public, max-age=100, no-store"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.10", "s-maxage alone makes a response fresh in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: s-maxage=10", #"ETag: "a""#))), .get(after: 9, .stored),
                .get(after: 1, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.2.10", "s-maxage alone makes no response fresh in a private cache", in: .privateOnly,
                .get(.asked(.ok("Cache-Control: s-maxage=10", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.2.1", "directives of requests mean nothing in a response",
                .get(.asked(.ok("Cache-Control: max-age=10, only-if-cached, max-stale=100, min-fresh=50"))),
                .get(after: 9, .stored), .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.6", "content is not transformed, with no-transform or without",
                .get(
                    with: ["Accept-Encoding: gzip"],
                    .asked(
                        .ok("Cache-Control: max-age=100, no-transform", "Content-Encoding: gzip", body: "not zipped"))),
                .get(
                    after: 10, with: ["Accept-Encoding: gzip"], .stored, .body("not zipped"),
                    .field("Content-Encoding: gzip"))),
        ])
}
