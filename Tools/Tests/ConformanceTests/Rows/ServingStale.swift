extension Section {
    /// A stale response whose origin can't be reached, with a directive that may forbid its use.
    private static func unreachable(
        _ citation: String, _ name: String, _ directives: String, in kinds: Row.Kinds = .both, served: Bool,
        by answer: Answer = .unreachable, needs: Feature? = nil
    ) -> Row {
        Row(
            citation, name, in: kinds, needs: needs,
            .get(.asked(.ok("Cache-Control: max-age=10\(directives)", #"ETag: "a""#))),
            served
                ? .get(after: 20, .storedAfter(answer), .field("Age: 20"))
                : .get(after: 20, .failed(answer, 504)),
            .get(.validated(.notModified(#"ETag: "a""#))))
    }

    static let servingStale = Section(
        "RFC 9111 §4.2.4 Serving stale responses",
        [
            Row(
                "RFC 9111 §4.2.4", "a stale response is not served while the origin can be asked",
                .get(.asked(.ok("Cache-Control: max-age=10"))), .get(after: 10, .asked(.ok()))),
            unreachable("RFC 9111 §4.2.4", "a disconnected cache may serve it", "", served: true),
            unreachable("RFC 9111 §5.2.2.2", "must-revalidate forbids it", ", must-revalidate", served: false),
            unreachable(
                "RFC 9111 §5.2.2.8", "proxy-revalidate forbids it to a shared cache", ", proxy-revalidate",
                in: .sharedOnly, served: false),
            unreachable(
                "RFC 9111 §5.2.2.8", "proxy-revalidate does not forbid it to a private cache", ", proxy-revalidate",
                in: .privateOnly, served: true),
            unreachable(
                "RFC 9111 §5.2.2.10", "s-maxage forbids it to a shared cache", ", s-maxage=5", in: .sharedOnly,
                served: false),
            unreachable(
                "RFC 9111 §5.2.2.10", "s-maxage does not forbid it to a private cache", ", s-maxage=5",
                in: .privateOnly, served: true),
            unreachable("RFC 9111 §5.2.2.4", "no-cache forbids it", ", no-cache", served: false),
            unreachable(
                "RFC 9111 §4.2.4", "no-cache with names does not forbid it", #", no-cache="x-a""#, served: true),
            unreachable(
                "RFC 9111 §4.2.4", "a connection closed before the head is a disconnection", "", served: true,
                by: .closes, needs: .closedEarlyIsUnreachable),
            unreachable(
                "RFC 9111 §5.2.2.2", "must-revalidate holds as well when the connection closes before the head",
                ", must-revalidate", served: false, by: .closes, needs: .closedEarlyIsUnreachable),
            Row(
                "RFC 9110 §15.6.5", "without anything stored, an origin that can't be reached is a 504",
                .get(.failed(.unreachable, 504), .field("Cache-Control: no-store"))),
            Row(
                "RFC 9110 §15.6.5", "without anything stored, a connection closed before the head is a 504",
                needs: .closedEarlyIsUnreachable, .get(.failed(.closes, 504))),
            Row(
                "RFC 9110 §15.6.3", "an answer that is no HTTP is a 502", .get(.failed(.garbage, 502)),
                .get(.asked(.ok()))),
            Row(
                "RFC 9111 §4.2.4", "what the cache says itself is not stored",
                .get(.failed(.unreachable, 504)), .get(.asked(.ok("Cache-Control: max-age=100"))),
                .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.2", "a fresh response needs no origin, reachable or not",
                .get(.asked(.ok("Cache-Control: max-age=100, must-revalidate"))), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.3.3", "a server error is forwarded; the stored response can still be validated",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.status(503, "Cache-Control: no-store")), .sent(#"If-None-Match: "a""#)),
                .get(.validated(.notModified(#"ETag: "a""#)), .body("{token}, step 1"), .status(200))),
            Row(
                "RFC 9111 §5.2.2.2", "a server error is not covered up under must-revalidate",
                .get(.asked(.ok("Cache-Control: max-age=10, must-revalidate", #"ETag: "a""#))),
                .get(after: 10, .asked(.status(500)))),
            Row(
                "RFC 9111 §4.2.4", "a 404 takes the place of a stale response",
                .get(.asked(.ok("Cache-Control: max-age=10", #"ETag: "a""#))),
                .get(after: 10, .asked(.status(404, "Cache-Control: max-age=100"))), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §4.2.4", "another variant is not served because the origin can't be reached",
                .get(
                    with: ["Accept-Language: en"],
                    .asked(.ok("Cache-Control: max-age=100", "Vary: Accept-Language"))),
                .get(with: ["Accept-Language: de"], .failed(.unreachable, 504))),
        ])
}
