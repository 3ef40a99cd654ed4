import HTTPTypes

/// Which part of a representation a stored response holds, RFC 9111 §3.3 and §3.4.
package enum ContentExtent: Hashable, Sendable {
    /// All of it.
    case complete
    /// Parts of it in their stored order, neither empty nor overlapping; the stored content is these parts end to end.
    /// The complete length is `nil` if no response has stated it.
    case partial([Range<Int64>], completeLength: Int64?)

    /// The extent of one part.
    ///
    /// - Returns: ``complete`` if the part is the whole representation; `nil` for an empty part.
    package init?(_ part: Range<Int64>, completeLength: Int64?) {
        guard !part.isEmpty else { return nil }
        self =
            part.lowerBound == 0 && part.upperBound == completeLength
            ? .complete : .partial([part], completeLength: completeLength)
    }

    /// The length of the whole representation, if known.
    ///
    /// - Parameter storedLength: How many bytes are stored.
    package func completeLength(storedLength: Int64) -> Int64? {
        switch self {
        case .complete: storedLength
        case .partial(_, let length): length
        }
    }

    /// Where in the stored content a part of the representation lies, in the order of the representation; `nil` unless
    /// all of it is stored: "a cache MUST NOT use an incomplete response to answer requests unless the response has
    /// been made complete, or the request is partial and specifies a range wholly within the incomplete response"
    /// (§3.3).
    ///
    /// Parts that arrived out of order are stored out of order: then there are several regions.
    ///
    /// - Parameter part: Not empty.
    package func regions(of part: Range<Int64>) -> [Range<Int64>]? {
        guard case .partial = self else { return [part] }
        var regions: [Range<Int64>] = []
        var position = part.lowerBound
        for (stored, offset) in placesInOrder {
            if stored.upperBound <= position { continue }
            guard stored.lowerBound <= position else { return nil }
            let start = offset + (position - stored.lowerBound)
            let end = min(stored.upperBound, part.upperBound)
            regions.append(start..<start + (end - position))
            position = end
            if position == part.upperBound { return regions }
        }
        return nil
    }

    /// ``regions(of:)`` if it is a single one.
    package func location(of part: Range<Int64>) -> Range<Int64>? {
        guard case .partial(let parts, _) = self else { return part }
        var offset: Int64 = 0
        for stored in parts {
            if stored.lowerBound <= part.lowerBound, part.upperBound <= stored.upperBound {
                let start = offset + (part.lowerBound - stored.lowerBound)
                return start..<start + (part.upperBound - part.lowerBound)
            }
            offset += stored.upperBound - stored.lowerBound
        }
        return nil
    }

    /// The offset at which a transfer of the whole can resume, if its beginning is stored; `nil` otherwise.
    package var resumption: Int64? {
        guard case .partial(let parts, _) = self else { return nil }
        let joined = Self.joined(parts.sorted { $0.lowerBound < $1.lowerBound })
        guard joined.count == 1, joined[0].lowerBound == 0 else { return nil }
        return joined[0].upperBound
    }

    /// The stored parts in the order of the representation, adjacent ones joined; `nil` for ``complete``.
    package var parts: [Range<Int64>]? {
        guard case .partial(let parts, _) = self else { return nil }
        return Self.joined(parts.sorted { $0.lowerBound < $1.lowerBound })
    }

    /// The stored parts in the order of the representation, each with the place of its first byte in the content.
    var placesInOrder: [(part: Range<Int64>, offset: Int64)] {
        guard case .partial(let parts, _) = self else { return [] }
        var offset: Int64 = 0
        let places = parts.map { part in
            defer { offset += part.upperBound - part.lowerBound }
            return (part: part, offset: offset)
        }
        return places.sorted { $0.part.lowerBound < $1.part.lowerBound }
    }

    /// Parts in ascending order, adjacent ones joined.
    static func joined(_ parts: [Range<Int64>]) -> [Range<Int64>] {
        var joined: [Range<Int64>] = []
        for part in parts {
            if let last = joined.last, last.upperBound == part.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<part.upperBound
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}

/// The part of a stored response that a presented request selects, RFC 9110 §14.2.
package enum ContentSelection: Hashable, Sendable {
    /// Everything: the request has no `Range`, or the field is ignored.
    case whole
    /// One part of the representation; its complete length if known.
    case part(Range<Int64>, completeLength: Int64?)
    /// No part of a representation of this length was selected.
    case notSatisfiable(completeLength: Int64)
    /// The store lacks some of the selected bytes.
    case notStored

    /// - Parameters:
    ///   - presented: The request. Its conditions other than `If-Range` have been judged.
    ///   - response: The stored response.
    ///   - storedLength: How many bytes of content are stored.
    package init(of response: StoredResponse, storedLength: Int64, presented: HTTPRequest) {
        let whole: ContentSelection = response.extent == .complete ? .whole : .notStored
        // "A server MUST ignore a Range header field received with a request method that is unrecognized or for which
        // range handling is not defined": GET alone; and a range is a part of a 200.
        guard presented.method == .get, response.status == .ok || response.extent != .complete,
            let range = ByteRange(presented.headerFields)
        else {
            self = whole
            return
        }
        if let condition = presented.headerFields[.ifRange], !Self.holds(condition, for: response) {
            self = whole
            return
        }
        guard let length = response.extent.completeLength(storedLength: storedLength) else {
            // The end of the representation is unknown: only a range with both ends can be located. The greatest
            // number stands for every greater position, and no representation has that many bytes.
            guard case .from(let first, through: let last?) = range, first <= last, last < .max,
                response.extent.regions(of: first..<last + 1) != nil
            else {
                self = whole
                return
            }
            self = .part(first..<last + 1, completeLength: nil)
            return
        }
        // No Content-Range can describe empty content, so the answer is the whole of it.
        guard length > 0 else {
            self = whole
            return
        }
        guard let part = range.resolve(length: length) else {
            // "MUST NOT use an incomplete response to answer requests unless … the request … specifies a range wholly
            // within the incomplete response" (RFC 9111 §3.3): so neither to answer 416.
            self = response.extent == .complete ? .notSatisfiable(completeLength: length) : .notStored
            return
        }
        self = response.extent.regions(of: part) == nil ? .notStored : .part(part, completeLength: length)
    }

    /// RFC 9110 §13.1.5: a strong comparison for tags; a date must be exactly the stored `Last-Modified`, and a strong
    /// validator: at least a second before the response's `Date` (§8.8.2.2).
    private static func holds(_ condition: String, for response: StoredResponse) -> Bool {
        if let tag = EntityTag(condition) {
            return response.fields[.eTag].flatMap { EntityTag($0) }?.stronglyMatches(tag) ?? false
        }
        guard response.fields[.lastModified] == condition,
            let modified = HTTPDate.parse(condition, now: response.responseTime)
        else { return false }
        return modified + .seconds(1) <= response.date
    }
}
