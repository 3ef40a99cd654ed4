extension Section {
    private static let basic = ["Authorization: Basic YTpi"]

    static let authenticated = Section(
        "RFC 9111 §3.5 Authenticated requests",
        [
            Row(
                "RFC 9111 §3.5", "a shared cache does not reuse a response to an authenticated request",
                in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: max-age=100")), .noCacheStatus("stored")),
                .get(.asked(.ok())), .get(with: basic, .asked(.ok()))),
            Row(
                "RFC 9111 §3.5", "Expires alone does not allow a shared cache more", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Expires: {100}"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §3.5", "a validator alone does not allow a shared cache more", in: .sharedOnly,
                .get(with: basic, .asked(.ok(#"ETag: "a""#, "Last-Modified: {-1000}"))),
                .get(with: basic, .asked(.ok()), .sentNo("If-None-Match"))),
            Row(
                "RFC 9111 §3.5", "Vary on Authorization does not allow a shared cache more", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: max-age=100", "Vary: Authorization"))),
                .get(with: basic, .asked(.ok()))),
            Row(
                "RFC 9111 §3.5", "proxy-revalidate does not allow a shared cache more", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: max-age=100, proxy-revalidate"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.9", "public lets a shared cache reuse it", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: public, max-age=100"))), .get(after: 10, .stored)),
            Row(
                "RFC 9111 §5.2.2.2", "must-revalidate lets a shared cache reuse it while it is fresh", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: must-revalidate, max-age=100"))),
                .get(after: 10, .stored), .get(after: 90, .asked(.ok()))),
            Row(
                "RFC 9111 §5.2.2.10", "s-maxage lets a shared cache reuse it", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: s-maxage=100"))), .get(after: 10, .stored),
                .get(after: 90, .asked(.ok()))),
            Row(
                "RFC 9111 §3.5", "private forbids what public would allow", in: .sharedOnly,
                .get(with: basic, .asked(.ok("Cache-Control: private, public, max-age=100"))), .get(.asked(.ok()))),
            Row(
                "RFC 9111 §3.5", "the rule is for shared caches only", in: .privateOnly,
                .get(with: basic, .asked(.ok("Cache-Control: max-age=100"))), .get(after: 10, with: basic, .stored)),
            Row(
                "RFC 9111 §3.5", "Authorization reaches the origin, also with a validation",
                .get(
                    with: basic, .asked(.ok("Cache-Control: public, max-age=10", #"ETag: "a""#)),
                    .sent("Authorization: Basic YTpi")),
                .get(
                    after: 10, with: basic, .validated(.notModified(#"ETag: "a""#)),
                    .sent("Authorization: Basic YTpi"))),
            Row(
                "RFC 9110 §15.5.2", "a 401 without freshness is not reused",
                .get(.asked(.status(401, "WWW-Authenticate: Basic realm=\"a\""))),
                .get(with: basic, .asked(.ok("Cache-Control: private")))),
        ])
}
