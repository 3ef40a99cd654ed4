import Foundation
import Locking

extension ProcessInfo {
    private typealias Activity = @Sendable (Bool) -> Void
    private static let activities = LockedBox<[Activity]>([])

    // c:objc(cs)NSProcessInfo(im)performExpiringActivityWithReason:usingBlock: | iOS 8.2, macOS none | nonisolated | D
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        Self.activities.withLock { $0.append(block) }
    }

    /// Not in Apple's module: what was asked for since the last call, for a test that runs each on a thread of its own.
    public static func takeActivities() -> [@Sendable (_ isExpired: Bool) -> Void] {
        activities.withLock { activities in
            defer { activities = [] }
            return activities
        }
    }
}

extension FileManager {
    /// Not in Apple's module: the groups in the app's entitlements, with their folders.
    package static let simulatedGroups = LockedBox<[String: URL]>([:])

    // c:objc(cs)NSFileManager(im)containerURLForSecurityApplicationGroupIdentifier: | iOS 7.0, macOS 10.8 | nonisolated | D
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        Self.simulatedGroups.withLock { $0[groupIdentifier] }
    }
}

// c:objc(cs)NSBackgroundActivityScheduler | iOS none, macOS 10.10 | nonisolated | D
public final class NSBackgroundActivityScheduler: NSObject {
    /// Not in Apple's module by this name: there it is `Result`, which is a name of Swift's own as well.
    public enum ActivityResult: Int, Sendable { case finished = 1, deferred }
    // identifier unknown | iOS none, macOS 10.10 | Sendable | M
    public typealias CompletionHandler = @Sendable (NSBackgroundActivityScheduler.ActivityResult) -> Void
    private typealias Work = @Sendable (@escaping CompletionHandler) -> Void

    private struct Scheduled: Sendable {
        var identifier: String
        var interval: TimeInterval
        var work: Work
    }

    private static let scheduled = LockedBox<[ObjectIdentifier: Scheduled]>([:])

    // c:objc(cs)NSBackgroundActivityScheduler(py)identifier | iOS none, macOS 10.10 | nonisolated | M
    public let identifier: String
    // c:objc(cs)NSBackgroundActivityScheduler(py)interval | iOS none, macOS 10.10 | nonisolated | M
    public var interval: TimeInterval = 0
    // c:objc(cs)NSBackgroundActivityScheduler(py)repeats | iOS none, macOS 10.10 | nonisolated | M
    public var repeats = false
    // c:objc(cs)NSBackgroundActivityScheduler(py)qualityOfService | iOS none, macOS 10.10 | nonisolated | M
    public var qualityOfService: QualityOfService = .background

    // c:objc(cs)NSBackgroundActivityScheduler(im)initWithIdentifier: | iOS none, macOS 10.10 | nonisolated | D
    public init(identifier: String) { self.identifier = identifier }

    // c:objc(cs)NSBackgroundActivityScheduler(im)scheduleWithBlock: | iOS none, macOS 10.10 | nonisolated | D
    public func schedule(_ block: @escaping @Sendable (@escaping CompletionHandler) -> Void) {
        let scheduled = Scheduled(identifier: identifier, interval: interval, work: block)
        Self.scheduled.withLock { $0[ObjectIdentifier(self)] = scheduled }
    }

    // c:objc(cs)NSBackgroundActivityScheduler(im)invalidate | iOS none, macOS 10.10 | nonisolated | D
    public func invalidate() { Self.scheduled.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }

    /// Not in Apple's module: what is scheduled.
    public static var scheduledIdentifiers: [String] { scheduled.withLock { $0.values.map(\.identifier).sorted() } }

    /// Not in Apple's module: begins what is scheduled.
    ///
    /// - Returns: The intervals that were asked for.
    public static func simulateActivities(_ completion: @escaping CompletionHandler) -> [TimeInterval] {
        let all = scheduled.withLock { scheduled in
            defer { scheduled = [:] }
            return Array(scheduled.values)
        }
        for one in all { one.work(completion) }
        return all.map(\.interval)
    }
}
