import GRDB
import HTTPCacheSemantics

/// Pinned entries stay when space is needed.
extension DiskResponseStore {
    /// Protects the entries of a key from eviction. They can still be replaced and removed.
    ///
    /// Pins are counted: ``unpin(_:)`` removes one.
    package func pin(_ key: CacheKey) async throws {
        try await writing("A stored response could not be pinned") { try $0.pin(key, by: 1) }
    }

    /// Removes one pin. Those of holders stay.
    package func unpin(_ key: CacheKey) async throws {
        try await writing("A stored response could not be unpinned") { try $0.pin(key, by: -1) }
    }

    package func pin(_ keys: [CacheKey], for holder: String) async throws {
        guard !keys.isEmpty else { return }
        try await writing("Stored responses could not be pinned") { context in
            for key in keys { try context.pin(key, for: holder) }
        }
    }

    package func unpin(_ keys: [CacheKey], for holder: String) async throws {
        guard !keys.isEmpty else { return }
        try await writing("Stored responses could not be unpinned") { context in
            for key in keys { try context.unpin(key, for: holder) }
        }
    }

    package func pins(of holder: String) async throws -> Set<CacheKey> {
        try await reading { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT partition, uri FROM pin WHERE holder = ?", arguments: [holder.indexed])
            return Set(
                rows.compactMap { row in
                    guard let partition = String.fromDatabaseValue(row[0]), let uri = String.fromDatabaseValue(row[1])
                    else { return nil }
                    return StoredPartition.key(partition, uri: uri)
                })
        }
    }

    /// The names of all that keep a key.
    package func pinHolders() async throws -> [String] {
        try await reading { try String.fetchAll($0, sql: "SELECT DISTINCT holder FROM pin ORDER BY holder") }
    }

    package func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome {
        try await writing("Responses could not be put in their places") { try $0.move(moves) }
    }

    package func discard(_ entries: [StoredEntry], replacedBy new: StoredEntry?) async throws {
        guard !entries.isEmpty else { return }
        try await writing("Stored responses could not be removed") { context in
            for entry in entries {
                let pins = try context.delete(where: "id = ?", [entry.id.rawValue]).pins
                guard let new, pins > 0 else { continue }
                try context.database.execute(
                    sql: "UPDATE score SET pins = max(pins, ?) WHERE entry = ?", arguments: [pins, new.id.rawValue])
            }
        }
    }
}
