import CacheTesting
import HTTPCacheSemantics
import ResponseStore

/// Replaces the response under a key right after its first look-up: what another exchange may do at that moment.
actor ReplacingStore: ResponseStorage {
    private let base: any ResponseStorage
    private var hasReplaced = false

    init(_ base: any ResponseStorage) {
        self.base = base
    }

    func entries(for key: CacheKey) async throws -> [StoredEntry] {
        let found = try await base.entries(for: key)
        if !hasReplaced, let entry = found.first {
            hasReplaced = true
            let body = try base.makePendingBody()
            try body.append([UInt8](repeating: 0x32, count: 100_000))
            _ = try await base.commit(body, key: key, response: entry.response)
        }
        return found
    }

    func open(_ entry: StoredEntry) async throws -> StoredContent { try await base.open(entry) }
    nonisolated func makePendingBody() throws -> any PendingBody { try base.makePendingBody() }
    func commit(_ body: any PendingBody, key: CacheKey, response: StoredResponse) async throws -> StoredEntry {
        try await base.commit(body, key: key, response: response)
    }
    func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry? {
        try await base.commit(contentOf: entry, response: response)
    }
    func searchVariants(of key: CacheKey) async throws -> [StoredEntry] { try await base.searchVariants(of: key) }
    func removeEntries(origin: String, partition: String) async throws -> Int {
        try await base.removeEntries(origin: origin, partition: partition)
    }
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        try await base.update(id, key: key, response: response)
    }
    func removeEntries(for key: CacheKey) async throws -> Int { try await base.removeEntries(for: key) }
    func usage() async throws -> StoreUsage { try await base.usage() }
}
