import HTTPCacheSemantics

/// Where stored responses are kept: on disk with a memory tier, or in memory alone.
///
/// Every change is atomic: a reader finds the old entry or the new one, whole.
public protocol ResponseStorage: Sendable {
    /// The responses stored under a key, one per variant, most recently stored or validated first.
    func entries(for key: CacheKey) async throws -> [StoredEntry]

    /// The same without waiting: what is known in memory.
    ///
    /// - Returns: `nil` when only ``entries(for:)`` can tell.
    func cachedEntries(for key: CacheKey) -> [StoredEntry]?

    /// The content of an entry.
    ///
    /// - Throws: ``StoreError/Code/corruptEntry`` when it is missing or has another length; the entry is then gone.
    func open(_ entry: StoredEntry) async throws -> StoredContent

    /// A place to receive a body of a length that need not be known.
    func makePendingBody() throws -> any PendingBody

    /// Makes a received response visible and replaces the one with the same key and nominated fields.
    func commit(_ body: any PendingBody, key: CacheKey, response: StoredResponse) async throws -> StoredEntry

    /// Makes a response visible that has the content of an entry which is stored already, as one more variant
    /// (RFC 9111 §4.3.4); it replaces the one with the same key and nominated fields.
    ///
    /// - Returns: `nil` when that content is gone; then nothing was stored.
    func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry?

    /// The stored responses that have a `No-Vary-Search` field and differ from the key at most in their query.
    func searchVariants(of key: CacheKey) async throws -> [StoredEntry]

    /// Replaces the fields and times of an entry after validation. Does nothing when the entry is gone.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws

    /// Removes every response stored under a key (RFC 9111 §4.4). Returns how many there were.
    @discardableResult
    func removeEntries(for key: CacheKey) async throws -> Int

    /// Removes every response of a partition whose URI has this origin (RFC 9110 §4.3.1), written as in keys, such as
    /// `https://shop.test`. Returns how many there were.
    @discardableResult
    func removeEntries(origin: String, partition: String) async throws -> Int

    /// Summaries of what a selection names, in the order of their ``StoredEntry/ID``.
    ///
    /// - Parameters:
    ///   - last: Where the portion before this one ended; `nil` for the first.
    ///   - limit: The most that is returned; fewer mean that there are no more.
    func summaries(
        of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int
    ) async throws -> [EntrySummary]

    /// Removes what a selection names, pinned or not. When this returns, nothing of it is found again; what is stored
    /// meanwhile may stay.
    @discardableResult
    func remove(_ selection: EntrySelection) async throws -> RemovedContent

    /// A check point: lets what has expired by a rule (`StoredResponse.expires`) be the first to go when space is needed,
    /// and writes down what was asked for, where that is kept.
    ///
    /// - Returns: How many entries that is true of now and was not before.
    @discardableResult
    func tidyUp(at now: WallInstant) async throws -> Int

    /// Notes what content a URI stands for that says so itself, such as a name with a content hash; what was noted first
    /// stays, also when the response is evicted, until it is removed by its key or since a date.
    ///
    /// - Parameter variant: Tells apart what the same URI may stand for at once, such as the content codings.
    /// - Returns: What was noted before; `nil` when nothing was.
    func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest?

    /// Commits a body as ``commit(_:key:response:)`` does and notes its content as ``noteContent(_:under:variant:)`` does,
    /// in one change where the store can.
    ///
    /// - Returns: The entry, and what was noted before; `nil` when nothing was.
    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, noting variant: String
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)

    /// Notes for good that a host's names do not stand for their content.
    func distrust(_ host: String) async throws

    /// The hosts of which that is known. Never waits.
    var distrustedHosts: Set<String> { get }

    /// How much is stored.
    func usage() async throws -> StoreUsage
}

extension ResponseStorage {
    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, noting variant: String
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?) {
        let entry = try await commit(body, key: key, response: response)
        // What is stored is stored; the next one with this name is noted.
        return (entry, try? await noteContent(entry.bodyDigest, under: key, variant: variant))
    }

    public func cachedEntries(for key: CacheKey) -> [StoredEntry]? { nil }
}
