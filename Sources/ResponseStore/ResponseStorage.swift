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

    /// This moment, for ``commit(_:key:response:since:)``: to be taken before the request for a response leaves.
    /// Never waits.
    ///
    /// - Returns: `nil` where it can't be told; then a response is stored whatever happens meanwhile.
    func mark() -> StoreMark?

    /// Whether a key was invalidated since a mark, as far as is known. Never waits.
    func isInvalidated(_ key: CacheKey, since mark: StoreMark) -> Bool

    /// Makes a received response visible and replaces the one with the same key and nominated fields.
    ///
    /// A key keeps at most 32 variants, and a path at most 128 responses that differ in their queries alone and have
    /// `No-Vary-Search`: those that were stored or validated first go, unless they are pinned.
    ///
    /// - Parameter mark: When the request left; `nil` stores the response whatever happened since, and keeps out those
    ///   that were asked for before.
    /// - Returns: `nil` where nothing was stored: the key was invalidated since the mark (RFC 9111 §4.4), by whichever
    ///   process, or a newer response is stored. Where another one was stored since and nobody can tell which is newer,
    ///   the response is stored with ``StoredResponse/needsValidation``.
    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry?

    /// Makes a response visible that has the content of an entry which is stored already, as one more variant
    /// (RFC 9111 §4.3.4); it replaces the one with the same key and nominated fields.
    ///
    /// - Returns: `nil` when that content is gone; then nothing was stored.
    func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry?

    /// Adds a part that arrived to the content of an entry (RFC 9111 §3.4), which a response with the extent of the
    /// combination takes the place of, under a new identity. Where nothing has to be put into another order, that costs
    /// what the part is long.
    ///
    /// - Parameters:
    ///   - entry: What is stored.
    ///   - body: The content of the part; nothing can be added to it any more.
    ///   - combination: Of the entry's extent with the part.
    ///   - response: What is found from then on.
    ///   - mark: When the request for the part left, as in ``commit(_:key:response:since:)``.
    /// - Returns: `nil` when the entry is not what it was any more; then nothing was stored.
    /// - Throws: ``StoreError/Code/corruptEntry`` when the stored content is missing or damaged; the entry is then gone.
    func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry?

    /// The stored responses that have a `No-Vary-Search` field and differ from the key at most in their query.
    func searchVariants(of key: CacheKey) async throws -> [StoredEntry]

    /// Replaces the fields and times of an entry after validation. Does nothing when the entry is gone.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws

    /// Removes every response stored under a key (RFC 9111 §4.4), and keeps out those that were asked for before.
    /// Returns how many there were.
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
    func performMaintenance(at now: WallInstant) async throws -> Int

    /// Notes what content a URI stands for that says so itself, such as a name with a content hash, in place of what was
    /// noted before; it stays when the response is evicted, until it is removed by its key or since a date.
    ///
    /// - Parameter variant: Tells apart what the same URI may stand for at once, such as the content codings.
    /// - Returns: What was noted before; `nil` when nothing was.
    func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest?

    /// Commits a body as ``commit(_:key:response:since:)`` does and notes its content as ``noteContent(_:under:variant:)`` does,
    /// in one change where the store can.
    ///
    /// - Returns: The entry, and what was noted before, or `nil` for nothing; `nil` for both where nothing was stored.
    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)?

    /// Notes that a host's names were seen not to stand for their content, and when; the later time counts.
    func distrust(_ host: String, at time: WallInstant) async throws

    /// The hosts of which that is known, with the time at which it was seen; 1,000 of them at most. Never waits.
    var distrustedHosts: [String: WallInstant] { get }

    /// How much is stored.
    func usage() async throws -> StoreUsage
}

extension ResponseStorage {
    public func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        let joined = try await join(combination.pieces, of: entry, with: body)
        return try await commit(joined, key: entry.key, response: response, since: mark)
    }

    /// Copies pieces of stored and of received content into a new body.
    func join(
        _ pieces: [Combination.Piece], of entry: StoredEntry, with received: any PendingBody
    ) async throws -> any PendingBody {
        let content = try await open(entry)
        let joined = try makePendingBody()
        for piece in pieces {
            let (region, isStored) =
                switch piece {
                case .stored(let region): (region, true)
                case .received(let region): (region, false)
                }
            var position = region.lowerBound
            while position < region.upperBound {
                let count = Int(min(65_536, region.upperBound - position))
                let bytes =
                    isStored
                    ? try content.read(from: position, upTo: count) : try received.read(from: position, upTo: count)
                guard !bytes.isEmpty else {
                    throw StoreError(code: .readFailed, message: "A part of a response can't be read back.")
                }
                try joined.append(bytes)
                position += Int64(bytes.count)
            }
        }
        return joined
    }

    /// Stores a response whatever happened since it was asked for, such as one that the app brings.
    @discardableResult
    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse
    ) async throws -> StoredEntry {
        guard let entry = try await commit(body, key: key, response: response, since: nil) else {
            throw StoreError(code: .writeFailed, message: "The response to '\(key)' was not stored.")
        }
        return entry
    }

    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        guard let entry = try await commit(body, key: key, response: response, since: mark) else { return nil }
        // What is stored is stored; the next one with this name is noted.
        return (entry, try? await noteContent(entry.bodyDigest, under: key, variant: variant))
    }

    public func cachedEntries(for key: CacheKey) -> [StoredEntry]? { nil }
}
