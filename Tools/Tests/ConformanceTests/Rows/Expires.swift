extension Section {
    private static func past(_ name: String, _ value: String) -> Row {
        Row(
            "RFC 9111 §5.3", name,
            .get(.asked(.ok("Expires: \(value)", "Last-Modified: {-1000000}", #"ETag: "a""#))),
            .get(.validated(.notModified(#"ETag: "a""#))))
    }

    private static func ahead(_ citation: String, _ name: String, _ value: String) -> Row {
        Row(
            citation, name, .get(.asked(.ok("Expires: \(value)"))), .get(after: 99, .stored),
            .get(after: 1, .asked(.ok())))
    }

    static let expires = Section(
        "RFC 9111 §5.3 Expires",
        [
            ahead("RFC 9111 §4.2.1", "the lifetime is Expires minus Date", "{100}"),
            ahead("RFC 9110 §5.6.7", "in the form of RFC 850", "{850:100}"),
            ahead("RFC 9110 §5.6.7", "in the form of asctime", "{asctime:100}"),
            past("a time in the past", "{-1}"),
            past("the moment of Date", "{0}"),
            past("0 is a time in the past", "0"),
            past("-1 is a time in the past", "-1"),
            past("no date at all is a time in the past", "never"),
            past("an empty value is a time in the past", ""),
            past("another time zone makes a date invalid", "Thu, 01 Jan 2043 00:00:00 CET"),
            past("a numeric zone makes a date invalid", "Thu, 01 Jan 2043 00:00:00 +0000"),
            past("a day that does not exist makes a date invalid", "Mon, 30 Feb 2043 00:00:00 GMT"),
            past("an hour that does not exist makes a date invalid", "Thu, 01 Jan 2043 25:00:00 GMT"),
            past("ISO 8601 is no HTTP-date", "2043-01-01T00:00:00Z"),
            Row(
                "RFC 9110 §5.6.7", "a year of two digits more than fifty years ahead is in the past",
                .get(.asked(.ok("Expires: Sunday, 06-Nov-94 08:49:37 GMT"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2", "dates compare without case",
                .get(.asked(.ok("Expires: thu, 01 jan 2043 00:00:00 gmt"))), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.2.1", "Expires counts from Date, not from the arrival",
                .get(.asked(.ok("Date: {-50}", "Expires: {50}"))), .get(after: 49, .stored, .field("Age: 99")),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.1", "an origin whose clock is ahead",
                .get(.asked(.ok("Date: {1000}", "Expires: {1100}"))), .get(after: 99, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.1", "an origin whose clock is ahead, and whose response is stale by it",
                .get(.asked(.ok("Date: {1000}", "Expires: {500}"))), .get(.asked(.ok()))),
            Row(
                "RFC 9110 §6.6.1", "without Date it counts from the arrival",
                .get(.asked(Answer.ok("Expires: {100}").undated())), .get(after: 99, .stored),
                .get(after: 1, .asked(.ok()))),
            Row(
                "RFC 9111 §4.2.1", "of two Expires lines the first counts, or the response is stale",
                .get(.asked(.ok("Expires: {-100}", "Expires: {100}"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2.3", "Age counts against Expires",
                .get(.asked(.ok("Expires: {100}", "Age: 95"))), .get(after: 4, .stored), .get(after: 1, .asked(.ok()))),
        ])

    static let pragma = Section(
        "RFC 9111 §5.4 Pragma",
        [
            Row(
                "RFC 9111 §5.4", "Pragma no-cache of a request without Cache-Control is a validation",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(after: 10, with: ["Pragma: no-cache"], .validated(.notModified(#"ETag: "a""#)))),
            Row(
                "RFC 9111 §5.4", "beside Cache-Control it does not count",
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(after: 10, with: ["Pragma: no-cache", "Cache-Control: max-age=50"], .stored)),
            Row(
                "RFC 9111 §5.4", "other pragmas mean nothing",
                .get(.asked(.ok("Cache-Control: max-age=100"))), .get(after: 10, with: ["Pragma: x-fancy"], .stored)),
            Row(
                "RFC 9111 §5.4", "in a response it is no replacement for Cache-Control",
                .get(.asked(.ok("Cache-Control: max-age=100", "Pragma: no-cache"))),
                .get(after: 10, .stored, .field("Pragma: no-cache"))),
            Row(
                "RFC 9111 §5.4", "it is passed on",
                .get(with: ["Pragma: no-cache"], .asked(.ok()), .sent("Pragma: no-cache"))),
        ])
}
