extension Section {
    private static let text = "0123456789"
    private static let fresh = "Cache-Control: max-age=100"
    private static let strong = #"ETag: "a""#

    static let partialContent = Section(
        "RFC 9111 §3.4 Partial content",
        [
            Row(
                "RFC 9110 §14.2", "a range of something that is not stored is asked of the origin",
                .get(
                    with: ["Range: bytes=2-4"], .asked(.partial(2...4, of: text, fresh, strong)),
                    .sent("Range: bytes=2-4"), .status(206), .field("Content-Range: bytes 2-4/10"))),
            Row(
                "RFC 9111 §3.3", "a part does not answer a request for the whole",
                .get(with: ["Range: bytes=2-4"], .asked(.partial(2...4, of: text, fresh, strong))),
                .get(.either(.ok(fresh, #"ETag: "b""#, body: "whole")), .status(200), .body("whole"))),
            Row(
                "RFC 9111 §3.3", "a part does not answer a request for another part",
                .get(with: ["Range: bytes=2-4"], .asked(.partial(2...4, of: text, fresh, strong))),
                .get(
                    with: ["Range: bytes=5-7"], .asked(.partial(5...7, of: text, fresh, strong)), .status(206),
                    .body("567"))),
            Row(
                "RFC 9110 §15.3.7.3", "a part that is the whole is stored as such",
                .get(with: ["Range: bytes=0-"], .asked(.partial(0...9, of: text, fresh, strong))),
                .get(after: 10, .stored, .status(200), .body(text), .no("Content-Range"))),
            Row(
                "RFC 9110 §15.3.7", "a 206 to a request without Range is passed on, and is no 200 later",
                .get(.asked(.partial(2...4, of: text, fresh))),
                .get(.either(.ok(fresh, body: "whole")), .status(200), .body("whole"))),
            Row(
                "RFC 9110 §14.4", "a 206 without Content-Range is not stored as the whole",
                .get(with: ["Range: bytes=2-4"], .asked(.status(206, fresh, strong, body: "234"))),
                .get(.asked(.ok(fresh, #"ETag: "b""#, body: "whole")))),
            Row(
                "RFC 9110 §14.4", "a Content-Range that can't be read makes nothing of a 206",
                .get(
                    with: ["Range: bytes=0-9"],
                    .asked(.status(206, fresh, strong, "Content-Range: bytes 0-9/5", body: text))),
                .get(.asked(.ok(fresh, #"ETag: "b""#, body: "whole")))),
            Row(
                "RFC 9111 §3.3", "a whole answer to a range request is stored as a whole",
                .get(with: ["Range: bytes=2-4"], .asked(.ok(fresh, strong, body: text))),
                .get(after: 10, .stored, .status(200), .body(text)),
                .get(with: ["Range: bytes=2-4"], .stored, .status(206), .body("234"))),
            Row(
                "RFC 9110 §15.5.17", "a 416 of the origin is not stored",
                .get(
                    with: ["Range: bytes=20-"], .asked(.status(416, fresh, "Content-Range: bytes */10"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §13.1.5", "If-Range without anything stored is the origin's to judge",
                .get(
                    with: ["Range: bytes=2-4", #"If-Range: "a""#], .asked(.partial(2...4, of: text, fresh, strong)),
                    .sent(#"If-Range: "a""#), .sent("Range: bytes=2-4"))),
            Row(
                "RFC 9111 §3.3", "a stored part answers a request for it", needs: .partialStoring,
                .get(with: ["Range: bytes=2-6"], .asked(.partial(2...6, of: text, fresh, strong))),
                .get(
                    after: 10, with: ["Range: bytes=2-6"], .stored, .status(206), .body("23456"),
                    .field("Content-Range: bytes 2-6/10")),
                .get(
                    with: ["Range: bytes=3-4"], .stored, .status(206), .body("34"),
                    .field("Content-Range: bytes 3-4/10"))),
            Row(
                "RFC 9111 §3.4", "parts with the same strong validator make the whole", needs: .partialStoring,
                .get(with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, fresh, strong))),
                .get(
                    with: ["Range: bytes=5-9"], .completed(.ranged(text, fresh, strong)), .status(206),
                    .body("56789")),
                .get(after: 10, .stored, .status(200), .body(text), .no("Content-Range"))),
            Row(
                "RFC 9111 §3.4", "fields of the newer part update the whole", needs: .partialStoring,
                .get(with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, fresh, strong, "X-A: old"))),
                .get(with: ["Range: bytes=5-9"], .asked(.partial(5...9, of: text, fresh, strong, "X-A: new"))),
                .get(after: 10, .stored, .status(200), .body(text), .field("X-A: new"))),
            Row(
                "RFC 9111 §3.4", "parts that overlap fit as well", needs: .partialStoring,
                .get(with: ["Range: bytes=0-6"], .asked(.partial(0...6, of: text, fresh, strong))),
                .get(
                    with: ["Range: bytes=4-9"], .completed(.ranged(text, fresh, strong)), .status(206),
                    .body("456789")),
                .get(after: 10, .stored, .status(200), .body(text))),
            Row(
                "RFC 9111 §3.4", "parts of different representations never meet", needs: .partialStoring,
                .get(with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, fresh, strong))),
                .get(
                    with: ["Range: bytes=5-9"], .either(.ranged("ABCDEFGHIJ", fresh, #"ETag: "b""#)),
                    .bodyIsNot("56789")),
                .get(
                    .either(.ranged("ABCDEFGHIJ", fresh, #"ETag: "b""#)), .status(200), .body("ABCDEFGHIJ"))),
            Row(
                "RFC 9111 §3.4", "weak validators join nothing",
                .get(with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, fresh, #"ETag: W/"a""#))),
                .get(with: ["Range: bytes=5-9"], .asked(.partial(5...9, of: text, fresh, #"ETag: W/"a""#))),
                .get(.asked(.ok(#"ETag: W/"a""#, body: "whole")))),
            Row(
                "RFC 9111 §4.2", "a stale part is not served", needs: .partialStoring,
                .get(
                    with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, "Cache-Control: max-age=10", strong))),
                .get(
                    after: 10, with: ["Range: bytes=0-4"],
                    .completed(.ranged("ABCDEFGHIJ", fresh, #"ETag: "b""#)), .bodyIsNot("01234"))),
            Row(
                "RFC 9110 §15.3.7", "a part of heuristic freshness is reused", needs: .partialStoring,
                .get(
                    with: ["Range: bytes=0-4"], .asked(.partial(0...4, of: text, strong, "Last-Modified: {-1000}"))),
                .get(after: 10, with: ["Range: bytes=0-4"], .stored, .status(206), .body("01234"))),
            Row(
                "RFC 9110 §14.4", "Content-Range means nothing in a 200: ignored, and the response stored",
                needs: .contentRangeOutside206,
                .get(.asked(.ok(fresh, "Content-Range: bytes 0-3/100", body: text))),
                .get(after: 10, .stored, .status(200), .body(text))),
        ])
}
