extension Section {
    private static let stored = [
        200, 201, 202, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 414, 418,
        422, 429, 451, 500, 501, 502, 503, 504, 599,
    ]

    static let statuses = Section(
        "RFC 9110 §15 Status codes",
        stored.map { status in
            Row(
                "RFC 9111 §3", "\(status) with explicit freshness is stored, with its status",
                .get(.asked(.status(status, "Cache-Control: max-age=10", "X-A: 1"))),
                .get(after: 9, .stored, .field("X-A: 1")), .get(after: 1, .asked(.ok())))
        } + [
            Row(
                "RFC 9111 §3", "304 is no response that could be stored by itself",
                .get(with: [#"If-None-Match: "a""#], .asked(.notModified("Cache-Control: max-age=100", #"ETag: "a""#))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §15.5.13", "412 answers the condition of one request, and nobody else",
                .get(
                    with: [#"If-Match: "b""#], .asked(.status(412, "Cache-Control: max-age=100"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §15.5.17", "416 answers the range of one request, and nobody else",
                .get(
                    with: ["Range: bytes=5-"],
                    .asked(.status(416, "Cache-Control: max-age=100", "Content-Range: bytes */3"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §15.3.5", "a stored 204 has no content and no length",
                .get(.asked(.status(204, "Cache-Control: max-age=100"))),
                .get(after: 10, .stored, .status(204), .empty, .no("Content-Length"))),
            Row(
                "RFC 9110 §15.6", "a fresh stored error takes no part in validation of what came before",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.status(404, "Cache-Control: max-age=10", #"ETag: "b""#))),
                .get(after: 10, .asked(.ok(#"ETag: "a""#)), .isNotSent(#"If-None-Match: "a""#))),
        ])

    static let redirects = Section(
        "RFC 9110 §15.4 Redirections",
        [301, 308].map { status in
            Row(
                "RFC 9110 §15.4", "\(status) is handed to the client, and reused by heuristics, with its Location",
                .get(
                    .asked(.status(status, "Location: {path}/new", "Last-Modified: {-1000}")),
                    .field("Location: {path}/new")),
                .get(after: 10, .stored, .status(status), .field("Location: {path}/new")))
        }
            + [302, 303, 307].map { status in
                Row(
                    "RFC 9110 §15.4", "\(status) is not reused without permission",
                    .get(.asked(.status(status, "Location: {path}/new", "Last-Modified: {-1000}"))),
                    .get(.asked(.status(status, "Location: {path}/newer")), .field("Location: {path}/newer")))
            } + [
                Row(
                    "RFC 9110 §15.4", "what Location names is another target",
                    .get(.asked(.status(301, "Cache-Control: max-age=100", "Location: {path}/new"))),
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))), .get(after: 10, .stored, .status(301)),
                    .get(at: "/new", .stored, .status(200))),
                Row(
                    "RFC 9110 §15.4", "a Location that is relative or strange is left as it is",
                    .get(.asked(.status(302, "Cache-Control: max-age=100", "Location: ../x y?z#part"))),
                    .get(after: 10, .stored, .field("Location: ../x y?z#part"))),
                Row(
                    "RFC 9110 §15.4", "a redirection onto itself is stored like any other",
                    .get(.asked(.status(301, "Cache-Control: max-age=100", "Location: {path}"))),
                    .get(after: 10, .stored, .status(301))),
            ])
}
