#if canImport(FoundationNetworking) && !canImport(Network)
import Fetching
import Foundation

/// Where a protocol's client is called: here one queue for each protocol, because Foundation on Linux takes calls from
/// any thread, but starts and stops protocols on a queue that can't be had.
struct ClientThread: LoadThread {
    /// Foundation ends the process where a protocol tells it a redirect; it gets the redirect as the answer.
    static let isToldRedirects = false
    /// Foundation stops a protocol to suspend its task, and starts it again to resume it.
    static let isStoppedToSuspend = true

    private let queue = DispatchQueue(label: "larder.protocol-client")

    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Serves calls of the system. Its client never starts or stops a protocol from within a call.
    func performNow(_ work: @Sendable () -> Void) { queue.sync(execute: work) }
}
#endif
