import HTTPTypes

/// One range of a `Range` field in bytes, RFC 9110 §14.1.2.
package enum ByteRange: Hashable, Sendable, CustomStringConvertible {
    /// From an offset to an inclusive last position, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes, by their number.
    case suffix(Int64)

    /// Reads a `Range` field with all its ranges, in order.
    ///
    /// ``RangeSelection`` limits their number and judges overlaps.
    ///
    /// - Returns: At least one range; `nil` if the field is absent, its unit is not `bytes`, or one range is invalid,
    ///   which makes the whole field invalid (§14.1.1): a server may ignore those (§14.2).
    package static func list(_ fields: HTTPFields) -> [ByteRange]? {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first else { return nil }
        var scanner = ByteScanner(ListField.trimmed(line))
        guard scanner.token()?.lowercased() == "bytes", scanner.take("=") else { return nil }
        var ranges: [ByteRange] = []
        repeat {
            scanner.skipWhitespace()
            // Empty members are ignored (§5.6.1.2).
            guard let next = scanner.peek, next != 0x2C else { continue }
            guard let range = ByteRange(&scanner) else { return nil }
            ranges.append(range)
            scanner.skipWhitespace()
        } while scanner.take(",")
        return scanner.isAtEnd && !ranges.isEmpty ? ranges : nil
    }

    /// An int-range or a suffix-range, §14.1.1.
    private init?(_ scanner: inout ByteScanner) {
        let first = scanner.digits()
        guard scanner.take("-") else { return nil }
        let last = scanner.digits()
        if let first {
            if let last, last < first { return nil }
            self = .from(first, through: last)
        } else {
            guard let last else { return nil }
            self = .suffix(last)
        }
    }

    /// The range as a member of a `Range` field, such as `0-499`, `9500-` or `-500`.
    package var description: String {
        switch self {
        case .from(let first, let last): "\(first)-" + (last.map { "\($0)" } ?? "")
        case .suffix(let count): "-\(count)"
        }
    }

    /// The half-open part of a representation that this range selects; `nil` when it is not satisfiable (§14.1.2).
    package func resolve(length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first >= 0, first < length else { return nil }
            let final = min(last ?? .max, length - 1)
            return final < first ? nil : first..<final + 1
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }
}

/// A satisfied `Content-Range`, RFC 9110 §14.4.
package struct ContentRange: Hashable, Sendable, CustomStringConvertible {
    /// The half-open range of the content.
    package var range: Range<Int64>
    /// The complete length; `nil` for `*`.
    package var completeLength: Int64?

    package init(range: Range<Int64>, completeLength: Int64?) {
        self.range = range
        self.completeLength = completeLength
    }

    /// - Returns: `nil` for another unit, an unsatisfied range (`bytes */47`) or invalid grammar.
    package init?(_ value: String) {
        var scanner = ByteScanner(ListField.trimmed(value))
        guard scanner.token()?.lowercased() == "bytes", scanner.take(" ") else { return nil }
        guard let first = scanner.digits(), scanner.take("-"), let last = scanner.digits(), scanner.take("/"),
            last >= first, last < Int64.max
        else { return nil }
        range = first..<last + 1
        if scanner.take("*") {
            completeLength = nil
        } else {
            guard let length = scanner.digits(), last < length else { return nil }
            completeLength = length
        }
        guard scanner.isAtEnd else { return nil }
    }

    /// The range of a 206 that continues a response: "if both responses share the same strong validator" (RFC 9110
    /// §15.3.7.3), from the place where that broke off to its end.
    ///
    /// - Parameters:
    ///   - start: The place in the representation.
    ///   - fields: Of the response that broke off.
    ///   - completeLength: Of the representation, if that response stated it.
    ///   - end: Where a part ends that is continued; `nil` for the end of the representation.
    /// - Returns: `nil` when the answer is something else.
    package init?(
        ofRestIn head: HTTPResponse, bodyLength: Int64?, from start: Int64, of fields: HTTPFields,
        completeLength known: Int64?, end: Int64? = nil
    ) {
        guard head.status == .partialContent,
            let rest = head.headerFields[.contentRange].flatMap({ ContentRange($0) }),
            rest.range.lowerBound == start,
            bodyLength.map({ $0 == rest.range.upperBound - start }) ?? true,
            Combination.isAllowed(
                fields, with: head.headerFields, mayOmitCoding: known != nil && known == rest.completeLength),
            known == nil || rest.completeLength == nil || known == rest.completeLength,
            // One whose length nobody states may be a part of the rest (§14.4, §15.3.7).
            rest.range.upperBound == end ?? rest.completeLength ?? known
        else { return nil }
        self = rest
    }

    package var description: String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(completeLength.map(String.init) ?? "*")"
    }
}

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
