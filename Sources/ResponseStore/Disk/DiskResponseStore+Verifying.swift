import GRDB
import HTTPCacheSemantics

extension DiskResponseStore {
    /// Reads everything that is stored and checks it against checksums, digests and the index. Changes nothing.
    ///
    /// - Throws: ``StoreError/Code/readFailed`` if the index can't be read.
    package func verify() async throws -> StoreVerification {
        var result = StoreVerification()
        var last: Int64 = .min
        while true {
            let after = last
            let rows = try await reading { database -> [(id: Int64, entry: StoredEntry?, key: CacheKey?)] in
                var rows: [(id: Int64, entry: StoredEntry?, key: CacheKey?)] = []
                try EntryRow.forEach(EntryRow.portion, [after], in: database) { row in
                    let key = StoredPartition.key(row.text(8), uri: row.text(9))
                    rows.append((row.number(0) ?? .max, EntryRow.entry(row), key))
                }
                return rows
            }
            guard let end = rows.last else { break }
            last = end.id
            for (_, entry, key) in rows {
                result.entries += 1
                if let message = problem(entry, key) {
                    result.problems.append(.init(uri: key?.uri, message: message))
                }
            }
        }
        let (integrity, bodies, counted, kept) = try await reading { database in
            (
                try String.fetchAll(database, sql: "PRAGMA integrity_check(20)"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM body") ?? 0,
                try StoreTotals.countedBytes(in: database),
                try Int64.fetchOne(database, sql: "SELECT bytes FROM totals") ?? 0
            )
        }
        (result.bodies, result.bytes) = (bodies, ByteCount(counted))
        for line in integrity.flatMap({ $0.split(separator: "\n") }) where line != "ok" {
            result.problems.append(.init(message: "The index: \(line)."))
        }
        if counted != kept {
            result.problems.append(.init(message: "\(kept) bytes are counted, and \(counted) are stored."))
        }
        return result
    }

    /// The fault of an entry; `nil` if it is intact.
    private func problem(_ entry: StoredEntry?, _ key: CacheKey?) -> String? {
        guard let entry else { return "Its head or its body in the index is damaged." }
        guard entry.key == key else { return "Its head is another response's." }
        var hasher = SHA256Hasher()
        if let bytes = entry.inlineBody {
            hasher.update(bytes)
        } else {
            do {
                guard let file = try BodyFiles(layout).file(entry, onDamage: {}),
                    try StoredContent.file(file).forEachPiece({ hasher.update($0) })
                else { return "The file of its body is missing, or has another length." }
            } catch {
                return "The file of its body is damaged, or can't be read."
            }
        }
        // A growing body has no digest yet.
        return entry.body?.isGrowing == true || hasher.digest() == entry.bodyDigest
            ? nil : "Its body is not the one that its digest names."
    }
}

/// The result of verifying everything that is stored.
package struct StoreVerification: Sendable {
    /// Stored data that is damaged. It is never served: reading it finds the same damage and drops it.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The URI of the response; `nil` if the problem does not concern a single one.
        package var uri: String?
        /// The fault, in one sentence.
        package var message: String

        package var description: String { uri.map { "\($0): \(message)" } ?? message }
    }

    package var entries = 0
    package var bodies = 0
    /// The bytes of heads and bodies.
    package var bytes = ByteCount.zero
    package var problems: [Problem] = []
}
