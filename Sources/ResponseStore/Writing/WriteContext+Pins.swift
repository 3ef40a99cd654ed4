import GRDB
import HTTPCacheSemantics

/// Pins: those of holders by key, and those of the app, which only the entries count.
extension WriteContext {
    /// How many holders keep a key.
    func holders(of key: CacheKey) throws -> Int {
        try Int.fetchOne(
            try database.cachedStatement(sql: "SELECT count(*) FROM pin WHERE partition = ? AND uri = ?"),
            arguments: [key.storedPartition.indexed, key.uri.indexed]) ?? 0
    }

    /// Adds a pin of the app to the entries of a key, or removes one. Those of holders stay.
    func pin(_ key: CacheKey, by count: Int) throws {
        try changePins(key, by: count, downTo: holders(of: key))
    }

    func pin(_ key: CacheKey, for holder: String) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO pin (partition, uri, holder) VALUES (?, ?, ?)")
            .execute(arguments: [key.storedPartition.indexed, key.uri.indexed, holder.indexed])
        if database.changesCount == 1 { try changePins(key, by: 1, downTo: 0) }
    }

    func unpin(_ key: CacheKey, for holder: String) throws {
        try database.cachedStatement(sql: "DELETE FROM pin WHERE partition = ? AND uri = ? AND holder = ?")
            .execute(arguments: [key.storedPartition.indexed, key.uri.indexed, holder.indexed])
        if database.changesCount == 1 { try changePins(key, by: -1, downTo: 0) }
    }

    private func changePins(_ key: CacheKey, by change: Int, downTo least: Int) throws {
        try database.execute(
            sql: """
                UPDATE score SET pins = max(?, pins + ?)
                  WHERE entry IN (SELECT id FROM entry WHERE partition = ? AND uri = ?)
                """, arguments: [least, change, key.storedPartition.indexed, key.uri.indexed])
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
