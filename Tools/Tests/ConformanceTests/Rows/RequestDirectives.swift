extension Section {
    private static func control(_ directives: String) -> [String] { ["Cache-Control: \(directives)"] }
    private static let tagged = #"ETag: "a""#
    private static let same = Answer.notModified(#"ETag: "a""#)

    static let requestDirectives = Section(
        "RFC 9111 §5.2.1 Request directives",
        [
            Row(
                "RFC 9111 §5.2.1.1", "max-age: no response that is older",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(after: 10, with: control("max-age=10"), .stored, .field("Age: 10")),
                .get(with: control("max-age=9"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.1", "max-age=0 is a validation",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(after: 10, with: control("max-age=0"), .validated(same), .sent(#"If-None-Match: "a""#))),
            Row(
                "RFC 9111 §5.2.1.1", "max-age does not make a stale response fresh",
                .get(.asked(.ok("Cache-Control: max-age=10", tagged))),
                .get(after: 20, with: control("max-age=100"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.1", "the age that counts includes the Age that came",
                .get(.asked(.ok("Cache-Control: max-age=100", "Age: 50", tagged))),
                .get(after: 10, with: control("max-age=59"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.2", "max-stale with a number: stale by no more than that",
                .get(.asked(.ok("Cache-Control: max-age=10", tagged))),
                .get(after: 15, with: control("max-stale=5"), .stored, .field("Age: 15")),
                .get(with: control("max-stale=4"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.2", "max-stale alone: stale by any time",
                .get(.asked(.ok("Cache-Control: max-age=10"))),
                .get(after: 1_000_000, with: control("max-stale"), .stored)),
            Row(
                "RFC 9111 §4.2.4", "must-revalidate is stronger than max-stale",
                .get(.asked(.ok("Cache-Control: max-age=10, must-revalidate", tagged))),
                .get(after: 15, with: control("max-stale=1000"), .validated(same))),
            Row(
                "RFC 9111 §4.2.4", "no-cache is stronger than max-stale",
                .get(.asked(.ok("Cache-Control: max-age=10, no-cache", tagged))),
                .get(after: 15, with: control("max-stale"), .validated(same))),
            Row(
                "RFC 9111 §5.2.2.8", "proxy-revalidate is stronger than max-stale in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: max-age=10, proxy-revalidate", tagged))),
                .get(after: 15, with: control("max-stale"), .validated(same))),
            Row(
                "RFC 9111 §5.2.2.8", "proxy-revalidate means nothing to a private cache", in: .privateOnly,
                .get(.asked(.ok("Cache-Control: max-age=10, proxy-revalidate", tagged))),
                .get(after: 15, with: control("max-stale"), .stored)),
            Row(
                "RFC 9111 §5.2.2.10", "s-maxage is stronger than max-stale in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: s-maxage=10", tagged))),
                .get(after: 15, with: control("max-stale"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.1", "max-age and max-stale together accept a stale response of that age",
                .get(.asked(.ok("Cache-Control: max-age=10", tagged))),
                .get(after: 15, with: control("max-age=20, max-stale=10"), .stored),
                .get(with: control("max-age=14, max-stale=10"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.3", "min-fresh: fresh for at least that long",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(after: 10, with: control("min-fresh=90"), .stored),
                .get(with: control("min-fresh=91"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.3", "min-fresh beyond the lifetime",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(with: control("min-fresh=101"), .validated(same))),
            Row(
                "RFC 9111 §5.2.1.4", "no-cache: not without validation",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(after: 10, with: control("no-cache"), .validated(same)), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §5.2.1.4", "no-cache without a validator fetches anew, and that is stored",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, with: control("no-cache"), .asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, .stored, .field("Age: 10"))),
            Row(
                "RFC 9111 §5.2", "names compare without case in requests too",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(with: control("NO-CACHE"), .validated(same))),
            Row(
                "RFC 9111 §5.2", "directives of several lines count together",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(with: control("max-age=1000") + control("no-cache"), .validated(same))),
            Row(
                "RFC 9111 §5.2.3", "unknown directives of requests are ignored",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, with: control(#"fancy="no-cache", must-revalidate, private"#), .stored)),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached without a stored response is a 504",
                .get(with: control("only-if-cached"), .refused(504))),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached with a fresh one is answered",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, with: control("only-if-cached"), .stored)),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached with a stale one is a 504",
                .get(.asked(.ok("Cache-Control: max-age=10", tagged))),
                .get(after: 10, with: control("only-if-cached"), .refused(504))),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached and max-stale take a stale one",
                .get(.asked(.ok("Cache-Control: max-age=10", tagged))),
                .get(after: 10, with: control("only-if-cached, max-stale=5"), .stored)),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached and no-cache contradict each other: 504",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(with: control("only-if-cached, no-cache"), .refused(504))),
            Row(
                "RFC 9111 §5.2.1.7", "only-if-cached with another variant is a 504",
                .get(with: ["X-A: 1"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-A"))),
                .get(with: ["X-A: 2"] + control("only-if-cached"), .refused(504))),
            Row(
                "RFC 9111 §5.2", "directives of the request are passed on",
                .get(
                    with: control("max-age=5, x-ext=1"), .asked(.ok()), .sent("Cache-Control: max-age=5, x-ext=1")),
                .get(with: control("no-transform"), .asked(.ok()), .sent("Cache-Control: no-transform"))),
            Row(
                "RFC 9111 §5.2", "directives of the request are passed on with a validation",
                .get(.asked(.ok("Cache-Control: max-age=100", tagged))),
                .get(after: 10, with: control("max-age=0"), .validated(same), .sent("Cache-Control: max-age=0"))),
        ])
}
