import Foundation
import GRDB
import HTTPCacheSemantics
import HTTPTypes

/// One row of `entry` joined with its `body`, and back.
enum EntryRow {
    static let select = """
        SELECT entry.id, partition, uri, nominated, status, fields, request_time, response_time, entry.digest, length,
          content FROM entry JOIN body ON body.digest = entry.digest
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

    /// - Returns: `nil` when the row can't be understood; the caller drops it.
    static func read(_ row: Row) -> StoredEntry? {
        guard let nominatedPairs = FieldBlock.read(Array(row[3] as Data)),
            let fields = FieldBlock.readFields(Array(row[5] as Data)),
            let digest = BodyDigest(row[8] as Data), (100...999).contains(row[4] as Int)
        else { return nil }
        var nominated: [String: String?] = [:]
        for pair in nominatedPairs {
            nominated[pair.name] = .some(pair.value.hasPrefix("1") ? String(pair.value.dropFirst()) : nil)
        }
        let response = StoredResponse(
            nominatedFields: NominatedFields(values: nominated), status: .init(code: row[4]), fields: fields,
            requestTime: WallInstant(sinceEpoch: .milliseconds(row[6] as Int64)),
            responseTime: WallInstant(sinceEpoch: .milliseconds(row[7] as Int64)))
        return StoredEntry(
            id: .init(rawValue: row[0]), key: CacheKey(partition: row[1], uri: row[2]), response: response,
            bodyDigest: digest, bodyLength: ByteCount(row[9] as Int64),
            inlineBody: (row[10] as Data?).map { Array($0) })
    }
}
