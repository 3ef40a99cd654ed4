import Locking

/// The web views' own caches, above the proxy. They are emptied when responses are removed or the account changes:
/// going back and `fetch(…, {cache: "force-cache"})` show what is there without a question to the proxy.
final class WebViewCaches: Sendable {
    /// Empties a cache; `false` if it is no longer there.
    typealias Emptying = @Sendable () async -> Bool

    private let all = LockedBox<[ObjectIdentifier: Emptying]>([:])

    /// - Parameter id: The web views' data store. Each is emptied once.
    func add(_ id: ObjectIdentifier, _ empty: @escaping Emptying) {
        all.withLock { $0[id] = empty }
    }

    /// Returns when they are empty.
    func empty() async {
        for (id, empty) in all.withLock({ $0 }) where await !empty() {
            all.withLock { $0[id] = nil }
        }
    }
}
