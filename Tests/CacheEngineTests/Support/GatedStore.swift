import CacheTesting
import HTTPCacheSemantics
import ResponseStore

/// A store whose contents can't be opened before the test lets them: what a slow disk does at the worst moment.
struct GatedStore: ResponseStorage {
    let base: any ResponseStorage
    let gate: Gate
    /// Where commits wait as well.
    var commits: Gate?

    func open(_ entry: StoredEntry) async throws -> StoredContent {
        try await gate.pass()
        return try await base.open(entry)
    }

    func entries(for key: CacheKey) async throws -> [StoredEntry] { try await base.entries(for: key) }
    func makePendingBody() throws -> any PendingBody { try base.makePendingBody() }
    func commit(_ body: any PendingBody, key: CacheKey, response: StoredResponse) async throws -> StoredEntry {
        try await commits?.pass()
        return try await base.commit(body, key: key, response: response)
    }
    func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry? {
        try await base.commit(contentOf: entry, response: response)
    }
    func searchVariants(of key: CacheKey) async throws -> [StoredEntry] { try await base.searchVariants(of: key) }
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        try await base.update(id, key: key, response: response)
    }
    func removeEntries(for key: CacheKey) async throws -> Int { try await base.removeEntries(for: key) }
    func removeEntries(origin: String, partition: String) async throws -> Int {
        try await base.removeEntries(origin: origin, partition: partition)
    }
    func usage() async throws -> StoreUsage { try await base.usage() }
}
