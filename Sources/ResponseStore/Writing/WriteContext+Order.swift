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
            try EntryRow.fetch(EntryRow.ofID, [id.rawValue], in: database).entries.first?.response.needsValidation
                ?? false
        }
    }

    /// The response stored under a key for these nominated fields, as this transaction sees it.
    private func stored(_ key: CacheKey, _ nominated: NominatedFields) throws -> ArrivalDecision.Stored? {
        let found = try EntryRow.fetch(
            EntryRow.ofVariant,
            [key.storedPartition.indexed, key.uri.indexed, Data(EntryRow.nominatedBlock(nominated))], in: database)
        return found.entries.first.map { ($0.id, $0.response, $0.bodyDigest) }
    }

    /// Removes the oldest entries if a key has too many variants, or a path too many queries with `No-Vary-Search`,
    /// because each look-up reads all of them. Pinned entries stay.
    ///
    /// - Returns: How many entries the key has afterwards.
    func limitVariants(of id: Int64, _ head: EntryHead) throws -> Int {
        let key = head.key
        let count = try limit(
            "partition = ? AND uri = ?", [key.storedPartition.indexed, key.uri.indexed], to: Self.variantLimit,
            sparing: id)
        if let base = EntryRow.searchBase(key, head.response) {
            _ = try limit(
                "partition = ? AND search_base = ?", [key.storedPartition.indexed, base.indexed], to: Self.searchLimit,
                sparing: id)
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

/// Pins of a key by those that hold it: the app, and sets of preloads.
extension WriteContext {
    /// How many holders keep a key.
    func holders(of key: CacheKey) throws -> Int {
        try Int.fetchOne(
            try database.cachedStatement(sql: "SELECT count(*) FROM pin WHERE partition = ? AND uri = ?"),
            arguments: [key.storedPartition.indexed, key.uri.indexed]) ?? 0
    }

    func pin(_ key: CacheKey, for holder: String) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO pin (partition, uri, holder) VALUES (?, ?, ?)")
            .execute(arguments: [key.storedPartition.indexed, key.uri.indexed, holder.indexed])
        if database.changesCount == 1 { try changePins(key, by: 1) }
    }

    func unpin(_ key: CacheKey, for holder: String) throws {
        try database.cachedStatement(sql: "DELETE FROM pin WHERE partition = ? AND uri = ? AND holder = ?")
            .execute(arguments: [key.storedPartition.indexed, key.uri.indexed, holder.indexed])
        if database.changesCount == 1 { try changePins(key, by: -1) }
    }

    private func changePins(_ key: CacheKey, by change: Int) throws {
        try database.execute(
            sql: """
                UPDATE score SET pins = pins + ?
                  WHERE entry IN (SELECT id FROM entry WHERE partition = ? AND uri = ?)
                """, arguments: [change, key.storedPartition.indexed, key.uri.indexed])
    }

    /// The keys of entries, as stored.
    func storedKeys(of ids: [Int64]) throws -> [Row] {
        let select = try database.cachedStatement(sql: "SELECT partition, uri FROM entry WHERE id = ?")
        return try ids.compactMap { try Row.fetchOne(select, arguments: [$0]) }
    }

    /// Forgets the pins of keys that have no entries any more: on a removal that somebody asked for they go, too.
    func forgetPins(of keys: [Row]) throws {
        let forget = try database.cachedStatement(
            sql: """
                DELETE FROM pin WHERE partition = ?1 AND uri = ?2
                  AND NOT EXISTS (SELECT 1 FROM entry WHERE partition = ?1 AND uri = ?2)
                """)
        for key in keys { try forget.execute(arguments: [key[0] as DatabaseValue, key[1] as DatabaseValue]) }
    }
}
