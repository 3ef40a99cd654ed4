import HTTPCacheSemantics

/// A store of responses: on disk with a memory tier, or in memory alone.
///
/// Every change is atomic: a reader finds the whole old entry or the whole new one.
package protocol ResponseStorage: Sendable {
    /// The responses stored under a key, one per variant, most recently stored or validated first.
    func entries(for key: CacheKey) async throws -> [StoredEntry]

    /// The same from memory alone, without waiting.
    ///
    /// - Returns: `nil` if the answer is not in memory; ``entries(for:)`` gives it.
    func cachedEntries(for key: CacheKey) -> [StoredEntry]?

    /// The content of an entry.
    ///
    /// - Throws: ``StoreError/Code/corruptEntry`` if it is missing or has another length; the entry is then removed.
    func open(_ entry: StoredEntry) async throws -> StoredContent

    /// The longest content that the store keeps; no limit unless the store has one. Content that is longer is not worth
    /// receiving: a pending body refuses what goes beyond.
    var longestBody: ByteCount { get }

    /// A body to receive, of up to ``longestBody``.
    func makePendingBody() throws -> any PendingBody

    /// A mark of this moment for ``commit(_:key:response:since:)``. Take it before the request for a response leaves.
    /// Never waits.
    ///
    /// - Returns: `nil` if the store has none; then a response is stored whatever happens meanwhile.
    func mark() -> StoreMark?

    /// The changes to a key since a mark, an invalidation whatever site's. Never waits, and is fast enough for each
    /// response.
    func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory

    /// Makes a received response visible and replaces the one with the same key and nominated fields.
    ///
    /// A key has at most 32 variants, and a path at most 128 responses that differ only in their queries and have
    /// `No-Vary-Search`: beyond that the least recently stored or validated ones are removed, unless they are pinned.
    ///
    /// - Parameters:
    ///   - mark: When the request left; `nil` stores the response whatever happened since, and makes earlier requests
    ///     count as outdated.
    ///   - variant: The content is noted besides, like ``noteContent(_:under:variant:)``; `nil` notes nothing.
    /// - Returns: The entry, and the former note or `nil`; `nil` for both if nothing was stored: the key was
    ///   invalidated since the mark (RFC 9111 §4.4), by any process, or a newer response is stored. If another one was
    ///   stored since and the order is unknown, the response is stored with ``StoredResponse/needsValidation``.
    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)?

    /// Stores a response with the content of an entry as another variant (RFC 9111 §4.3.4); it replaces the one with
    /// the same key and nominated fields.
    ///
    /// - Parameter mark: When the request left, as in ``commit(_:key:response:since:)``.
    /// - Returns: `nil` if that content is gone, or if a newer response is stored; then nothing was stored.
    func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry?

    /// Adds a received part to the content of an entry (RFC 9111 §3.4). A response with the extent of the combination
    /// replaces the entry, under a new identity. Unless the content must be reordered, only the part is written.
    ///
    /// - Parameters:
    ///   - entry: The stored entry.
    ///   - body: The content of the part; it accepts no more bytes.
    ///   - combination: The combination of the entry's extent with the part.
    ///   - response: The response that replaces the entry's.
    ///   - mark: When the request for the part left, as in ``commit(_:key:response:since:)``.
    /// - Returns: `nil` if the entry has changed meanwhile; then nothing was stored.
    /// - Throws: ``StoreError/Code/corruptEntry`` if the stored content is missing or damaged; the entry is then
    ///   removed.
    func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry?

    /// The stored responses that have a `No-Vary-Search` field and differ from the key at most in their query.
    func searchVariants(of key: CacheKey) async throws -> [StoredEntry]

    /// Replaces the fields and times of an entry after validation. Does nothing if the entry is gone, or if its key was
    /// invalidated since the mark.
    ///
    /// - Parameter mark: When the request left. If another response was stored since, and the order is unknown, the
    ///   entry needs validation from now on. `nil` updates the entry whatever happened since.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?) async throws

    /// Removes every response stored under the URI and partition of a key, for all sites; responses to earlier requests
    /// are not stored any more. RFC 9111 §4.4: "all stored responses whose target URI matches".
    ///
    /// - Parameter kept: Entries that stay, with these responses; one that was replaced meanwhile is removed as well.
    /// - Returns: How many responses were removed.
    @discardableResult
    func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) async throws -> Int

    /// Removes every response of a partition, for all sites, whose URI has this origin (RFC 9110 §4.3.1), written as in
    /// keys, such as `https://shop.test`.
    ///
    /// - Returns: How many responses were removed.
    @discardableResult
    func removeEntries(origin: String, partition: String) async throws -> Int

    /// Summaries of the selected entries, in the order of their ``StoredEntry/ID``.
    ///
    /// - Parameters:
    ///   - last: The last entry of the previous portion; `nil` for the first portion.
    ///   - limit: The most summaries to return; fewer mean that there are no more.
    func summaries(
        of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int
    ) async throws -> [EntrySummary]

    /// Removes the selected entries, pinned or not. When this returns, no look-up finds them; entries stored meanwhile
    /// may stay.
    @discardableResult
    func remove(_ selection: EntrySelection) async throws -> RemovedContent

    /// Maintenance: marks entries that have expired by a rule (`StoredResponse.expires`) to be evicted first, and
    /// writes the recorded uses to the disk.
    ///
    /// - Returns: How many entries were marked that were not before.
    @discardableResult
    func performMaintenance(at now: WallInstant) async throws -> Int

    /// Stores the beginnings of what was on its way when processes were killed. Maintenance does so too.
    func recoverInterrupted() async

    /// Notes the content of a URI whose name promises it, such as a name with a content hash, and replaces the former
    /// note. The note survives the eviction of the response, until it is removed by key or by date.
    ///
    /// - Parameter variant: Distinguishes contents of one URI, such as content codings.
    /// - Returns: The former note; `nil` if there was none.
    func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest?

    /// Notes that a host broke the promise of a hashed name, and when; the latest time counts.
    func distrust(_ host: String, at time: WallInstant) async throws

    /// The hosts that broke such a promise, with the latest time; at most 1,000. Never waits.
    var distrustedHosts: [String: WallInstant] { get }

    /// When a host broke such a promise, whichever process has noted it; `nil` if none has.
    func distrusted(_ host: String) async -> WallInstant?

    /// Notes why nothing is stored under a key.
    func note(_ event: PastEvent, of key: CacheKey) async

    /// The last note of that, and its time; `nil` if there is none, or it was forgotten.
    func past(of key: CacheKey) async -> (event: PastEvent, time: WallInstant)?

    /// Notes names of cookies that servers have set, each with its site. They are remembered until everything is
    /// removed.
    func noteServerCookies(_ names: Set<String>) async throws

    /// Whether a server may have set one of these cookies.
    ///
    /// - Parameter entry: Counted from when it was stored, or from before that.
    /// - Returns: `true` also where nobody knows, because the entry is older than the notes.
    func mayBeServerCookies(_ names: Set<String>, since entry: StoredEntry.ID) async throws -> Bool

    /// Stores entries' responses and content under other keys, and removes the entries, all in one change: every
    /// reader finds all of them or none. Each replaces the variant with the same nominated fields there.
    func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome

    /// Removes single entries. Requests under way and other variants are not affected, unlike with ``remove(_:)``.
    func discard(_ entries: [StoredEntry]) async throws

    /// Protects what is stored under keys from eviction in the name of a holder, until that is removed by
    /// ``remove(_:)``, now and whenever something is stored there. It can still be replaced and removed. Pinning a key
    /// again changes nothing. Without an implementation of these three, nothing is pinned.
    func pin(_ keys: [CacheKey], for holder: String) async throws

    /// Ends the protection of keys in the name of a holder; those of other holders stay.
    func unpin(_ keys: [CacheKey], for holder: String) async throws

    /// The keys that are pinned for a holder.
    func pins(of holder: String) async throws -> Set<CacheKey>

    /// How much is stored.
    func usage() async throws -> StoreUsage
}

