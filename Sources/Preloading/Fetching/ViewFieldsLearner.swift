import CacheEngine
import Locking

/// Keeps what the last requests of pages looked like.
package final class ViewFieldsLearner: Sendable {
    private let fields: LockedBox<ViewFields>

    package init(_ known: ViewFields, _ cache: ResponseCache) {
        fields = LockedBox(known)
        learn(from: cache)
    }

    /// Learns from the pages behind another cache as well.
    func learn(from cache: ResponseCache) {
        let fields = fields
        cache.onForwarding(self) { head, context in
            fields.withLock { $0.learn(from: head, destination: context.destination) }
        }
    }

    package var current: ViewFields { fields.withLock { $0 } }
}
