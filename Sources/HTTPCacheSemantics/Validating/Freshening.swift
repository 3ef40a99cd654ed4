import HTTPTypes

/// Updating a stored response from a 304, RFC 9111 §4.3.4 and §3.2.
public enum Freshening {
    /// Whether a 304 speaks about this stored response.
    ///
    /// A strong validator in the 304 must match strongly; a weak one weakly; a 304 without any validator freshens a
    /// stored response only if that has none either, or is the only candidate — the caller sent its validators, so
    /// we treat "no validator in the 304" as being about the one that was asked for.
    public static func applies(_ notModified: HTTPFields, to response: StoredResponse) -> Bool {
        if let tag = notModified[.eTag].flatMap({ EntityTag($0) }) {
            guard let stored = response.fields[.eTag].flatMap({ EntityTag($0) }) else { return false }
            return tag.isWeak ? tag.weaklyMatches(stored) : tag.stronglyMatches(stored)
        }
        if let modified = notModified[.lastModified], let stored = response.fields[.lastModified] {
            return modified == stored
        }
        return true
    }

    /// The stored response after the update: every field of the 304 replaces the stored ones of that name, except
    /// those that §3.2 excludes.
    ///
    /// - Parameters:
    ///   - notModified: The fields of the 304 as received.
    ///   - requestTime: When the conditional request left.
    ///   - responseTime: When the 304 arrived; the age counts from here again.
    public static func freshen(
        _ response: StoredResponse, with notModified: HTTPFields, requestTime: WallInstant, responseTime: WallInstant
    ) -> StoredResponse {
        var updated = response
        let received = StorableFields.select(from: notModified)
        let names = Set(received.map(\.name)).subtracting(neverUpdated)
        // An Age of the old response says nothing about the new one.
        updated.fields[.age] = nil
        if !received.contains(.date) { updated.fields[.date] = HTTPDate.print(responseTime) }
        for name in names { updated.fields[fields: name] = received[fields: name] }
        updated.requestTime = requestTime
        updated.responseTime = responseTime
        return updated
    }

    /// §3.2: `Content-Length` would corrupt the stored content's framing; `Content-Encoding`, `Content-Type` and
    /// `Content-Range` describe the content that a 304 does not carry, so a change there could only be wrong.
    private static let neverUpdated: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange,
    ]
}