/// A stored response that is to stand under another key, or under its own with other fields.
package struct StoredMove: Sendable {
    package enum Outcome: Sendable {
        /// The new entries, in the order of the moves; `nil` for those that were left where they were.
        case moved([StoredEntry?])
        /// Nothing has changed, as the moves at these places can't be made.
        case unchanged([Int])
    }

    package var entry: StoredEntry
    package var key: CacheKey
    package var response: StoredResponse
    /// When its request left, as in ``ResponseStorage/commit(_:key:response:since:)``.
    package var mark: StoreMark?
    /// Whether everything else that is stored under the key is removed, but for what moves there before it.
    package var isOnly = false
    /// Whether it is left where it is if its content is gone, or if something newer is stored; otherwise nothing moves.
    package var isOptional = false

    package init(_ entry: StoredEntry, to key: CacheKey, response: StoredResponse, since mark: StoreMark?) {
        (self.entry, self.key, self.response, self.mark) = (entry, key, response, mark)
    }
}

extension ResponseStorage {
    /// Hands on the summaries of the selected entries, read in portions of 1,000.
    package func forEachSummary(of selection: EntrySelection, _ body: (EntrySummary) throws -> Void) async throws {
        var last: StoredEntry.ID?
        while true {
            let portion = try await summaries(of: selection, after: last, limit: 1_000)
            for entry in portion { try body(entry) }
            guard portion.count == 1_000 else { return }
            last = portion.last?.id
        }
    }

