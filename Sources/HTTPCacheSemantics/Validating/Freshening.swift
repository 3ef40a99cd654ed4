import HTTPTypes

/// Updating a stored response from a 304, RFC 9111 §4.3.4 and §3.2.
package enum Freshening {
    /// The most fields that a stored response and the 304 that freshens it may have together. Our choice: each 304 may
    /// add fields, and `HTTPFields` traps at 65,535.
    package static let greatestFieldCount = 10_000

    /// Whether a 304 applies to this stored response.
    ///
    /// A strong validator in the 304 must match strongly, a weak one weakly. A 304 without any validator freshens a
    /// stored response only if that has none either, or is the only candidate: the caller sent its validators, so such
    /// a 304 is about it. A 304 with `Vary: *` freshens nothing: the updated response "always fails to match" (§4.1).
    /// Nor does one that could lead to more than 10,000 fields.
    ///
    /// - Parameter weakly: Whether a strong validator may match a weak one, or one with a coding's suffix.
    package static func applies(
        _ notModified: HTTPFields, to response: StoredResponse, weakly: Bool = false
    ) -> Bool {
        if case .anything = Vary(notModified) { return false }
        guard response.fields.count + notModified.count <= greatestFieldCount else { return false }
        if let tag = notModified[.eTag].flatMap({ EntityTag($0) }) {
            guard let stored = response.fields[.eTag].flatMap({ EntityTag($0) }) else { return false }
            if weakly, tag.isUncoded(stored) { return true }
            return tag.isWeak || weakly ? tag.weaklyMatches(stored) : tag.stronglyMatches(stored)
        }
        guard let modified = notModified[.lastModified] else { return true }
        return modified == response.fields[.lastModified]
    }

    /// Which of the stored responses a 304 updates, by their index in the list (§4.3.4).
    ///
    /// With a strong entity tag, all that have it, "each of them"; with a weak validator or a modification date, "the
    /// most recent" match; without any, the one whose validators were sent.
    ///
    /// A strong tag that none has names what was asked about with that tag as a weak one. nginx weakens the tag of what
    /// it compresses, compares weakly (RFC 9110 §13.1.2), and sends the strong one with the 304; by §4.3.4 that updates
    /// nothing, and what is stored would be fetched anew at each validation. So does Apache's tag without its `-gzip`.
    ///
    /// - Parameters:
    ///   - candidates: The responses stored under the key, all variants.
    ///   - asked: The indices of those whose validators were sent.
    package static func identified(
        by notModified: HTTPFields, among candidates: [StoredResponse], asked: [Int]
    ) -> [Int] {
        let tag = notModified[.eTag].flatMap { EntityTag($0) }
        if tag == nil, !notModified.contains(.lastModified) {
            return asked.count == 1 && applies(notModified, to: candidates[asked[0]]) ? asked : []
        }
        var matching = candidates.indices.filter { applies(notModified, to: candidates[$0]) }
        if let tag, !tag.isWeak {
            if !matching.isEmpty { return matching }
            matching = asked.filter { applies(notModified, to: candidates[$0], weakly: true) }
        }
        // One whose validators were sent comes before others that happen to have the same weak validator.
        let preferred = matching.filter(asked.contains)
        let latest = (preferred.isEmpty ? matching : preferred).max { candidates[$0].date < candidates[$1].date }
        return latest.map { [$0] } ?? []
    }

    /// The stored response after the update: every field of the 304 replaces the stored ones of that name, except
    /// those that §3.2 excludes.
    ///
    /// - Parameters:
    ///   - notModified: The fields of the 304 as received.
    ///   - request: The fields of the request that the 304 answers, for those that its `Vary` nominates; `nil` keeps
    ///     the nominated fields, which is correct only if the 304 does not change `Vary`.
    ///   - requestTime: When the conditional request left.
    ///   - responseTime: When the 304 arrived; the age restarts here.
    ///   - kind: As in ``StorableFields/select(from:in:)``.
    package static func freshen(
        _ response: StoredResponse, with notModified: HTTPFields, answering request: HTTPFields? = nil,
        requestTime: WallInstant, responseTime: WallInstant, in kind: CacheKind = .private
    ) -> StoredResponse {
        var updated = response
        let received = StorableFields.select(from: notModified, in: kind)
        var names = Set(received.map(\.name)).subtracting(neverUpdated)
        // The content keeps the tag under which it came: a strong one could join it with parts of another coding.
        if let tag = received[.eTag].flatMap({ EntityTag($0) }), !tag.isWeak,
            let stored = response.fields[.eTag].flatMap({ EntityTag($0) }),
            stored.isWeak && tag.weaklyMatches(stored) || tag.isUncoded(stored)
        {
            names.remove(.eTag)
        }
        // Age and Date of the old response do not describe the new one.
        updated.fields = updated.fields.filter { ![.age, .date].contains($0.name) && !names.contains($0.name) }
        updated.fields.append(contentsOf: received.filter { names.contains($0.name) })
        if !received.contains(.date) { updated.fields[.date] = HTTPDate.print(responseTime) }
        // Directives of the 304 may forbid fields that were stored before.
        updated.fields = StorableFields.select(from: updated.fields, in: kind)
        updated.needsValidation = false
        if let request { updated.nominatedFields = NominatedFields(request, vary: Vary(updated.fields)) }
        // The limit of a rule restarts here, too.
        updated.expires = response.expires.map { responseTime + ($0 - response.responseTime) }
        updated.requestTime = requestTime
        updated.responseTime = responseTime
        return updated
    }

    /// §3.2 excludes `Content-Length`. `Content-Encoding`, `Content-Range` and digests of the content are about the
    /// stored octets, which a 304 can't change: §3.2 allows such exclusions where "necessary to ensure integrity".
    private static let neverUpdated = Set(
        [.contentLength, .contentEncoding, .contentRange] + HTTPFields.digestsOfContent)

    /// Whether WebKit keeps a field as it came with the content, whatever a 304 says (`CacheValidation.cpp`): §3.2 lets
    /// caches within user agents. Servers send `Content-Type: text/html` with each 304, and policies with a nonce that
    /// the stored page does not have.
    package static func isKeptInWebViews(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return ["content-", "x-content-", "x-webkit-"].contains { name.hasPrefix($0) }
            || name == "x-frame-options" || name == "x-xss-protection"
    }
}

