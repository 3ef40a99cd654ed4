extension Section {
    static let incomplete = Section(
        "RFC 9111 §3.3 Incomplete responses",
        [
            Row(
                "RFC 9111 §3.3", "a body shorter than Content-Length is no whole answer, now or later",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", body: "0123456789").cut(after: 4))),
                .get(.asked(.ok("Cache-Control: max-age=100", body: "complete")), .sentNo("Range")),
                .get(after: 10, .stored)),
            Row(
                "RFC 9112 §8", "chunks without a last one are no whole answer, now or later",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", body: "0123456789").chunked().cut(after: 4))),
                .get(.asked(.ok("Cache-Control: max-age=100", body: "complete")))),
            Row(
                "RFC 9112 §8", "no byte of a stated body is no whole answer",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", body: "0123456789").cut(after: 0))),
                .get(.asked(.ok("Cache-Control: max-age=100", body: "complete")))),
            Row(
                "RFC 9112 §8", "a body that ends with its connection is complete",
                .get(.asked(Answer.ok("Cache-Control: max-age=100", body: "to the end").untilClose())),
                .get(after: 10, .stored, .field("Content-Length: 10"))),
            Row(
                "RFC 9112 §6.3", "of a body longer than Content-Length just that length is delivered and stored",
                .get(.asked(Answer.ok("Cache-Control: max-age=100", body: "0123456789").followed(by: "and more"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9112 §6.3", "chunks count before Content-Length",
                .get(
                    .either(
                        Answer.ok("Cache-Control: max-age=100", "Content-Length: 3", body: "0123456789").chunked()),
                    .bodyIsNot("012")),
                .get(.either(.ok(body: "0123456789")), .status(200), .body("0123456789"))),
            Row(
                "RFC 9112 §6.3", "two lengths that differ make a response invalid: 502, and nothing stored",
                .get(
                    .failed(
                        Answer.ok("Cache-Control: max-age=100", "Content-Length: 3", body: "0123456789")
                            .stating(length: 10), 502)),
                .get(.asked(.ok()))),
            Row(
                "RFC 9112 §6.3", "a length that is no number makes a response invalid: 502, and nothing stored",
                .get(
                    .failed(
                        Answer.ok("Cache-Control: max-age=100", "Content-Length: many", body: "0123456789")
                            .untilClose(), 502)),
                .get(.asked(.ok()))),
            Row(
                "RFC 9112 §9.2", "what follows a whole response on a connection answers nobody",
                .get(
                    .asked(
                        Answer.ok("Cache-Control: max-age=100", body: "right").followed(
                            by: "HTTP/1.1 200 OK\r\nCache-Control: max-age=900\r\nContent-Length: 5\r\n\r\nwrong"))),
                .get(at: "/next", .asked(.ok(body: "next"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §3.3", "a broken transfer leaves the stored response as it was",
                .get(.asked(.ok("Cache-Control: max-age=100", body: "whole"))),
                .get(
                    after: 10, with: ["Cache-Control: no-cache"],
                    .cutOff(Answer.ok("Cache-Control: max-age=100", body: "0123456789").cut(after: 4))),
                .get(.either(.ok(body: "whole")), .status(200), .body("whole"))),
            Row(
                "RFC 9111 §3.3", "an incomplete response with a strong validator is made complete or asked for anew",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    .either(.ok("Cache-Control: max-age=100", #"ETag: "b""#, body: "anew")), .status(200),
                    .body("anew"))),
            Row(
                "RFC 9111 §3.3", "a range wholly within an incomplete response is answered from it",
                needs: .partialStoring,
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    after: 10, with: ["Range: bytes=1-3"], .stored, .status(206), .body("123"),
                    .field("Content-Range: bytes 1-3/10"))),
            Row(
                "RFC 9111 §3.3", "a range beyond an incomplete response is not answered from it alone",
                needs: .partialStoring,
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    after: 10, with: ["Range: bytes=4-9"],
                    .completed(.ranged("0123456789", "Cache-Control: max-age=100", #"ETag: "a""#)),
                    .status(206), .body("456789"), .field("Content-Range: bytes 4-9/10"))),
            Row(
                "RFC 9111 §3.4", "an incomplete response and its rest are one, if a strong validator says so",
                needs: .partialStoring,
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    with: ["Range: bytes=4-9"],
                    .completed(.ranged("0123456789", "Cache-Control: max-age=100", #"ETag: "a""#)),
                    .status(206), .body("456789")),
                .get(after: 10, .stored, .status(200), .body("0123456789"), .no("Content-Range"))),
            Row(
                "RFC 9111 §3.4", "an incomplete response and a part with another validator stay apart",
                needs: .partialStoring,
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    with: ["Range: bytes=4-9"],
                    .either(.ranged("ABCDEFGHIJ", "Cache-Control: max-age=100", #"ETag: "b""#)),
                    .bodyIsNot("456789")),
                .get(
                    after: 10, .either(.ranged("ABCDEFGHIJ", "Cache-Control: max-age=100", #"ETag: "b""#)),
                    .status(200), .body("ABCDEFGHIJ"))),
            Row(
                "RFC 9111 §3.3", "an incomplete response may be made complete; the client gets the whole",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    .completed(.ranged("0123456789", "Cache-Control: max-age=100", #"ETag: "a""#)), .status(200),
                    .body("0123456789"), .no("Content-Range")),
                .get(after: 10, .stored, .status(200), .body("0123456789"))),
            Row(
                "RFC 9111 §3.4", "an incomplete response of what has changed since is not completed with the new",
                .get(.cutOff(Answer.ok("Cache-Control: max-age=100", #"ETag: "a""#, body: "0123456789").cut(after: 4))),
                .get(
                    .either(.ranged("ABCDEFGHIJ", "Cache-Control: max-age=100", #"ETag: "b""#)), .status(200),
                    .body("ABCDEFGHIJ"), .field(#"ETag: "b""#)),
                .get(after: 10, .stored, .status(200), .body("ABCDEFGHIJ"))),
            Row(
                "RFC 9111 §3.4", "an incomplete response with a weak validator is never combined",
                .get(
                    .cutOff(
                        Answer.ok("Cache-Control: max-age=100", #"ETag: W/"a""#, body: "0123456789").cut(after: 4))),
                .get(.asked(.ok("Cache-Control: max-age=100", #"ETag: W/"a""#, body: "01234ABCDE")), .sentNo("Range")),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §3.3", "the client has what came before the origin pauses; the whole is stored after it",
                .get(
                    .asked(
                        Answer.ok("Cache-Control: max-age=100", body: "first half, second half").pausing(after: 10))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9112 §8", "a transfer that breaks off after a pause is no whole answer",
                .get(
                    .cutOff(
                        Answer.ok("Cache-Control: max-age=100", body: "first half, second half").pausing(after: 10)
                            .cut(after: 12))),
                .get(.asked(.ok("Cache-Control: max-age=100", body: "complete")))),
            Row(
                "RFC 9111 §3", "a response that is not stored passes the same pause",
                .get(
                    .asked(
                        Answer.ok("Cache-Control: no-store", body: "first half, second half").chunked()
                            .pausing(after: 10)))),
        ])
}
