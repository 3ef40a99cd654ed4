extension Section {
    private static func writtenThrough(_ method: String) -> Row {
        Row(
            "RFC 9111 §4", "\(method) is written through each time, and its response answers no GET",
            .send(method, .asked(.ok("Cache-Control: max-age=100")), .noCacheStatus("stored")),
            .send(method, .asked(.ok("Cache-Control: max-age=100"))), .get(.asked(.ok())))
    }

    static let methods = Section(
        "RFC 9110 §9 Methods",
        ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"].map(writtenThrough) + [
            Row(
                "RFC 9111 §2", "a stored GET answers no other method but HEAD",
                .get(.asked(.ok("Cache-Control: max-age=100"))), .send("OPTIONS", .asked(.ok())),
                .head(.stored), .get(.stored, .body("{token}, step 1"))),
            Row(
                "RFC 9110 §9.3.3", "a POST response without Content-Location is not stored",
                .post(.asked(.ok("Cache-Control: max-age=100")), .noCacheStatus("stored")), .get(.asked(.ok()))),
            Row(
                "RFC 9110 §9.3.3", "a POST response without explicit freshness is not stored",
                .post(.asked(.ok("Content-Location: {path}", "Last-Modified: {-1000000}"))), .get(.asked(.ok()))),
            Row(
                "RFC 9110 §9.3.3", "a POST response with another Content-Location is not stored",
                .post(.asked(.ok("Cache-Control: max-age=100", "Content-Location: {path}/other"))),
                .get(.asked(.ok())), .get(at: "/other", .asked(.ok()))),
            Row(
                "RFC 9110 §9.3.3", "a POST response with its target in Content-Location and freshness answers GET",
                needs: .postStoring,
                .post(
                    .asked(.ok("Cache-Control: max-age=100", "Content-Location: {path}", body: "created")),
                    .cacheStatus("stored")),
                .get(after: 10, .stored, .body("created")), .head(.stored)),
            Row(
                "RFC 9110 §9.3.3", "Content-Location may be absolute", needs: .postStoring,
                .post(.asked(.ok("Expires: {100}", "Content-Location: {origin}{path}", body: "created"))),
                .get(after: 10, .stored, .body("created"))),
            Row(
                "RFC 9110 §9.3.3", "a stored POST response answers no POST", needs: .postStoring,
                .post(.asked(.ok("Cache-Control: max-age=100", "Content-Location: {path}"))),
                .post(.asked(.ok("Cache-Control: max-age=100", "Content-Location: {path}", body: "again"))),
                .get(after: 10, .stored, .body("again"))),
            Row(
                "RFC 9110 §9.3.3", "no-store holds for POST too", needs: .postStoring,
                .post(.asked(.ok("Cache-Control: max-age=100, no-store", "Content-Location: {path}"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §9.3.4", "a PUT response with its target in Content-Location is not stored",
                .send("PUT", body: "x", .asked(.ok("Cache-Control: max-age=100", "Content-Location: {path}"))),
                .get(.asked(.ok()))),
            Row(
                "RFC 9110 §9.3.1", "content in a GET may mean something to the origin: not answered from the store",
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .send("GET", body: "query", .asked(.ok("Cache-Control: max-age=100")), .sentBody("query")),
                .get(after: 10, .stored, .body("{token}, step 1"))),
            Row(
                "RFC 9110 §9.3.2", "HEAD of something that is not stored is forwarded as HEAD",
                .head(.asked(.ok("X-A: 1", body: "0123456789")), .field("Content-Length: 10"), .field("X-A: 1"))),
            Row(
                "RFC 9110 §9.3.2", "HEAD of a stale response does not serve it",
                .get(.asked(.ok("Cache-Control: max-age=10"))), .head(after: 10, .asked(.ok()))),
            Row(
                "RFC 9110 §9.3.2", "HEAD of a stale response can be validated",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .head(
                    after: 10, .either(.notModified("Cache-Control: max-age=100", #"ETag: "a""#)), .status(200), .empty)
            ),
            Row(
                "RFC 9110 §7.6.2", "OPTIONS with Max-Forwards 0 is answered, not forwarded",
                needs: .suspectedBug(
                    "If the received value is zero (0), the intermediary MUST NOT forward the request"),
                .send("OPTIONS", with: ["Max-Forwards: 0"], .refused(200), .anyBody)),
            Row(
                "RFC 9110 §7.6.2", "OPTIONS with Max-Forwards is forwarded with one less",
                needs: .suspectedBug("the intermediary MUST generate an updated Max-Forwards field"),
                .send("OPTIONS", with: ["Max-Forwards: 5"], .asked(.ok()), .sent("Max-Forwards: 4"))),
            Row(
                "RFC 9110 §7.6.2", "with other methods Max-Forwards may stay as it is",
                .get(with: ["Max-Forwards: 0"], .asked(.ok()))),
        ])

    private static func unknown(_ method: String, needs: Feature? = nil) -> [Row] {
        [
            Row(
                "RFC 9111 §3", "\(method): a response to a method that is not understood is not stored", needs: needs,
                .send(method, .asked(.ok("Cache-Control: max-age=100")), .noCacheStatus("stored")),
                .send(method, .asked(.ok())), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.4", "\(method): a method of unknown safety invalidates its target", needs: needs,
                .get(.asked(.ok("Cache-Control: max-age=100"))),
                .send(method, body: "x", .asked(.ok()), .sentBody("x")),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.4", "\(method): its error invalidates nothing", needs: needs,
                .get(.asked(.ok("Cache-Control: max-age=100"))), .send(method, .asked(.status(501))),
                .get(after: 10, .stored)),
        ]
    }

    static let unknownMethods = Section(
        "RFC 9111 §3, §4.4 Methods that are not understood",
        unknown("PURGE") + unknown("MKCOL")
            + unknown("FROB", needs: .suspectedBug("MUST write through requests with methods that are unsafe")) + [
                Row(
                    "RFC 9110 §9.1", "methods compare with case: 'get' is not answered by a stored GET",
                    .get(.asked(.ok("Cache-Control: max-age=100"))),
                    .send("get", .either(.ok()), .noCacheStatus("hit"), .no("Age")))
            ])
}