/// The effect of a response to `HEAD` on a stored response for `GET`, RFC 9111 §4.3.5.
package enum HeadFreshening: Hashable, Sendable {
    /// The stored response is still current; the associated value is its updated form.
    case freshened(StoredResponse)
    /// The origin has another representation: "the cache SHOULD consider the stored response to be stale".
    case outdated(StoredResponse)
    /// The response to `HEAD` says nothing about it: it is not a 200, or only parts are stored.
    case unrelated

    /// "If the received validator fields … and Content-Length … match those of the stored response", where received,
    /// the stored response is updated as after a 304.
    ///
    /// - Parameters:
    ///   - head: The fields of the answer to `HEAD`.
    ///   - storedLength: How many bytes of content are stored.
    ///   - kind: As in ``StorableFields/select(from:in:)``.
    package static func decide(
        _ response: StoredResponse, storedLength: Int64, status: HTTPResponse.Status, head: HTTPFields,
        answering request: HTTPFields, requestTime: WallInstant, responseTime: WallInstant,
        in kind: CacheKind = .private
    ) -> HeadFreshening {
        guard status == .ok, response.status == .ok, response.extent == .complete else { return .unrelated }
        let isSame =
            matches(head[.eTag], response.fields[.eTag]) && matches(head[.lastModified], response.fields[.lastModified])
            && (head[.contentLength].flatMap { Int64($0) } ?? storedLength) == storedLength
        guard isSame else {
            var outdated = response
            outdated.needsValidation = true
            return .outdated(outdated)
        }
        // §4.1: the updated response "always fails to match".
        if case .anything = Vary(head) { return .unrelated }
        return .freshened(
            Freshening.freshen(
                response, with: head, answering: request, requestTime: requestTime, responseTime: responseTime,
                in: kind))
    }

    /// Whether a response to `HEAD` proves that the stored content is what a GET would return: the same strong entity
    /// tag, or the same `Last-Modified` and `Content-Length`, and no contradiction.
    ///
    /// In ``decide(_:storedLength:status:head:answering:requestTime:responseTime:in:)`` absent fields match, which is
    /// enough to update fields, but not to answer in place of a GET.
    package static func confirms(_ response: StoredResponse, storedLength: Int64, head: HTTPFields) -> Bool {
        let length = head[.contentLength].flatMap { Int64($0) }
        if length ?? storedLength != storedLength { return false }
        guard matches(head[.eTag], response.fields[.eTag]), matches(head[.lastModified], response.fields[.lastModified])
        else { return false }
        if let tag = head[.eTag].flatMap({ EntityTag($0) }), !tag.isWeak { return true }
        return length != nil && head.contains(.lastModified)
    }

    private static func matches(_ received: String?, _ stored: String?) -> Bool {
        received == nil || received == stored
    }
}
