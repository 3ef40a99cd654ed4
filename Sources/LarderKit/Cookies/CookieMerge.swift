import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Brings two places to the same cookies, by comparing each with what both had last: what has changed at one place goes
/// to the other, removals too. Where both have changed one, the first place is right.
struct CookieMerge {
    /// The changes to one place.
    struct Change {
        var set: [HTTPCookie] = []
        var removed: [HTTPCookie] = []
    }

    /// Cookies are the same by name, domain and path (RFC 6265 §5.3, step 11).
    private struct Identity: Hashable {
        var name: String
        var domain: String
        var path: String

        init(_ cookie: HTTPCookie) { (name, domain, path) = (cookie.name, cookie.domain.lowercased(), cookie.path) }
    }

    /// The part of a cookie that a change may be in. Places keep times to the second.
    private struct Content: Equatable {
        var value: String
        var expires: Int64?
        var isSecure: Bool
        var isHTTPOnly: Bool

        init(_ cookie: HTTPCookie) {
            value = cookie.value
            expires = cookie.expiresDate.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
            (isSecure, isHTTPOnly) = (cookie.isSecure, cookie.isHTTPOnly)
        }
    }

    private var last: [Identity: Content] = [:]
    /// Cookies of one place that the other has not taken.
    private var refused: [Identity: Content] = [:]

    /// - Returns: What to do at each place, so that both have the same.
    mutating func step(_ first: [HTTPCookie], _ second: [HTTPCookie]) -> (first: Change, second: Change) {
        let places = (Self.byIdentity(first), Self.byIdentity(second))
        var changes = (first: Change(), second: Change())
        var merged: [Identity: Content] = [:]
        for identity in Set(places.0.keys).union(places.1.keys) {
            let (one, other) = (places.0[identity], places.1[identity])
            let (content, otherContent) = (one.map(Content.init), other.map(Content.init))
            // Compared with what both had, so that a cookie that is gone at one place does not come back.
            let isFirstRight = content != last[identity] || content == otherContent
            merged[identity] = isFirstRight ? content : otherContent
            guard content != otherContent else { continue }
            if content == nil || otherContent == nil, refused[identity] == content ?? otherContent {
                // Both count as having it, so that a newer one of either place is a change.
                merged[identity] = content ?? otherContent
                continue
            }
            refused[identity] = nil
            if isFirstRight {
                if let one { changes.second.set.append(one) } else if let other { changes.second.removed.append(other) }
            } else {
                if let other { changes.first.set.append(other) } else if let one { changes.first.removed.append(one) }
            }
        }
        last = merged
        return changes
    }

    /// Notes what a place has not taken: that it lacks it is no removal.
    ///
    /// - Parameters:
    ///   - changes: The last ones.
    ///   - first: The cookies of both places once the changes are done.
    mutating func settle(_ changes: (first: Change, second: Change), _ first: [HTTPCookie], _ second: [HTTPCookie]) {
        for (set, place) in [(changes.first.set, first), (changes.second.set, second)] where !set.isEmpty {
            let taken = Self.byIdentity(place)
            for cookie in set where taken[Identity(cookie)] == nil { refused[Identity(cookie)] = Content(cookie) }
        }
    }

    private static func byIdentity(_ cookies: [HTTPCookie]) -> [Identity: HTTPCookie] {
        Dictionary(cookies.map { (Identity($0), $0) }, uniquingKeysWith: { $1 })
    }
}
