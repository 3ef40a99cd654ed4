import Dispatch

@testable import Fetching
@testable import URLSessionCaching

/// A client's thread.
struct QueueThread: LoadThread {
    private let queue = DispatchQueue(label: "a client's thread")

    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    func performNow(_ work: @Sendable () -> Void) { queue.sync(execute: work) }
}
