import CacheTesting
import HTTPCacheSemantics
import ResponseStore

/// Replaces the response under a key right after its first look-up, as another exchange may do at that moment.
actor ReplacingStore: ForwardingStorage {
    let base: any ResponseStorage
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
}
