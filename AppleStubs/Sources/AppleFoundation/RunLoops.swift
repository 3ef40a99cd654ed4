import Foundation
import Locking

// c:@T@CFRunLoopRef | iOS 2.0, macOS 10.0 | nonisolated | M
public typealias CFRunLoop = ThreadLoop

// c:@T@CFRunLoopMode | iOS 2.0, macOS 10.0 | Sendable | M
public struct CFRunLoopMode: Hashable, Sendable {
    // identifier unknown | iOS 2.0, macOS 10.0 | Sendable | M
    public let rawValue: String
    // c:@kCFRunLoopDefaultMode | iOS 2.0, macOS 10.0 | Sendable | M
    public static let defaultMode = CFRunLoopMode(rawValue: "default")

    /// Not in Apple's module: another mode.
    public init(rawValue: String) { self.rawValue = rawValue }
}

// c:@F@CFRunLoopGetCurrent | iOS 2.0, macOS 10.0 | nonisolated | M
public func CFRunLoopGetCurrent() -> CFRunLoop! { ThreadLoop.current }
// c:@F@CFRunLoopCopyCurrentMode | iOS 2.0, macOS 10.0 | nonisolated | M
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode! { rl.mode }
// c:@F@CFRunLoopPerformBlock | iOS 4.0, macOS 10.6 | nonisolated | M
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: String!, _ block: (@Sendable () -> Void)!) {
    rl.add(block, in: mode)
}
// c:@F@CFRunLoopWakeUp | iOS 2.0, macOS 10.0 | nonisolated | M
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { rl.wake() }

/// Not in Apple's module: a thread with a run loop. Work that was added is done when it is woken.
public final class ThreadLoop: Sendable {
    /// Not in Apple's module.
    @TaskLocal public static var simulated: ThreadLoop?

    static var current: ThreadLoop { simulated ?? ThreadLoop() }

    private let queue = DispatchQueue(label: "stand-in for a thread")
    private let waiting = LockedBox<[@Sendable () -> Void]>([])
    /// Not in Apple's module.
    package let faults = LockedBox<[String]>([])
    /// The mode that it runs in.
    let mode: CFRunLoopMode? = CFRunLoopMode(rawValue: "of the loading system")

    /// Not in Apple's module.
    public init() {}

    func add(_ block: @escaping @Sendable () -> Void, in mode: String) {
        if mode != self.mode?.rawValue { faults.withLock { $0.append("work for the mode '\(mode)'") } }
        waiting.withLock { $0.append(block) }
    }

    func wake() {
        queue.async {
            let blocks = self.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for block in blocks { block() }
        }
    }

    /// Not in Apple's module: the system does something on this thread.
    public func run(_ work: @Sendable () -> Void) {
        queue.sync { Self.$simulated.withValue(self) { work() } }
    }

    /// Not in Apple's module: whether the current code runs on this thread.
    public var isCurrent: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return true
    }
}
