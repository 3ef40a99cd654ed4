extension Section {
    /// Statuses that are heuristically cacheable by RFC 9110 §15.1, but for 206 (see partialContent).
    private static let heuristicStatuses = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    private static let otherStatuses = [201, 202, 299, 302, 303, 307, 400, 403, 406, 418, 500, 502, 503, 599]

    private static func ten(_ status: Int, _ citation: String = "RFC 9110 §15.1", needs: Feature? = nil) -> Row {
        Row(
            citation, "\(status) is fresh for a tenth of its time since Last-Modified", needs: needs,
            .get(.asked(.status(status, "Last-Modified: {-100}"))), .get(after: 9, .stored),
            .get(after: 1, .validated(.notModified("Last-Modified: {-100}")), .sent("If-Modified-Since: {-100}")))
    }

    static let heuristic = Section(
        "RFC 9111 §4.2.2 Heuristic freshness",
        heuristicStatuses.map { ten($0) } + [ten(451, "RFC 7725 §3", needs: .heuristicFor451)]
            + otherStatuses.map { status in
                Row(
                    "RFC 9111 §4.2.2", "\(status) has no heuristic freshness",
                    .get(.asked(.status(status, "Last-Modified: {-1000000}"))),
                    .get(.asked(.ok()), .sentNo("If-Modified-Since")))
            } + [
                Row(
                    "RFC 9111 §5.2.2.9", "public gives heuristic freshness to any status",
                    .get(.asked(.status(302, "Cache-Control: public", "Last-Modified: {-100}"))),
                    .get(after: 9, .stored), .get(after: 1, .validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "seven days are the longest that is assumed",
                    .get(.asked(.ok("Last-Modified: {-100000000}"))), .get(after: 604_799, .stored),
                    .get(after: 1, .validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "the fraction is counted from Date, not from the arrival",
                    .get(.asked(.ok("Date: {-50}", "Last-Modified: {-1050}"))), .get(after: 49, .stored),
                    .get(after: 1, .validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "no heuristics beside an explicit max-age",
                    .get(.asked(.ok("Cache-Control: max-age=0", "Last-Modified: {-1000000}"))),
                    .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "no heuristics beside an explicit Expires",
                    .get(.asked(.ok("Expires: {0}", "Last-Modified: {-1000000}"))), .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "no heuristics beside an Expires that can't be read",
                    .get(.asked(.ok("Expires: soon", "Last-Modified: {-1000000}"))),
                    .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "no heuristics beside s-maxage in a shared cache", in: .sharedOnly,
                    .get(.asked(.ok("Cache-Control: s-maxage=0", "Last-Modified: {-1000000}"))),
                    .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "s-maxage is no explicit time for a private cache", in: .privateOnly,
                    .get(.asked(.ok("Cache-Control: s-maxage=0", "Last-Modified: {-100}"))),
                    .get(after: 9, .stored), .get(after: 1, .validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "no-cache is not softened by heuristics",
                    .get(.asked(.ok("Cache-Control: no-cache", "Last-Modified: {-1000000}"))),
                    .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "Last-Modified after Date gives no lifetime",
                    .get(.asked(.ok("Last-Modified: {1000}"))), .get(.validated(.notModified()))),
                Row(
                    "RFC 9111 §4.2.2", "Last-Modified that is no date gives no lifetime, and goes back as it came",
                    .get(.asked(.ok("Last-Modified: yesterday"))),
                    .get(.validated(.notModified()), .sent("If-Modified-Since: yesterday"))),
                Row(
                    "RFC 9111 §4.2.2", "a tag alone gives no lifetime",
                    .get(.asked(.ok(#"ETag: "a""#))), .get(.validated(.notModified(#"ETag: "a""#)))),
                Row(
                    "RFC 9111 §4.2.2", "heuristics hold for targets with a query too",
                    .get(at: "?a=1", .asked(.ok("Last-Modified: {-100}"))), .get(at: "?a=1", after: 9, .stored)),
                Row(
                    "RFC 9111 §4.2.3", "Age uses up heuristic freshness",
                    .get(.asked(.ok("Last-Modified: {-100}", "Age: 10"))), .get(.validated(.notModified()))),
            ])
}
