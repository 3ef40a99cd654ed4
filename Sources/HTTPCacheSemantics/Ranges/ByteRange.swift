import HTTPTypes

/// One range of a `Range` field in bytes, RFC 9110 §14.1.2.
package enum ByteRange: Hashable, Sendable, CustomStringConvertible {
    /// From an offset to an inclusive last position, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes, by their number.
    case suffix(Int64)

    /// Reads a `Range` field with one range.
    ///
    /// - Returns: `nil` if the field is absent, its unit is not `bytes`, or its range is invalid (§14.1.1); also if it
    ///   has several ranges, which no web view asks for: "A server MAY ignore the Range header field" (§14.2).
    package init?(_ fields: HTTPFields) {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first else { return nil }
        var scanner = ByteScanner(ListField.trimmed(line))
        guard scanner.token()?.lowercased() == "bytes", scanner.take("=") else { return nil }
        scanner.skipWhitespace()
        let first = scanner.digits()
        guard scanner.take("-") else { return nil }
        let last = scanner.digits()
        guard scanner.isAtEnd else { return nil }
        if let first {
            if let last, last < first { return nil }
            self = .from(first, through: last)
        } else {
            guard let last else { return nil }
            self = .suffix(last)
        }
    }

    /// The range in a `Range` field, such as `0-499`, `9500-` or `-500`.
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
