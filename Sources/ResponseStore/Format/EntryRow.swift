import Foundation
import GRDB
import HTTPCacheSemantics
import HTTPTypes

/// One row of `entry` joined with its `body`, and back.
enum EntryRow {
    static let select = """
        SELECT entry.id, partition, uri, nominated, status, fields, request_time, response_time, entry.digest, length,
          content, extent, needs_validation FROM entry JOIN body ON body.digest = entry.digest
        """

    static func milliseconds(_ instant: WallInstant) -> Int64 {
        let (seconds, attoseconds) = instant.sinceEpoch.components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    static func nominatedBlock(_ nominated: NominatedFields) -> [UInt8] {
        // "1" before a value that was there, "0" for a field that the request did not have.
        FieldBlock.write(
            nominated.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { "1" + $0 } ?? "0") })
    }

    /// The URI without its query, for responses that another query may meet; `nil` for all others.
    static func searchBase(_ key: CacheKey, _ response: StoredResponse) -> String? {
        response.fields.contains(.noVarySearch) ? key.searchBase : nil
    }

    /// Trusts no column: SQLite keeps a text in an integer column when it is told to.
    ///
    /// - Returns: `nil` when the row can't be understood; the caller drops it.
    static func read(_ row: Row) -> StoredEntry? {
        func column<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
            Value.fromDatabaseValue(row[index] as DatabaseValue)
        }
        guard let id: Int64 = column(0), let partition: String = column(1), let uri: String = column(2),
            let nominatedBlock: Data = column(3), let status: Int = column(4), (100...999).contains(status),
            let fieldBlock: Data = column(5), let requestTime: Int64 = column(6), let responseTime: Int64 = column(7),
            let digestBytes: Data = column(8), let length: Int64 = column(9),
            let nominatedPairs = FieldBlock.read(Array(nominatedBlock)),
            let fields = FieldBlock.readFields(Array(fieldBlock)), let digest = BodyDigest(digestBytes)
        else { return nil }
        var nominated: [String: String?] = [:]
        for pair in nominatedPairs {
            nominated[pair.name] = .some(pair.value.hasPrefix("1") ? String(pair.value.dropFirst()) : nil)
        }
        var extent = ContentExtent.complete
        if !(row[11] as DatabaseValue).isNull {
            guard let block: Data = column(11), let partial = ExtentBlock.read(Array(block), storedLength: length)
            else { return nil }
            extent = partial
        }
        let response = StoredResponse(
            nominatedFields: NominatedFields(values: nominated), status: .init(code: status), fields: fields,
            requestTime: WallInstant(sinceEpoch: .milliseconds(requestTime)),
            responseTime: WallInstant(sinceEpoch: .milliseconds(responseTime)), extent: extent,
            needsValidation: column(12) ?? true)
        let inline: Data? = column(10)
        return StoredEntry(
            id: .init(rawValue: id), key: CacheKey(partition: partition, uri: uri), response: response,
            bodyDigest: digest, bodyLength: ByteCount(length), inlineBody: inline.map { Array($0) })
    }
}
