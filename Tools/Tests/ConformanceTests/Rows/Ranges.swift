extension Section {
    private static let digits = Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789")

    private static func part(_ name: String, _ range: String, _ contentRange: String, _ body: String) -> Row {
        Row(
            "RFC 9110 §14.1.2", name, .get(.asked(digits)),
            .get(
                after: 10, with: ["Range: \(range)"], .stored, .status(206), .body(body),
                .field("Content-Range: bytes \(contentRange)/10"), .field("Content-Length: \(body.utf8.count)"),
                .field(#"ETag: "a""#)))
    }

    private static func whole(_ citation: String, _ name: String, _ range: String) -> Row {
        Row(
            citation, name, .get(.asked(digits)),
            .get(after: 10, with: ["Range: \(range)"], .stored, .status(200), .no("Content-Range")))
    }

    private static func ifRange(_ name: String, _ validator: String, _ condition: String, holds: Bool) -> Row {
        Row(
            "RFC 9110 §13.1.5", name, .get(.asked(.ok("Cache-Control: max-age=100", validator, body: "0123456789"))),
            holds
                ? .get(
                    after: 10, with: ["Range: bytes=2-4", "If-Range: \(condition)"], .stored, .status(206), .body("234")
                )
                : .get(after: 10, with: ["Range: bytes=2-4", "If-Range: \(condition)"], .stored, .status(200)))
    }

    static let ranges = Section(
        "RFC 9110 §14 Ranges of stored responses",
        [
            part("first and last", "bytes=2-4", "2-4", "234"),
            part("a single byte", "bytes=0-0", "0-0", "0"),
            part("from a byte on", "bytes=7-", "7-9", "789"),
            part("the last bytes", "bytes=-3", "7-9", "789"),
            part("a last byte beyond the end is the end", "bytes=7-100", "7-9", "789"),
            part("more last bytes than there are: all", "bytes=-100", "0-9", "0123456789"),
            part("the unit's name compares without case", "BYTES=2-4", "2-4", "234"),
            Row(
                "RFC 9110 §15.5.17", "a range that can't be satisfied is a 416 with the length",
                .get(.asked(digits)),
                .get(
                    after: 10, with: ["Range: bytes=10-"], .stored, .status(416),
                    .field("Content-Range: bytes */10"), .anyBody),
                .get(with: ["Range: bytes=-0"], .stored, .status(416), .anyBody), .get(.stored, .status(200))),
            whole("RFC 9110 §14.2", "an unknown unit is ignored", "lines=1-2"),
            whole("RFC 9110 §14.1.1", "a last byte before the first makes the specifier invalid: ignored", "bytes=4-2"),
            whole("RFC 9110 §14.1.1", "a specifier without numbers is ignored", "bytes=-"),
            whole("RFC 9110 §14.1.1", "a specifier with letters is ignored", "bytes=a-b"),
            whole("RFC 9110 §14.1.1", "a specifier without a unit is ignored", "2-4"),
            ifRange("If-Range with the strong tag", #"ETag: "a""#, #""a""#, holds: true),
            ifRange("If-Range with another tag gets the whole", #"ETag: "a""#, #""b""#, holds: false),
            ifRange("If-Range compares strongly: weak condition", #"ETag: "a""#, #"W/"a""#, holds: false),
            ifRange("If-Range compares strongly: weak stored tag", #"ETag: W/"a""#, #"W/"a""#, holds: false),
            ifRange("If-Range with the date of Last-Modified", "Last-Modified: {-1000}", "{-1000}", holds: true),
            ifRange("If-Range with a later date gets the whole", "Last-Modified: {-1000}", "{-500}", holds: false),
            ifRange("If-Range with an earlier date gets the whole", "Last-Modified: {-1000}", "{-1001}", holds: false),
            ifRange("If-Range without a stored validator gets the whole", "X-A: 1", #""a""#, holds: false),
            Row(
                "RFC 9110 §13.1.5", "a date that is not a strong validator fails If-Range",
                needs: .suspectedBug("If the HTTP-date validator provided is not a strong validator … false"),
                .get(.asked(.ok("Cache-Control: max-age=100", "Last-Modified: {0}", body: "0123456789"))),
                .get(after: 10, with: ["Range: bytes=2-4", "If-Range: {0}"], .stored, .status(200))),
            Row(
                "RFC 9110 §13.1.5", "If-Range without Range is ignored",
                .get(.asked(digits)), .get(after: 10, with: [#"If-Range: "b""#], .stored, .status(200))),
            Row(
                "RFC 9110 §13.2.2", "a 304 comes before a range",
                .get(.asked(digits)),
                .get(after: 10, with: ["Range: bytes=2-4", #"If-None-Match: "a""#], .stored, .status(304)),
                .get(
                    with: ["Range: bytes=2-4", #"If-None-Match: "b""#], .stored, .status(206), .body("234"))),
            Row(
                "RFC 9110 §14.2", "ranges are defined for GET only",
                .get(.asked(digits)),
                .head(after: 10, with: ["Range: bytes=2-4"], .stored, .status(200), .field("Content-Length: 10"))),
            Row(
                "RFC 9110 §14.2", "a range applies only to what would be a 200",
                .get(.asked(.status(404, "Cache-Control: max-age=100", body: "0123456789"))),
                .get(after: 10, with: ["Range: bytes=2-4"], .stored, .status(404))),
            Row(
                "RFC 9110 §14.2", "a stale response is validated as a whole, then its part is sent",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#, body: "0123456789"))),
                .get(
                    after: 10, with: ["Range: bytes=2-4"], .validated(.notModified(#"ETag: "a""#)), .status(206),
                    .body("234"), .sentNo("Range"))),
            Row(
                "RFC 9110 §14.2", "a stale response without a validator has no part in a range request",
                .get(.asked(.ok("Cache-Control: max-age=10", body: "0123456789"))),
                .get(
                    after: 10, with: ["Range: bytes=2-4"],
                    .asked(.partial(2...4, of: "ABCDEFGHIJ", "Cache-Control: max-age=10")), .sent("Range: bytes=2-4"),
                    .field("Content-Range: bytes 2-4/10")),
                .get(.either(.ok(body: "ABCDEFGHIJ")), .status(200), .body("ABCDEFGHIJ"))),
            Row(
                "RFC 9110 §14.1.2", "a range in the middle of a hundred thousand bytes",
                .get(.asked(.ok("Cache-Control: max-age=100", body: String(repeating: "0123456789", count: 10_000)))),
                .get(
                    after: 10, with: ["Range: bytes=50003-50012"], .stored, .status(206), .body("3456789012"),
                    .field("Content-Range: bytes 50003-50012/100000"))),
            Row(
                "RFC 9110 §14.2", "several ranges are ignored: the answer is the whole",
                .get(.asked(digits)),
                .get(after: 10, with: ["Range: bytes=0-1,7-8"], .stored, .status(200), .body("0123456789"))),
        ])
}
