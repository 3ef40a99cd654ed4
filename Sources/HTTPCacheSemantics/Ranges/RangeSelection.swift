/// The parts of a representation of known length that a request's ranges select, RFC 9110 §14.2 and §15.3.7.
package enum RangeSelection: Hashable, Sendable {
    /// The field is ignored, and the answer is the whole representation.
    case whole
    /// No range overlaps the representation: 416 (§15.5.17).
    case notSatisfiable
    /// One part, for a response of a single part (§15.3.7.1).
    case single(Range<Int64>)
    /// Two or more parts that neither overlap nor touch, in the order of the request, for `multipart/byteranges`
    /// (§15.3.7.2).
    case several([Range<Int64>])

    /// The most ranges of one field. A larger set is ignored: §17.15 advises to ignore, coalesce or reject
    /// "egregious range requests, such as requests for more than two overlapping ranges or for many small ranges".
    package static let greatestCount = 32

    /// - Parameters:
    ///   - ranges: The ranges of the field in its order, as ``ByteRange/list(_:)`` reads them.
    ///   - length: The number of bytes in the representation.
    package init(_ ranges: [ByteRange], length: Int64) {
        guard !ranges.isEmpty, ranges.count <= Self.greatestCount else {
            self = .whole
            return
        }
        // §14.1.2: a suffix-range with a length other than zero is satisfiable for every representation, but no
        // Content-Range can describe a part of an empty one.
        if length == 0, ranges.contains(where: \.isNonEmptySuffix) {
            self = .whole
            return
        }
        let parts = ranges.compactMap { $0.resolve(length: length) }
        guard !parts.isEmpty else {
            self = .notSatisfiable
            return
        }
        // §14.2 lets "a ranges-specifier with more than two overlapping ranges" be ignored.
        guard Self.overlapping(parts) <= 2 else {
            self = .whole
            return
        }
        let coalesced = Self.coalesced(parts)
        self = coalesced.count == 1 ? .single(coalesced[0]) : .several(coalesced)
    }

    /// How many of the parts share a byte with another one.
    private static func overlapping(_ parts: [Range<Int64>]) -> Int {
        parts.indices.count { index in
            parts.indices.contains { $0 != index && parts[$0].overlaps(parts[index]) }
        }
    }

    /// §15.3.7.2: parts that overlap or touch become one, at the place of the first of them, and the others keep "the
    /// same order that the corresponding range-spec appeared in".
    private static func coalesced(_ parts: [Range<Int64>]) -> [Range<Int64>] {
        var result: [(part: Range<Int64>, position: Int)] = []
        for (position, part) in parts.enumerated().sorted(by: { $0.element.lowerBound < $1.element.lowerBound }) {
            if let last = result.last, part.lowerBound <= last.part.upperBound {
                let upper = max(last.part.upperBound, part.upperBound)
                result[result.count - 1] = (last.part.lowerBound..<upper, min(last.position, position))
            } else {
                result.append((part, position))
            }
        }
        return result.sorted { $0.position < $1.position }.map(\.part)
    }
}

extension ByteRange {
    fileprivate var isNonEmptySuffix: Bool {
        if case .suffix(let count) = self { count > 0 } else { false }
    }
}
