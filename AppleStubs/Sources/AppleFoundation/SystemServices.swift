import Dispatch
import Foundation
import Locking

extension DispatchSource {
    // s:So18OS_dispatch_sourceC8DispatchE19MemoryPressureEventV | iOS 8.0, macOS 10.9 | Sendable | D
    public struct MemoryPressureEvent: OptionSet, Sendable {
        // identifier unknown | iOS 8.0, macOS 10.9 | Sendable | M
        public let rawValue: UInt

        // identifier unknown | iOS 8.0, macOS 10.9 | Sendable | M
        public init(rawValue: UInt) { self.rawValue = rawValue }

        // identifier unknown | iOS 8.0, macOS 10.9 | Sendable | M
        public static let warning = MemoryPressureEvent(rawValue: 2)
        // identifier unknown | iOS 8.0, macOS 10.9 | Sendable | M
        public static let critical = MemoryPressureEvent(rawValue: 4)
    }

    // s:So18OS_dispatch_sourceC8DispatchE24makeMemoryPressureSource9eventMask5queueSo0a1_b1_C15_memorypressure_pAbCE0fG5EventV_So0a1_b1_K0CSgtFZ | iOS 8.0, macOS 10.9 | nonisolated | D
    public class func makeMemoryPressureSource(
        eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure {
        MemoryPressure(queue ?? .global())
    }

    /// Not in Apple's module: the system runs short of memory.
    ///
    /// - Returns: How many sources took it, of those that were made where ``SimulatedMemory/isTold``.
    public static func simulateMemoryPressure() -> Int { MemoryPressure.tellAll() }
}

/// Not in Apple's module.
public enum SimulatedMemory {
    /// Whether sources that are made in this task hear of simulated pressure. Tests that count them say so, since each Larder of
    /// another test that runs meanwhile has a source as well.
    @TaskLocal public static var isTold = false
}

// c:objc(pl)OS_dispatch_source_memorypressure | iOS 8.0, macOS 10.9 | nonisolated, Sendable | D
public protocol DispatchSourceMemoryPressure: Sendable {
    // identifier unknown | iOS 8.0, macOS 10.9 | nonisolated | M
    func setEventHandler(handler: (@Sendable () -> Void)?)
    // identifier unknown | iOS 10.0, macOS 10.12 | nonisolated | M
    func activate()
    // identifier unknown | iOS 8.0, macOS 10.9 | nonisolated | M
    func cancel()
}

private final class MemoryPressure: DispatchSourceMemoryPressure {
    private static let active = LockedBox<[ObjectIdentifier: MemoryPressure]>([:])
    private let handler = LockedBox<(@Sendable () -> Void)?>(nil)
    private let queue: DispatchQueue
    private let isTold = SimulatedMemory.isTold

    init(_ queue: DispatchQueue) { self.queue = queue }

    func setEventHandler(handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }
    func activate() {
        if isTold { Self.active.withLock { $0[ObjectIdentifier(self)] = self } }
    }
    func cancel() { Self.active.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }

    static func tellAll() -> Int {
        let sources = active.withLock { Array($0.values) }
        for source in sources { source.queue.sync { source.handler.withLock { $0 }?() } }
        return sources.count
    }
}
