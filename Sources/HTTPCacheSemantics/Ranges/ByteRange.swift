import HTTPTypes

/// One range of a `Range` field in bytes, RFC 9110 §14.1.2.
public enum ByteRange: Hashable, Sendable {
    /// From an offset to an inclusive last position, or to the end.
    case from(Int64, through: Int64?)
    /// The last so many bytes.
    case suffix(Int64)

    /// Reads a `Range` field.
    ///
    /// - Returns: `nil` when there is no such field, its unit is not `bytes`, its grammar is broken, or it asks for
    ///   several ranges: a server may ignore all of those (§14.2) and answer with the whole.
    public static func single(_ fields: HTTPFields) -> ByteRange? {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first else { return nil }
        var scanner = ByteScanner(ListField.trimmed(line))
        guard scanner.token()?.lowercased() == "bytes", scanner.take("=") else { return nil }
        scanner.skipWhitespace()
        let first = scanner.digits()
        guard scanner.take("-") else { return nil }
        let last = scanner.digits()
        guard scanner.isAtEnd else { return nil }
        guard let first else { return last.map { .suffix($0) } }
        if let last, last < first { return nil }
        return .from(first, through: last)
    }

    /// The half-open part of a representation that this range selects; `nil` when it is not satisfiable (§14.1.2).
    public func resolve(length: Int64) -> Range<Int64>? {
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
