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
