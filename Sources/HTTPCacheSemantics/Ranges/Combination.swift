import HTTPTypes

/// Stored parts joined with a part that arrived, RFC 9111 §3.4.
public struct Combination: Hashable, Sendable {
    /// One run of bytes of the combined content.
    public enum Piece: Hashable, Sendable {
        /// A region of the content that was stored before.
        case stored(Range<Int64>)
        /// A region of the content that arrived.
        case received(Range<Int64>)
    }

    /// What the combined content holds.
    public var extent: ContentExtent
    /// Where its bytes come from, in order. Where both have them, those that arrived count.
    public var pieces: [Piece]

    /// Joins what is stored with one part of the same representation. The caller has compared the validators: "A cache
    /// MAY combine … if both responses share the same strong validator" (RFC 9110 §15.3.7.3).
    ///
    /// - Parameters:
    ///   - stored: What is stored.
    ///   - part: The part that arrived, not empty.
    ///   - completeLength: The complete length that came with it.
    /// - Returns: `nil` when the two contradict each other in length, or everything is stored already.
    public init?(_ stored: ContentExtent, with part: Range<Int64>, completeLength: Int64?) {
        guard !part.isEmpty, case .partial(let parts, let knownLength) = stored else { return nil }
        if let knownLength, let completeLength, knownLength != completeLength { return nil }
        let length = completeLength ?? knownLength
        guard part.upperBound <= length ?? .max, parts.last?.upperBound ?? 0 <= length ?? .max else { return nil }
        var runs: [(range: Range<Int64>, piece: Piece)] = []
        var offset: Int64 = 0
        for stored in parts {
            for rest in [
                stored.lowerBound..<max(stored.lowerBound, min(stored.upperBound, part.lowerBound)),
                min(max(stored.lowerBound, part.upperBound), stored.upperBound)..<stored.upperBound,
            ] where !rest.isEmpty {
                let start = offset + rest.lowerBound - stored.lowerBound
                runs.append((rest, .stored(start..<start + Int64(rest.count))))
            }
            offset += Int64(stored.count)
        }
        runs.append((part, .received(0..<Int64(part.count))))
        runs.sort { $0.range.lowerBound < $1.range.lowerBound }
        pieces = runs.map(\.piece)
        var joined: [Range<Int64>] = []
        for run in runs {
            if let last = joined.last, last.upperBound == run.range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<run.range.upperBound
            } else {
                joined.append(run.range)
            }
        }
        let isComplete = joined.count == 1 && joined[0].lowerBound == 0 && joined[0].upperBound == length
        extent = isComplete ? .complete : .partial(joined, completeLength: length)
    }

    /// Whether two responses are parts of one representation: "if both responses share the same strong validator"
    /// (RFC 9110 §15.3.7.3). Modification dates are not taken for strong, which is always allowed.
    public static func isAllowed(_ stored: HTTPFields, with received: HTTPFields) -> Bool {
        guard let one = stored[.eTag].flatMap({ EntityTag($0) }), let other = received[.eTag].flatMap({ EntityTag($0) })
        else { return false }
        return one.stronglyMatches(other)
    }
}
