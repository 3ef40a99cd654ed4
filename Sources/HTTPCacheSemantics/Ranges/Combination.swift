import HTTPTypes

/// Stored parts joined with a received part, RFC 9111 §3.4.
package struct Combination: Sendable {
    /// One run of bytes of the combined content.
    package enum Piece: Hashable, Sendable {
        /// A region of the stored content.
        case stored(Range<Int64>)
        /// A region of the received content.
        case received(Range<Int64>)
    }

    /// The most separate parts in one content. Beyond this number they are sorted, which joins adjacent parts; if more
    /// than half of the number remain, nothing more is added.
    package static let greatestCount = 1_024

    /// The extent of the combined content.
    package var extent: ContentExtent
    /// Where its bytes come from, in the order of ``extent``.
    package var pieces: [Piece]
    /// The ranges of the received content to append to the stored content, which stays as it is; `nil` if the content
    /// must be reordered, see ``pieces``.
    package var added: [Range<Int64>]?
    /// The overlaps: pairs of a region of the stored content and a region of the received content that should have
    /// equal bytes. Under one strong validator they do; the combined content takes the stored bytes.
    package var shared: [(stored: Range<Int64>, received: Range<Int64>)] = []

    /// Joins the stored content with one part of the same representation. The caller has compared the validators: "A
    /// cache MAY combine … if both responses share the same strong validator" (RFC 9110 §15.3.7.3).
    ///
    /// - Parameters:
    ///   - stored: The stored extent.
    ///   - part: The received part, not empty.
    ///   - completeLength: The complete length from the part's response.
    /// - Returns: `nil` if the two lengths contradict each other, or the whole part is stored already.
    package init?(_ stored: ContentExtent, with part: Range<Int64>, completeLength: Int64?) {
        guard !part.isEmpty, part.lowerBound >= 0, case .partial(let parts, let knownLength) = stored else {
            return nil
        }
        if let knownLength, let completeLength, knownLength != completeLength { return nil }
        let length = completeLength ?? knownLength
        let places = stored.placesInOrder
        guard part.upperBound <= length ?? .max, places.last?.part.upperBound ?? 0 <= length ?? .max else { return nil }
        let missing = Self.missing(part, beside: places)
        shared = places.compactMap { place, offset in
            let both = place.clamped(to: part)
            guard !both.isEmpty else { return nil }
            let (start, other) = (offset + (both.lowerBound - place.lowerBound), both.lowerBound - part.lowerBound)
            return (stored: start..<start + both.length, received: other..<other + both.length)
        }
        let received = missing.map { $0.lowerBound - part.lowerBound..<$0.upperBound - part.lowerBound }
        let appended = ContentExtent.joined(parts + missing)
        let union = ContentExtent.joined(appended.sorted { $0.lowerBound < $1.lowerBound })
        let isComplete = length.map { union == [0..<$0] } ?? false
        let size = parts.reduce(0) { $0 + $1.length }
        if isComplete ? appended.count == 1 : appended.count <= Self.greatestCount {
            extent = isComplete ? .complete : .partial(appended, completeLength: length)
            pieces = [.stored(0..<size)] + received.map { .received($0) }
            added = received
            return
        }
        let runs =
            places.map { ($0.part, Piece.stored($0.offset..<$0.offset + $0.part.length)) }
            + zip(missing, received).map { ($0, Piece.received($1)) }
        pieces = runs.sorted { $0.0.lowerBound < $1.0.lowerBound }.map(\.1)
        guard isComplete || union.count <= Self.greatestCount / 2 else {
            // Too many parts: the stored content stays as it is.
            (extent, pieces, added) = (.partial(parts, completeLength: length), [.stored(0..<size)], [])
            return
        }
        extent = isComplete ? .complete : .partial(union, completeLength: length)
    }

    /// The ranges of a part that are not stored.
    private static func missing(
        _ part: Range<Int64>, beside places: [(part: Range<Int64>, offset: Int64)]
    ) -> [Range<Int64>] {
        var missing: [Range<Int64>] = []
        var position = part.lowerBound
        for (place, _) in places where place.upperBound > position && place.lowerBound < part.upperBound {
            if place.lowerBound > position { missing.append(position..<place.lowerBound) }
            position = min(place.upperBound, part.upperBound)
        }
        if position < part.upperBound { missing.append(position..<part.upperBound) }
        return missing
    }

    /// Whether two responses are parts of one representation: "if both responses share the same strong validator"
    /// (RFC 9110 §15.3.7.3). Modification dates do not count as strong, which is always allowed. Some servers give
    /// both codings of a file one strong tag, so the coding must be the same as well (§8.8.3.3).
    ///
    /// - Parameter mayOmitCoding: Whether the received response is an answer to `If-Range`, which may leave the coding
    ///   out (§15.3.7), and both state the same complete length, so that it is no part of another coding.
    package static func isAllowed(
        _ stored: HTTPFields, with received: HTTPFields, mayOmitCoding: Bool = false
    ) -> Bool {
        let coding = received[.contentEncoding]
        guard coding == stored[.contentEncoding] || coding == nil && mayOmitCoding,
            let one = stored[.eTag].flatMap({ EntityTag($0) }), let other = received[.eTag].flatMap({ EntityTag($0) })
        else { return false }
        return one.stronglyMatches(other)
    }
}

extension Range<Int64> {
    /// Not by way of `Int`, which has fewer bits on some platforms.
    fileprivate var length: Int64 { upperBound - lowerBound }
}
