import CacheEngine
import Locking

/// Keeps what the last requests of pages looked like.
final class ViewFieldsLearner: Sendable {
    private let fields: LockedBox<ViewFields>

    init(_ known: ViewFields, _ cache: ResponseCache) {
        let fields = LockedBox(known)
        self.fields = fields
        cache.onForwarding(self) { head, context in
            fields.withLock { $0.learn(from: head, destination: context.destination) }
        }
    }

    var current: ViewFields { fields.withLock { $0 } }
}
