import GRDB
import HTTPCacheSemantics

/// Stores in a folder that several processes share, such as an app and its extension in one app group.
extension DiskResponseStore {
    /// Lets go of every lock on the store's files, until ``resume()``.
    ///
    /// iOS ends an app that is suspended while it holds a lock on a file of an app group (0xDEAD10CC, Apple's Technical
    /// Note TN2151), and SQLite holds one for as long as an index in WAL mode is open. So the index is closed. When
    /// this returns, the store has no lock on any file, unless ``resume()`` was called meanwhile.
    ///
    /// The group of changes that is being written is finished first; that takes one transaction, at most 256 changes or
    /// about 8 MiB. Later changes wait for ``resume()``, in their order, and so do reads of the index; none fails. A
    /// read that is under way is abandoned and begins again afterwards. Removing and maintenance, which take several
    /// transactions, go on where they were. Bodies that are open can be read, and bodies that arrive are received.
    ///
    /// The memory tier's entries can't be trusted without the index, which other processes may
    /// change meanwhile; they are dropped.
    ///
    /// - Throws: ``StoreError/Code/writeFailed`` if SQLite does not close the index; then it stays open for reading.
    package func suspend() async throws {
        let (opened, memory) = (opened, memory)
        try await writes.suspend {
            try opened.close()
            memory.withLock { $0.removeAll() }
        }
    }

    /// The same, and waits for it on this thread, for systems that suspend a process once a call returns. Never call it
    /// from a task.
    package func suspendAndWait() throws {
        try writes.suspendAndWait {
            try opened.close()
            memory.withLock { $0.removeAll() }
        }
    }

    /// Goes on where the store was suspended; what was held back is done in the background. The index is opened when it
    /// is needed.
    package func resume() {
        writes.gate.resume()
    }

    /// Whether changes and reads wait for ``resume()``.
    package var isSuspended: Bool { writes.gate.isSuspended }
}

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

    package func move(
        _ entry: StoredEntry, to key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await writing("A response could not be stored") {
            try $0.move(entry, to: key, response: response, since: mark)
        }
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
