#if canImport(Network)
import Fetching
import Foundation

/// Where a protocol's client is called: the thread on which the system has started the protocol, which has a run loop.
///
/// `@unchecked`: a run loop takes work from any thread.
struct ClientThread: LoadThread, @unchecked Sendable {
    static let isToldRedirects = true
    static let isStoppedToSuspend = false

    private let loop: CFRunLoop
    private let mode: CFRunLoopMode

    /// The current thread.
    init() {
        loop = CFRunLoopGetCurrent()
        mode = CFRunLoopCopyCurrentMode(loop) ?? .defaultMode
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
        CFRunLoopPerformBlock(loop, mode.rawValue, work)
        CFRunLoopWakeUp(loop)
    }

    /// Serves calls of the system, which come on this thread.
    func performNow(_ work: @Sendable () -> Void) { work() }
}

// The system's class is, and a class below it has to say so; on Linux it is not. The load that a protocol keeps is used
// on this thread alone.
extension CachingURLProtocol: @unchecked Sendable {}
extension NumberedURLProtocol: @unchecked Sendable {}
#endif
