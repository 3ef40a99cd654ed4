#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Foundation
import HTTPCacheSemantics
import Locking

extension Larder {
    /// Has the system give time for ``maintain()``, about once in an interval, when the Mac has little else to do.
    ///
    /// Call it at each launch. Nothing has to be declared. Of two calls with one identifier the later counts. Not run
    /// on a Mac yet.
    ///
    /// - Parameter interval: From one run to the next; a day unless set. The system may take longer.
    /// - Throws: ``LarderError``.
    public func scheduleMaintenance(as identifier: String, every interval: Duration = .seconds(86_400)) throws {
        try Self.scheduleMaintenance(identifier, every: interval, ActivityScheduler.shared, clock: clock) { self }
    }
}

/// The system's scheduler of activities in the background of a Mac, of which each is asked for anew.
final class ActivityScheduler: BackgroundTaskScheduler {
    static let shared = ActivityScheduler()

    private let registry = BackgroundTaskRegistry()
    /// Activities that are asked for and have not begun.
    private let activities = LockedBox<[String: Activity]>([:])

    func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTask) -> Void) -> Bool {
        registry.register(identifier, launch) { _ in true }
    }

    func submit(_ identifier: String, notBefore earliest: WallInstant, now: WallInstant) {
        let activity = NSBackgroundActivityScheduler(identifier: identifier)
        // The system takes an interval, and none below a second.
        activity.interval = Double(max(1, earliest.unixSeconds - now.unixSeconds))
        activity.repeats = false
        activity.qualityOfService = .utility
        let asked = Activity(activity)
        // Behind the lock, because one that is scheduled after it was invalidated would stay.
        activities.withLock { activities in
            activities.updateValue(asked, forKey: identifier)?.invalidate()
            activity.schedule { completion in
                // One that has begun is not invalidated when the next one is asked for.
                self.activities.withLock { if $0[identifier] === asked { $0[identifier] = nil } }
                self.registry.launch(identifier, RunningActivity(completion, asked))
            }
        }
    }
}

/// One activity.
///
/// `@unchecked`: the system's object is set up before it is kept here, and invalidated once; any thread may do that.
private final class Activity: @unchecked Sendable {
    private let activity: NSBackgroundActivityScheduler

    init(_ activity: NSBackgroundActivityScheduler) { self.activity = activity }

    func invalidate() { activity.invalidate() }
}

/// An activity that the system has begun. It is never told that time is up: `shouldDefer` would have to be asked, and
/// what maintenance does is short.
///
/// `@unchecked`: the completion handler of the system is called once, on any thread.
private final class RunningActivity: BackgroundTask, @unchecked Sendable {
    private let completion: NSBackgroundActivityScheduler.CompletionHandler
    /// Lives until the end.
    private let activity: Activity

    init(_ completion: @escaping NSBackgroundActivityScheduler.CompletionHandler, _ activity: Activity) {
        (self.completion, self.activity) = (completion, activity)
    }

    func onExpiration(_ handler: @escaping @Sendable () -> Void) {}
    func complete(isDone: Bool) { completion(isDone ? .finished : .deferred) }
}
#endif
