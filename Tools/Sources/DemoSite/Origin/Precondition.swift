import HTTPCacheSemantics

/// Whether a conditional GET or HEAD is answered with 304. RFC 9110 §13.2.2, the steps that concern a cache.
enum Precondition {
    /// Evaluates the request's preconditions.
    ///
    /// - Parameters:
    ///   - ifNoneMatch: `If-None-Match`, all lines joined; decides alone when present (step 3).
    ///   - ifModifiedSince: `If-Modified-Since` (step 4).
    ///   - file: The file that would be sent.
    static func isNotModified(ifNoneMatch: String?, ifModifiedSince: String?, file: DemoFile) -> Bool {
        if let ifNoneMatch {
            let tags = ifNoneMatch.split(separator: ",").map { $0.drop { $0 == " " } }
            return tags.contains { tag in
                let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
                let trimmed = opaque.split(separator: " ").first ?? ""
                return trimmed == "*" || file.entityTag.map { trimmed == $0 } ?? false  // weak comparison, §8.8.3.2
            }
        }
        // Decides the century of a form of date that nobody sends to the site.
        let now = WallInstant(unixSeconds: 0)
        guard let ifModifiedSince, let held = HTTPDate.parse(ifModifiedSince, now: now),
            let last = file.lastModified.flatMap({ HTTPDate.parse($0, now: now) })
        else { return false }
        return last <= held
    }
}
