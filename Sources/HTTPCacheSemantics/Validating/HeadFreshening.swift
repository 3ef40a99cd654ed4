import HTTPTypes

/// What a response to `HEAD` means for a stored response that could have been chosen for a `GET`, RFC 9111 §4.3.5.
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
