import Foundation
import Synchronization

// Sendable on Apple's systems from iOS 17 and macOS 14 on only; here always, for its use in `NetworkPathSource`.
// s:7Network13NWPathMonitorC | iOS 12.0, macOS 10.14 | nonisolated, Sendable from iOS 17 | B
public final class NWPathMonitor: Sendable {
    private struct State {
        var handler: (@Sendable (NWPath) -> Void)?
        var queue: DispatchQueue?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private static let monitors = Mutex<[NWPathMonitor]>([])

    /// Not in Apple's module: whether monitors that are made in this task hear of simulated paths. Only tests of monitors
    /// say yes, so that they count none of others.
    @TaskLocal public static var isSimulated = false

    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public init() {
        if Self.isSimulated { Self.monitors.withLock { $0.append(self) } }
    }

    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public func start(queue: DispatchQueue) { state.withLock { $0.queue = queue } }

    // identifier unknown | iOS 12.0, macOS 10.14 | nonisolated | M
    public func cancel() {
        state.withLock { $0.isCancelled = true }
        Self.monitors.withLock { monitors in monitors.removeAll { $0 === self } }
    }

    /// What the system does: hands a path to every monitor that was started and not cancelled, on its queue, and
    /// returns when all have taken it. Not in Apple's module.
    ///
    /// - Returns: How many took it.
    public static func simulate(_ path: NWPath) -> Int {
        var count = 0
        for monitor in monitors.withLock({ $0 }) {
            let (handler, queue) = monitor.state.withLock { ($0.isCancelled ? nil : $0.handler, $0.queue) }
            guard let handler, let queue else { continue }
            queue.sync { handler(path) }
            count += 1
        }
        return count
    }
}
