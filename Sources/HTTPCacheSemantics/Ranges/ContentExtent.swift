/// Which part of a representation a stored response holds, RFC 9111 §3.3 and §3.4.
public enum ContentExtent: Hashable, Sendable {
    /// All of it.
    case complete
    /// Parts of it: ascending, neither empty nor touching each other; the stored content is these parts end to end.
    /// The complete length is `nil` where no response has told it.
    case partial([Range<Int64>], completeLength: Int64?)

    /// What one part amounts to.
    ///
    /// - Returns: ``complete`` where the part is everything; `nil` for an empty part.
    public init?(_ part: Range<Int64>, completeLength: Int64?) {
        guard !part.isEmpty else { return nil }
        self =
            part.lowerBound == 0 && part.upperBound == completeLength
            ? .complete : .partial([part], completeLength: completeLength)
    }

    /// The length of the whole representation, where it is known.
    ///
    /// - Parameter storedLength: How many bytes are stored.
    public func completeLength(storedLength: Int64) -> Int64? {
        switch self {
        case .complete: storedLength
        case .partial(_, let length): length
        }
    }

    /// Where in the stored content a part of the representation lies; `nil` unless all of it is stored: "a cache MUST
    /// NOT use an incomplete response to answer requests unless the response has been made complete, or the request is
    /// partial and specifies a range wholly within the incomplete response" (§3.3).
    public func location(of part: Range<Int64>) -> Range<Int64>? {
        guard case .partial(let parts, _) = self else { return part }
        var offset: Int64 = 0
        for stored in parts {
            if stored.lowerBound <= part.lowerBound, part.upperBound <= stored.upperBound {
                let start = offset + part.lowerBound - stored.lowerBound
                return start..<start + Int64(part.count)
            }
            offset += Int64(stored.count)
        }
        return nil
    }

    /// Where the transfer of the whole can go on, when what is stored is its beginning; `nil` otherwise.
    public var resumption: Int64? {
        guard case .partial(let parts, _) = self, parts.count == 1, let first = parts.first, first.lowerBound == 0
        else {
            return nil
        }
        return first.upperBound
    }
}
