import HTTPTypes

/// One range of a `Range` field in bytes, RFC 9110 §14.1.2.
package enum ByteRange: Hashable, Sendable, CustomStringConvertible {
    /// From an offset to an inclusive last position, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes, by their number.
    case suffix(Int64)

    /// Reads a `Range` field that asks for one range.
    ///
    /// - Returns: `nil` if the field is absent, its unit is not `bytes`, its grammar is invalid, or it asks for several
    ///   ranges: a server may ignore all of those (§14.2) and answer with the whole representation.
    package static func single(_ fields: HTTPFields) -> ByteRange? {
        guard let ranges = list(fields), ranges.count == 1 else { return nil }
        return ranges.first
    }

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
