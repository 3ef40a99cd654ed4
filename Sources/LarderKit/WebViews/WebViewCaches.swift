import Locking

/// The web views' own caches, above the proxy. They are emptied when responses are removed or the account changes:
/// going back and `fetch(…, {cache: "force-cache"})` show what is there without a question to the proxy.
final class WebViewCaches: Sendable {
    /// Empties a cache; `false` if it is no longer there.
    typealias Emptying = @Sendable () async -> Bool

    private let all = LockedBox<(caches: [ObjectIdentifier: (number: Int, empty: Emptying)], last: Int)>(([:], 0))

    /// - Parameter id: The web views' data store. Each is emptied once.
    func add(_ id: ObjectIdentifier, _ empty: @escaping Emptying) {
        all.withLock { all in
            all.last += 1
            all.caches[id] = (all.last, empty)
        }
    }

    /// Returns when they are empty.
    func empty() async {
        for (id, cache) in all.withLock({ $0.caches }) where await !cache.empty() {
            // Another store may have its address by now.
            all.withLock { if $0.caches[id]?.number == cache.number { $0.caches[id] = nil } }
        }
    }
}
