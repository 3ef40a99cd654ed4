import HTTPTypes

/// Conditional requests: conditions that a cache adds, and those from a client. RFC 9111 §4.3.1 and §4.3.2.
package enum ConditionalRequest {
    /// The validators of a stored response as conditions, to be sent to the origin.
    ///
    /// "When generating a conditional request for validation, a cache … SHOULD send" `If-None-Match` with the stored
    /// entity tag and `If-Modified-Since` with the stored `Last-Modified` (§4.3.1).
    ///
    /// A value that is no entity tag, or no date, goes back as it came, as browsers send it: many servers leave out the
    /// quotes, or write dates in their own way, and compare texts.
    ///
    /// - Returns: The fields to set; empty if the response has no validator and can only be fetched again.
    package static func validators(of response: StoredResponse) -> HTTPFields {
        var fields = HTTPFields()
        let tags = response.fields[fields: .eTag]
        if Set(tags.map(\.value)).count == 1,
            EntityTag(tags[0].value) != nil || !["", "*"].contains(ListField.trimmed(tags[0].value))
        {
            // Its octets, which need not be UTF-8.
            fields.append(HTTPField(name: .ifNoneMatch, value: tags[0].withUnsafeBytesOfValue { Array($0) }))
        }
        if let modified = response.fields[.lastModified], !modified.isEmpty { fields[.ifModifiedSince] = modified }
        return fields
    }

    /// The most entity tags that are sent to validate several stored responses.
    package static let mostTags = 16

    /// The entity tags of several stored responses as one condition, for a request that none of them was selected for:
    /// "a recipient cache can … send … a list of the entity tags of all the stored responses" (§4.3.1). The 304 that
    /// may follow says which one the origin would have sent.
    package static func entityTags(of responses: some Sequence<StoredResponse>) -> HTTPFields {
        var tags: [String] = []
        for response in responses where response.extent == .complete && response.status == .ok {
            guard let tag = response.fields[.eTag], EntityTag(tag) != nil, !tags.contains(tag) else { continue }
            tags.append(tag)
            if tags.count == mostTags { break }
        }
        return tags.isEmpty ? [:] : [.ifNoneMatch: tags.joined(separator: ", ")]
    }

    /// The fields that ask for the rest of a response whose beginning is stored, or for the whole if it has changed
    /// (RFC 9110 §13.1.5, §14.2).
    ///
    /// - Returns: `nil` if the stored part is not the beginning, or has no strong entity tag.
    package static func resumption(of response: StoredResponse) -> HTTPFields? {
        guard let start = response.extent.resumption, let value = response.fields[.eTag], let tag = EntityTag(value),
            !tag.isWeak
        else { return nil }
        return [.range: "bytes=\(start)-", .ifRange: value]
    }

    /// Removes the conditions that a cache evaluates, and the range (RFC 9110 §13.1, §14.2).
    package static func remove(from fields: inout HTTPFields, keepingRange: Bool = false) {
        (fields[.ifNoneMatch], fields[.ifModifiedSince]) = (nil, nil)
        if !keepingRange { (fields[.ifRange], fields[.range]) = (nil, nil) }
    }

    /// Whether the request carries conditions that only the origin may judge: `If-Match` and
    /// `If-Unmodified-Since` ("not applicable to a cache", §4.3.2).
    package static func mustForward(_ presented: HTTPFields) -> Bool {
        presented.contains(.ifMatch) || presented.contains(.ifUnmodifiedSince)
    }

    /// Whether the request is conditional in any way, so that its response may be incomplete.
    package static func isConditional(_ presented: HTTPFields) -> Bool {
        mustForward(presented) || presented.contains(.ifNoneMatch) || presented.contains(.ifModifiedSince)
            || presented.contains(.ifRange)
    }

    /// Whether the client already has this response, by its own conditions: then the answer is 304.
    ///
    /// `If-None-Match` is compared weakly and takes precedence; `If-Modified-Since` is ignored beside it and
    /// for methods other than GET and HEAD (RFC 9110 §13.1.2, §13.1.3, §13.2.2).
    ///
    /// - Parameter isExact: Whether a later `If-Modified-Since` than `Last-Modified` is another version's, as where an
    ///   older page answers in place of a newer one.
    package static func isSatisfied(
        by response: StoredResponse, presented: HTTPFields, isExact: Bool = false
    ) -> Bool {
        let tags = presented[values: .ifNoneMatch]
        if !tags.isEmpty {
            if tags.contains(where: { ListField.trimmed($0) == "*" }) { return true }
            guard let stored = response.fields[.eTag].flatMap({ EntityTag($0) }) else {
                // A value that is no tag is compared by its octets.
                let octets = [validators(of: response), presented].map { fields in
                    fields[fields: .ifNoneMatch].map { $0.withUnsafeBytesOfValue { Array($0) } }
                }
                return !octets[0].isEmpty && octets[0] == octets[1]
            }
            return EntityTag.list(tags).contains { $0.weaklyMatches(stored) }
        }
        guard let value = presented[.ifModifiedSince],
            let since = HTTPDate.parse(value, now: response.responseTime)
        else { return false }
        // §4.3.2: without Last-Modified "the value of the Date field", or the time of the response's arrival.
        let modified = response.fields[.lastModified].flatMap { HTTPDate.parse($0, now: response.responseTime) }
        if isExact, let modified { return modified == since }
        return modified ?? response.date <= since
    }

    /// The fields of a 304 that a cache generates from a stored response (RFC 9110 §15.4.5): those that
    /// "would have been sent in a 200 (OK) response to the same request", minus what describes content.
    package static func notModifiedFields(_ stored: HTTPFields) -> HTTPFields {
        var fields = stored
        for name in [.contentLength, .contentType, .contentEncoding, .contentRange] as [HTTPField.Name] {
            fields[name] = nil
        }
        return fields
    }
}
