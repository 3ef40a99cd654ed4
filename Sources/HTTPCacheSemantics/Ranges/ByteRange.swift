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
        let value = ListField.trimmed(line)
        guard value.lowercased().hasPrefix("bytes=") else { return nil }
        let parts = ListField.trimmed(String(value.dropFirst(6))).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty { return number(parts[1]).map { .suffix($0) } }
        guard let first = number(parts[0]) else { return nil }
        if parts[1].isEmpty { return .from(first, through: nil) }
        guard let last = number(parts[1]), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// The half-open part of a representation that this range selects; `nil` when it is not satisfiable (§14.1.2).
    public func resolve(length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<min(length, (last ?? length - 1) + 1)
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
