extension Section {
    private static func invalidates(_ method: String, _ answer: Answer, _ name: String) -> Row {
        Row(
            "RFC 9111 §4.4", name, .get(.asked(.ok("Cache-Control: max-age=100"))),
            .send(method, body: method == "DELETE" ? nil : "x", .asked(answer)),
            .get(.asked(.ok("Cache-Control: max-age=100"))), .get(after: 10, .stored))
    }

    private static func leaves(_ method: String, _ answer: Answer, _ name: String) -> Row {
        Row(
            "RFC 9111 §4.4", name, .get(.asked(.ok("Cache-Control: max-age=100"))),
            .send(method, body: method == "POST" ? "x" : nil, .asked(answer)), .get(after: 10, .stored))
    }

    static let invalidation = Section(
        "RFC 9111 §4.4 Invalidation",
        ["POST", "PUT", "DELETE", "PATCH"].map { invalidates($0, .ok(), "\($0) invalidates its target") }
            + [200, 201, 202, 204, 205, 299, 301, 302, 303, 307, 308].map {
                invalidates("POST", .status($0, body: ""), "\($0) to POST is no error, and invalidates")
            }
            + [400, 403, 404, 409, 410, 412, 500, 501, 503].map {
                leaves("POST", .status($0), "\($0) to POST is an error, and invalidates nothing")
            } + [
                leaves("OPTIONS", .ok(), "OPTIONS is safe, and invalidates nothing"),
                leaves("TRACE", .ok(), "TRACE is safe, and invalidates nothing"),
                Row(
                    "RFC 9111 §4.4", "all variants are invalidated together",
                    .get(with: ["X-A: 1"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-A"))),
                    .get(with: ["X-A: 2"], .asked(.ok("Cache-Control: max-age=100", "Vary: X-A"))),
                    .post(.asked(.ok())), .get(with: ["X-A: 1"], .asked(.ok("Vary: X-A"))),
                    .get(with: ["X-A: 2"], .asked(.ok("Vary: X-A")))),
                Row(
                    "RFC 9111 §4.4", "other targets are left alone",
                    .get(at: "/a", .asked(.ok("Cache-Control: max-age=100"))),
                    .get(at: "/b?x=1", .asked(.ok("Cache-Control: max-age=100"))), .post(at: "/b", .asked(.ok())),
                    .post(at: "/b?x=2", .asked(.ok())), .get(at: "/a", after: 10, .stored),
                    .get(at: "/b?x=1", .stored)),
                Row(
                    "RFC 9111 §4.4", "no-store of the unsafe request does not spare what is stored",
                    .get(.asked(.ok("Cache-Control: max-age=100"))),
                    .post(with: ["Cache-Control: no-store"], .asked(.ok("Cache-Control: no-store"))),
                    .get(.asked(.ok()))),
                Row(
                    "RFC 9111 §4.4", "Location names another target to invalidate",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(.asked(.status(201, "Location: {origin}{path}/new"))), .get(at: "/new", .asked(.ok()))),
                Row(
                    "RFC 9111 §4.4", "Content-Location names another target to invalidate",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(.asked(.ok("Content-Location: {origin}{path}/new"))), .get(at: "/new", .asked(.ok()))),
                Row(
                    "RFC 9110 §10.2.2", "Location may be relative: an absolute path",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(at: "/old", .asked(.status(303, "Location: {path}/new"))), .get(at: "/new", .asked(.ok()))),
                Row(
                    "RFC 9110 §10.2.2",
                    "Location may be relative: a path beside the target's, with dots and a fragment",
                    .get(at: "/new?a=1", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(at: "/old/er", .asked(.status(303, "Location: ../new?a=1#part"))),
                    .get(at: "/new?a=1", .asked(.ok()))),
                Row(
                    "RFC 9111 §4.4", "an error leaves what Location names",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(.asked(.status(500, "Location: {path}/new", "Content-Location: {path}/new"))),
                    .get(at: "/new", after: 10, .stored)),
                Row(
                    "RFC 9111 §4.4", "Location in an answer to a safe method invalidates nothing",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .get(.asked(.ok("Location: {path}/new", "Content-Location: {path}/new"))),
                    .get(at: "/new", after: 10, .stored)),
                Row(
                    "RFC 9111 §4.4", "MUST NOT invalidate where the origin differs: host",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(
                        .asked(
                            .status(
                                201, "Location: http://elsewhere.test{path}/new",
                                "Content-Location: http://elsewhere.test{path}/new"))),
                    .get(at: "/new", after: 10, .stored)),
                Row(
                    "RFC 9111 §4.4", "MUST NOT invalidate where the origin differs: port",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(.asked(.status(201, "Location: http://127.0.0.1:9{path}/new"))),
                    .get(at: "/new", after: 10, .stored)),
                Row(
                    "RFC 9111 §4.4", "MUST NOT invalidate where the origin differs: scheme",
                    .get(at: "/new", .asked(.ok("Cache-Control: max-age=100"))),
                    .post(.asked(.status(201, "Location: ftp:{path}/new"))), .get(at: "/new", after: 10, .stored)),
                Row(
                    "RFC 9111 §4", "an unsafe request is written through, whatever is stored",
                    .get(.asked(.ok("Cache-Control: max-age=100"))),
                    .post(body: "a=1", .asked(.ok()), .sentBody("a=1")),
                    .post(body: "a=2", .asked(.ok()), .sentBody("a=2"))),
                Row(
                    "RFC 9111 §4.4", "an unsafe request that gets no answer invalidates nothing",
                    .get(.asked(.ok("Cache-Control: max-age=100"))), .post(.failed(.unreachable, 504)),
                    .get(after: 10, .stored)),
            ])
}
