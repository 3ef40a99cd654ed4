import CacheTesting
import HTTPCacheSemantics
import ResponseStore

/// A store whose contents can't be opened until the test allows it, like a slow disk at the worst moment.
struct GatedStore: ForwardingStorage {
    let base: any ResponseStorage
    let gate: Gate
    /// Where commits wait before they begin.
    var commits: Gate?
    /// Where commits wait once they are done.
    var committed: Gate?
    /// Where updates wait before they begin.
    var updates: Gate?

    func update(
        _ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws {
        try await updates?.pass()
        try await base.update(id, key: key, response: response, since: mark)
    }

    func open(_ entry: StoredEntry) async throws -> StoredContent {
        try await gate.pass()
        return try await base.open(entry)
    }

    func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await gate.pass()
        try await commits?.pass()
        let entry = try await base.extend(entry, with: body, by: combination, response: response, since: mark)
        try await committed?.pass()
        return entry
    }

    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        try await commits?.pass()
        let stored = try await base.commit(body, key: key, response: response, since: mark, noting: variant)
        try await committed?.pass()
        return stored
    }
}
