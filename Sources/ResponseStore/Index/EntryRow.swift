import GRDB
import HTTPCacheSemantics
import HTTPTypes

/// The places of a stored response and its content in the index: one row of `entry` joined with its `body`.
struct EntryRow: Hashable, Sendable {
    static let columns = """
        entry.id, entry.segment, entry.offset, entry.length, body.segment, body.offset, body.length, body.digest
        """
    static let source = "FROM entry JOIN body ON body.id = entry.body"

    var id: Int64
    /// The head's record, from its first byte.
    var head: SegmentRange
    /// `nil` for a body in a file.
    var body: SegmentRange?
    var digest: BodyDigest
    var bodyLength: Int64

    /// Checks every column: SQLite can have a text in an integer column.
    ///
    /// - Returns: `nil` if the row is invalid; the caller drops it.
    init?(_ row: Row) {
        func column<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
            Value.fromDatabaseValue(row[index] as DatabaseValue)
        }
        guard let id: Int64 = column(0), let segment: Int64 = column(1), let offset: Int64 = column(2),
            let length: Int64 = column(3), let head = SegmentRange(exactly: segment, offset, length),
            let bodyLength: Int64 = column(6), bodyLength >= 0, let digestBytes: [UInt8] = Self.bytes(row[7]),
            let digest = BodyDigest(digestBytes)
        else { return nil }
        (self.id, self.head, self.digest, self.bodyLength) = (id, head, digest, bodyLength)
        if !(row[4] as DatabaseValue).isNull {
            guard let segment: Int64 = column(4), let offset: Int64 = column(5),
                let body = SegmentRange(exactly: segment, offset, bodyLength)
            else { return nil }
            self.body = body
        }
    }

    private static func bytes(_ value: DatabaseValue) -> [UInt8]? {
        guard case .blob(let data) = value.storage else { return nil }
        return Array(data)
    }

    /// A moment in milliseconds, clamped to the range of a column: damaged data may contain any moment.
    static func milliseconds(_ instant: WallInstant) -> Int64 {
        let range = Duration.milliseconds(Int64.min)...Duration.milliseconds(Int64.max)
        let (seconds, attoseconds) = min(max(instant.sinceEpoch, range.lowerBound), range.upperBound).components
        let (thousands, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, isTooMany) = thousands.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isTooMuch || isTooMany ? (seconds < 0 ? .min : .max) : sum
    }

    static func nominatedBlock(_ nominated: NominatedFields) -> [UInt8] {
        guard !nominated.values.isEmpty else { return [] }
        // "1" before a value, "0" for a field that the request did not have.
        return FieldBlock.write(
            nominated.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { "1" + $0 } ?? "0") })
    }

    static func nominatedFields(_ bytes: UnsafeRawBufferPointer) -> NominatedFields? {
        guard let pairs = FieldBlock.read(bytes) else { return nil }
        var values: [String: String?] = [:]
        for pair in pairs {
            values[pair.name] = .some(pair.value.hasPrefix("1") ? String(pair.value.dropFirst()) : nil)
        }
        return NominatedFields(values: values)
    }

    /// The URI without its query, for responses that requests with another query may match; `nil` for all others.
    static func searchBase(_ key: CacheKey, _ response: StoredResponse) -> String? {
        response.fields.contains(.noVarySearch) ? key.searchBase : nil
    }
    /// Type and subtype of the content in lower case (RFC 9110 §8.3.1), without parameters.
    static func contentType(_ response: StoredResponse) -> String? {
        guard let field = response.fields[.contentType] else { return nil }
        let essence = field.prefix { $0 != ";" && $0 != "," }.lowercased()
        return essence.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}
