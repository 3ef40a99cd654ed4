import CacheTesting
import URLSessionTransport

/// A task that records what it is told.
final class FakeTask: NetworkTask {
    enum Call: Hashable, Sendable {
        case resume, suspend, cancel
    }

    let calls = WatchedValue<[Call]>([])

    func resume() { calls.update { $0.append(.resume) } }
    func suspend() { calls.update { $0.append(.suspend) } }
    func cancel() { calls.update { $0.append(.cancel) } }
}
