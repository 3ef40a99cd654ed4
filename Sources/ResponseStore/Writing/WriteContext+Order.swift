import Foundation
import GRDB
import HTTPCacheSemantics

/// The order of responses, and the limits on variants.
extension WriteContext {
    /// The most variants of one key.
    static var variantLimit: Int { 32 }
    /// The most responses with `No-Vary-Search` that differ only in their queries.
    static var searchLimit: Int { 128 }

    /// The response in the form to store, by the changes to the key since the request left.
    ///
    /// - Returns: `nil` if the key was invalidated (RFC 9111 §4.4), or a newer response is stored already.
    func ordered(
        _ response: StoredResponse, _ digest: BodyDigest, _ key: CacheKey, since mark: StoreMark?
    ) throws -> StoredResponse? {
        guard let mark else {
            log.note(.invalidated, key)
            return response
        }
        let decision = try ArrivalDecision(response, digest, after: log.history(of: key, since: mark)) {
            try stored(key, response.nominatedFields)
        }
        switch decision {
        case .store(let response): return response
        case .discard: return nil
        case .refuse(let doubted):
            log.note(.refused, key)
            if let doubted { try update(doubted.id, key: key, response: doubted.response) }
            return nil
        }
    }

    /// A validated response in the form to keep, by the changes to the key since the request left.
    ///
    /// - Returns: `nil` if the key was invalidated (RFC 9111 §4.4).
    func validated(
        _ response: StoredResponse, _ id: StoredEntry.ID, _ key: CacheKey, since mark: StoreMark?
    ) throws -> StoredResponse? {
        guard let mark else { return response }
        return try ArrivalDecision.validated(response, after: log.history(of: key, since: mark)) {
            try stored("entry.id = ?", [id.rawValue])?.response.needsValidation ?? false
        }
    }

    /// The response stored under a key for these nominated fields, as this transaction sees it.
    private func stored(_ key: CacheKey, _ nominated: NominatedFields) throws -> ArrivalDecision.Stored? {
        try stored(
            "partition = ? AND uri = ? AND nominated = ?",
            [key.storedPartition.indexed, key.uri.indexed, Data(EntryRow.nominatedBlock(nominated))])
    }

    private func stored(_ condition: String, _ arguments: StatementArguments) throws -> ArrivalDecision.Stored? {
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT \(EntryRow.columns) \(EntryRow.source) WHERE \(condition)"),
            arguments: arguments)
        guard let entry = row.flatMap({ EntryRow($0) }) else { return nil }
        let id = StoredEntry.ID(rawValue: entry.id)
        if let response = changes.heads[entry.id] { return (id, response, entry.digest) }
        guard let reading = try segments.segment(entry.head.segment)?.read(entry.head, bodyLength: nil) else {
            return nil
        }
        return (id, reading.head.response, entry.digest)
    }

    /// Removes the oldest entries if a key has too many variants, or a path too many queries with `No-Vary-Search`,
    /// because each look-up reads all of them. Pinned entries stay.
    ///
    /// - Returns: How many entries the key has afterwards.
    func limitVariants(of head: EntryHead) throws -> Int {
        let key = head.key
        let count = try limit(
            "partition = ? AND uri = ?", [key.storedPartition.indexed, key.uri.indexed], to: Self.variantLimit,
            sparing: head.id)
        if let base = EntryRow.searchBase(key, head.response) {
            _ = try limit(
                "partition = ? AND search_base = ?", [key.storedPartition.indexed, base.indexed], to: Self.searchLimit,
                sparing: head.id)
        }
        return count
    }

    private func limit(
        _ condition: String, _ arguments: StatementArguments, to limit: Int, sparing new: Int64
    ) throws -> Int {
        let count =
            try Int.fetchOne(
                try database.cachedStatement(sql: "SELECT count(*) FROM entry WHERE \(condition)"),
                arguments: arguments) ?? 0
        guard count > limit else { return count }
        let surplus = try Int64.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT id FROM entry JOIN score ON score.entry = entry.id
                      WHERE \(condition) AND pins = 0 AND id <> ? ORDER BY response_time, id LIMIT ?
                    """), arguments: arguments + [new, count - limit])
        for id in surplus { try delete(where: "id = ?", [id]) }
        return count - surplus.count
    }
}
