import HTTPCacheSemantics
import ResponseStore

/// A store that forwards everything to another one, counts commits, and fails where the test says.
package final class FaultyStorage: ForwardingStorage {
    /// Where the store fails. Everything else works.
    package enum Fault: Hashable, Sendable {
        case looking
        case opening
        /// No pending body can be made.
        case receiving
        /// A body accepts no piece that would make it longer than this number of bytes.
        case appending(beyond: Int64)
        case committing
        case updating
        case removing
    }

    private struct State: Sendable {
        var fault: Fault?
        var commits = 0
    }

    package let base: any ResponseStorage
    private let state: WatchedValue<State>

    /// - Parameter fault: Where to fail; `nil` for a store that works.
    package init(_ base: any ResponseStorage, fault: Fault? = nil) {
        self.base = base
        state = WatchedValue(State(fault: fault))
    }

    /// Sets the fault from now on; `nil` for none. Bodies in transfer keep their fault.
    package func setFault(_ fault: Fault?) {
        state.update { $0.fault = fault }
    }

    /// Returns once at least this number of commits have ended, successfully or not.
    package func commits(atLeast count: Int) async throws {
        try await state.wait { $0.commits >= count }
    }

    /// How many commits have ended, successfully or not.
    package var commits: Int { state.value.commits }

    private func fail(_ code: StoreError.Code, at fault: Fault) throws {
        if state.value.fault == fault {
            throw StoreError(code: code, message: "The test made the store fail.")
        }
    }

    package func entries(for key: CacheKey) async throws -> [StoredEntry] {
        try fail(.readFailed, at: .looking)
        return try await base.entries(for: key)
    }

    /// `nil` for a store that fails at look-ups or at opening: cached entries would bypass both.
    package func cachedEntries(for key: CacheKey) -> [StoredEntry]? {
        let fault = state.value.fault
        return fault == .looking || fault == .opening ? nil : base.cachedEntries(for: key)
    }

    package func open(_ entry: StoredEntry) async throws -> StoredContent {
        try fail(.corruptEntry, at: .opening)
        return try await base.open(entry)
    }

    package func makePendingBody() throws -> any PendingBody {
        try fail(.writeFailed, at: .receiving)
        var limit = Int64.max
        if case .appending(let beyond) = state.value.fault { limit = beyond }
        return FaultyPendingBody(try base.makePendingBody(), limit: limit)
    }

    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        defer { state.update { $0.commits += 1 } }
        try fail(.writeFailed, at: .committing)
        let body = (body as? FaultyPendingBody)?.base ?? body
        return try await base.commit(body, key: key, response: response, since: mark, noting: variant)
    }

    package func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        defer { state.update { $0.commits += 1 } }
        try fail(.writeFailed, at: .committing)
        return try await base.commit(contentOf: entry, response: response, since: mark)
    }

    package func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        defer { state.update { $0.commits += 1 } }
        try fail(.corruptEntry, at: .opening)
        try fail(.writeFailed, at: .committing)
        let body = (body as? FaultyPendingBody)?.base ?? body
        return try await base.extend(entry, with: body, by: combination, response: response, since: mark)
    }

    package func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome {
        defer { state.update { $0.commits += 1 } }
        try fail(.writeFailed, at: .committing)
        return try await base.move(moves)
    }

    package func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try fail(.readFailed, at: .looking)
        return try await base.searchVariants(of: key)
    }

    @discardableResult
    package func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) async throws -> Int {
        try fail(.writeFailed, at: .removing)
        return try await base.removeEntries(for: key, keeping: kept)
    }

    package func update(
        _ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws {
        try fail(.writeFailed, at: .updating)
        try await base.update(id, key: key, response: response, since: mark)
    }
}

/// A pending body that accepts a limited number of bytes, like one on a full disk.
final class FaultyPendingBody: PendingBody {
    let base: any PendingBody
    private let limit: Int64
    private let length = WatchedValue<Int64>(0)

    init(_ base: any PendingBody, limit: Int64) {
        self.base = base
        self.limit = limit
    }

    func append(_ bytes: [UInt8]) throws {
        guard length.value <= limit - Int64(bytes.count) else {
            length.update { $0 = .max }
            throw StoreError(code: .writeFailed, message: "The test made the disk full.")
        }
        try base.append(bytes)
        length.update { $0 += Int64(bytes.count) }
    }

    func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        try base.read(from: offset, upTo: count)
    }

    func giveUp() { base.giveUp() }
}
