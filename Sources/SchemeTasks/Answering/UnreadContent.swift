import CacheEngine
import Locking

/// Content that nobody reads, such as that of a redirect. Read to its end all the same, as the cache stores no response
/// that was given up; and it frees its connection for the next request.
final class UnreadContent: Sendable {
    /// Origins that never end their content must not keep ever more connections.
    private static let greatestCount = 32

    private let count = LockedBox(0)

    /// Returns at once.
    func finish(_ body: ResponseBody) {
        guard case .stream(let source, let length) = body else { return }
        let isBegun = count.withLock { count in
            guard count < Self.greatestCount, length ?? 0 <= Int64(ResponseBody.greatestUnread) else { return false }
            count += 1
            return true
        }
        guard isBegun else { return source.cancel() }
        Task {
            await body.finishUnread()
            self.count.withLock { $0 -= 1 }
        }
    }
}