    package var longestBody: ByteCount { ByteCount(Int64.max) }

    /// A body to receive.
    ///
    /// - Parameter length: The octets that are expected; `nil` if nobody knows.
    /// - Throws: ``StoreError/Code/writeFailed`` also for more than ``longestBody``, before anything has come.
    package func makePendingBody(forLength length: Int64?) throws -> any PendingBody {
        if let length, length > longestBody.bytes {
            throw StoreError(
                code: .writeFailed,
                message: "The response has \(ByteCount(length)), and the store takes \(longestBody) at most.")
        }
        return try makePendingBody()
    }

    package func extend(
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

    /// Makes a received response visible, and notes nothing of its content.
    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await commit(body, key: key, response: response, since: mark, noting: nil)?.entry
    }

    /// Stores a response whatever happened since its request, such as one from the app itself.
    @discardableResult
    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse
    ) async throws -> StoredEntry {
        guard let entry = try await commit(body, key: key, response: response, since: nil) else {
            throw StoreError(code: .writeFailed, message: "The response to '\(key)' was not stored.")
        }
        return entry
    }

    @discardableResult
    package func removeEntries(for key: CacheKey) async throws -> Int {
        try await removeEntries(for: key, keeping: [])
    }

    /// Replaces the fields and times of an entry whatever happened since its request.
    package func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        try await update(id, key: key, response: response, since: nil)
    }

    package func cachedEntries(for key: CacheKey) -> [StoredEntry]? { nil }

    package func recoverInterrupted() async {}
}

/// A body that is being received: one writer appends to it, and any number of readers read it meanwhile.
///
/// It is not visible in the store before ``ResponseStorage/commit(_:key:response:)``. If it is released without a
/// commit, it is removed.
package protocol PendingBody: Sendable {
    /// Appends bytes. After an error or a commit it accepts no more bytes, and those appended before stay readable.
    func append(_ bytes: [UInt8]) throws

    /// Appended bytes, from an offset; fewer than requested at the end, none at or after it.
    func read(from offset: Int64, upTo count: Int) throws -> [UInt8]

    /// Lets the store continue with these bytes after the process was killed, if it can; call it before the first ones.
    ///
    /// - Parameters:
    ///   - mark: When the request left; without one nothing is kept.
    ///   - response: The response with the extent of so many bytes; `nil` if those are worth nothing alone.
    func keepWhenKilled(
        _ key: CacheKey, since mark: StoreMark?, _ response: @escaping @Sendable (_ length: Int64) -> StoredResponse?)

    /// Removes what was appended, unless it is stored already. Call it where nobody reads any more: the object itself
    /// may be held for long.
    func giveUp()
}

extension PendingBody {
    package func keepWhenKilled(
        _ key: CacheKey, since mark: StoreMark?, _ response: @escaping @Sendable (_ length: Int64) -> StoredResponse?
    ) {}
}
