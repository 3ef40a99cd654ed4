import CacheTesting
import HTTPCacheSemantics
import Locking
import ResponseStore

/// A store that tells when nothing is on its way into it any more, so that a step need not guess.
final class WatchedStorage: ForwardingStorage {
    private struct State {
        var pending = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let base: any ResponseStorage
    private let state = LockedBox(State())

    init(_ base: any ResponseStorage) {
        self.base = base
    }

    /// Returns when every body that was begun has been stored or let go.
    func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.pending > 0 { state.waiting.append(continuation) }
                return state.pending == 0
            }
            if isSettled { continuation.resume() }
        }
    }

    fileprivate func ended() {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.pending -= 1
            guard state.pending == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in ready { continuation.resume() }
    }

    func makePendingBody() throws -> any PendingBody {
        let body = try base.makePendingBody()
        state.withLock { $0.pending += 1 }
        return WatchedBody(body, self)
    }

    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        let body = (body as? WatchedBody)?.base ?? body
        return try await base.commit(body, key: key, response: response, since: mark, noting: variant)
    }

    func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.extend(
            entry, with: (body as? WatchedBody)?.base ?? body, by: combination, response: response, since: mark)
    }
}

private final class WatchedBody: PendingBody {
    let base: any PendingBody
    private let store: WatchedStorage

    init(_ base: any PendingBody, _ store: WatchedStorage) {
        self.base = base
        self.store = store
    }

    deinit { store.ended() }

    func append(_ bytes: [UInt8]) throws { try base.append(bytes) }

    func read(from offset: Int64, upTo count: Int) throws -> [UInt8] { try base.read(from: offset, upTo: count) }

    func giveUp() { base.giveUp() }
}
