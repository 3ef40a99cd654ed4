/// The rows of one section.
struct Section: Sendable {
    var name: String
    var rows: [Row]

    init(_ name: String, _ rows: [Row]) {
        self.name = name
        self.rows = rows
    }

    /// Every section, in the order of RFC 9111, then the standards around it.
    static let all: [Section] = [
        storing, storedFields, incomplete, authenticated, vary, freshness, heuristic, age, servingStale, validation,
        receivedConditions, freshening304, headFreshening, invalidation, requestDirectives, responseDirectives,
        expires, pragma, ranges, partialContent, interim, hopByHop, methods, unknownMethods, statuses, redirects,
        trailers, staleExtensions, immutable, targeted, noVarySearch, cacheStatus, clearSiteData,
    ]
}
