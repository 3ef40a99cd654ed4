import HTTPCacheSemantics

/// Where stored responses are kept: on disk with a memory tier, or in memory alone.
///
/// Every change is atomic: a reader finds the old entry or the new one, whole.
public protocol ResponseStorage: Sendable {
    /// The responses stored under a key, one per variant, most recently stored or validated first.
    func entries(for key: CacheKey) async throws -> [StoredEntry]

    /// The content of an entry.
    ///
    /// - Throws: ``StoreError/Code/corruptEntry`` when it is missing or has another length; the entry is then gone.
    func open(_ entry: StoredEntry) async throws -> StoredContent

    /// A place to receive a body of a length that need not be known.
    func makePendingBody() throws -> any PendingBody

    /// Makes a received response visible and replaces the one with the same key and nominated fields.
    func commit(_ body: any PendingBody, key: CacheKey, response: StoredResponse) async throws -> StoredEntry

    /// Replaces the fields and times of an entry after validation. Does nothing when the entry is gone.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws

    /// Removes every response stored under a key (RFC 9111 §4.4). Returns how many there were.
    @discardableResult
    func removeEntries(for key: CacheKey) async throws -> Int

    /// How much is stored.
    func usage() async throws -> StoreUsage
}
