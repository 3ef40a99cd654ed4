extension Section {
    /// A `Cache-Control` that says how long a response is fresh, written in a way that is to be read.
    private static func fresh(
        _ citation: String, _ name: String, _ cacheControl: String, seconds: Int, in kinds: Row.Kinds = .both
    ) -> Row {
        Row(
            citation, name, in: kinds, .get(.asked(.ok("Cache-Control: \(cacheControl)"))),
            .get(after: seconds - 1, .stored, .field("Age: \(seconds - 1)")), .get(after: 1, .asked(.ok())))
    }

    /// A `Cache-Control` that can't be read, so that the response is stale from the start.
    private static func stale(_ name: String, _ cacheControl: String) -> Row {
        Row(
            "RFC 9111 §4.2.1", name,
            .get(.asked(.ok("Cache-Control: \(cacheControl)", "Last-Modified: {-1000000}", #"ETag: "a""#))),
            .get(.validated(.notModified(#"ETag: "a""#))))
    }

    static let freshness = Section(
        "RFC 9111 §4.2 Freshness",
        [
            fresh("RFC 9111 §4.2", "fresh as long as the lifetime exceeds the age", "max-age=10", seconds: 10),
            fresh(
                "RFC 9111 §4.2.1", "s-maxage is first in a shared cache", "max-age=100, s-maxage=10", seconds: 10,
                in: .sharedOnly),
            fresh(
                "RFC 9111 §4.2.1", "s-maxage may be longer than max-age", "s-maxage=100, max-age=10", seconds: 100,
                in: .sharedOnly),
            fresh(
                "RFC 9111 §4.2.1", "s-maxage means nothing to a private cache", "max-age=10, s-maxage=100", seconds: 10,
                in: .privateOnly),
            fresh(
                "RFC 9111 §4.2.1", "s-maxage=0 means nothing to a private cache", "s-maxage=0, max-age=10", seconds: 10,
                in: .privateOnly),
            fresh("RFC 9111 §5.2", "a quoted argument is read as well", #"max-age="10""#, seconds: 10),
            fresh("RFC 9111 §5.2", "names without regard to case", "MAX-AGE=10", seconds: 10),
            fresh("RFC 9111 §1.2.2", "leading zeros", "max-age=0010", seconds: 10),
            fresh("RFC 9111 §4.2.1", "of several max-age the first counts", "max-age=10, max-age=100", seconds: 10),
            fresh(
                "RFC 9111 §4.2.1", "of several max-age the first counts, also when it is longer",
                "max-age=100, max-age=10", seconds: 100),
            Row(
                "RFC 9111 §1.2.2", "a number beyond 32 bits is not taken for its remainder",
                .get(.asked(.ok("Cache-Control: max-age=4294967297"))), .get(after: 1_000_000, .stored)),
            Row(
                "RFC 9111 §1.2.2", "a number too large to represent is a very large one",
                .get(.asked(.ok("Cache-Control: max-age=99999999999999999999999999"))),
                .get(after: 1_000_000, .stored)),
            Row(
                "RFC 9111 §1.2.2", "a sum that overflows is no negative number",
                .get(.asked(.ok("Cache-Control: max-age=9223372036854775807", "Age: 9223372036854775807"))),
                .get(.either(.ok()), .status(200)), .get(after: 10, .either(.ok()), .status(200))),
            Row(
                "RFC 9111 §4.2", "max-age=0 is stale at once",
                .get(.asked(.ok("Cache-Control: max-age=0"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2.1", "s-maxage=0 is stale at once in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: max-age=100, s-maxage=0"))), .get(.asked(.ok()))),
            stale("max-age that is no number", "max-age=ten"),
            stale("max-age with a fraction", "max-age=100.5"),
            stale("negative max-age", "max-age=-100"),
            stale("max-age with a unit", "max-age=100s"),
            stale("max-age without an argument", "max-age"),
            stale("max-age with an empty argument", "max-age="),
            stale("max-age with white space before its argument", "max-age= 100"),
            stale("max-age with white space before the equals sign", "max-age =100"),
            stale("max-age with more behind its argument", "max-age=100 200"),
            stale("max-age in a quoted string that never ends", #"max-age="100"#),
            Row(
                "RFC 9111 §4.2.1", "an unreadable s-maxage is stale in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: max-age=100, s-maxage=ten", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.3", "max-age overrides Expires, also one in the past",
                .get(.asked(.ok("Cache-Control: max-age=10", "Expires: {-1000}"))), .get(after: 9, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §5.3", "max-age overrides Expires, also one far ahead",
                .get(.asked(.ok("Cache-Control: max-age=10", "Expires: {1000}"))), .get(after: 9, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §5.3", "max-age=0 overrides Expires",
                .get(.asked(.ok("Cache-Control: max-age=0", "Expires: {1000}"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.3", "s-maxage overrides Expires in a shared cache", in: .sharedOnly,
                .get(.asked(.ok("Cache-Control: s-maxage=10", "Expires: {1000}"))), .get(after: 9, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §5.3", "s-maxage does not override Expires in a private cache", in: .privateOnly,
                .get(.asked(.ok("Cache-Control: s-maxage=10", "Expires: {100}"))), .get(after: 99, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.1", "where directives conflict, the most restrictive is honoured",
                .get(.asked(.ok("Cache-Control: max-age=100, no-cache", #"ETag: "a""#))),
                .get(.validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.2", "a stale response with a validator is validated",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))), .get(after: 9, .stored),
                .get(after: 1, .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §4.2.3", "a clock that was set back leaves the age unknown: validate",
                needs: .clockSetBack,
                .get(.asked(.ok("Cache-Control: max-age=1000", #"ETag: "a""#))),
                .get(after: -3_600, .validated(.notModified(#"ETag: "a""#)))),
        ])
}
