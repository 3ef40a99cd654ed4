#if canImport(BackgroundTasks) && canImport(UIKit)
import BackgroundTasks
import CacheEngine
import Foundation
import HTTPCacheSemantics

extension Larder {
    /// Has the system give time for ``maintain()`` in the background, about once in an interval, while the device is
    /// idle.
    ///
    /// Call it at each launch, before the launch ends. The identifier has to be in the app's `Info.plist` under
    /// `BGTaskSchedulerPermittedIdentifiers`, and background processing among its capabilities. When the system ends
    /// the task, the run is cancelled, and the next one is asked for an hour later. Of two calls with one identifier
    /// the later counts. Not run on a device yet.
    ///
    /// An app that is launched for a task and registers none is ended by the system. Where the store may not open, use
    /// ``registerMaintenance(as:every:larder:)``.
    ///
    /// - Parameter interval: From one run to the next; a day unless set. The system may take longer.
    /// - Throws: ``LarderError``: the system refuses the identifier, or can't schedule the task now.
    @available(iOS 13.0, *)
    @available(iOSApplicationExtension, unavailable)
    public func registerMaintenance(as identifier: String, every interval: Duration = .seconds(86_400)) throws {
        try Self.scheduleMaintenance(identifier, every: interval, SystemTaskScheduler(), clock: clock) { self }
    }

    /// The same, whether or not a Larder can be had at the launch.
    ///
    /// - Parameters:
    ///   - interval: From one run to the next; a day unless set. The system may take longer.
    ///   - larder: The app's Larder, or `nil` if it can't be opened now. Asked for at once and by each task, on any
    ///     thread. Without one a task is not done, and the next one is asked for an hour later.
    /// - Throws: ``LarderError``: the system refuses the identifier, or can't schedule the task now.
    @available(iOS 13.0, *)
    @available(iOSApplicationExtension, unavailable)
    public static func registerMaintenance(
        as identifier: String, every interval: Duration = .seconds(86_400),
        larder: @escaping @Sendable () -> Larder?
    ) throws {
        try scheduleMaintenance(identifier, every: interval, SystemTaskScheduler(), clock: .system, of: larder)
    }
}

/// The system's scheduler of tasks in the background. An extension may not register any.
@available(iOSApplicationExtension, unavailable)
struct SystemTaskScheduler: BackgroundTaskScheduler {
    private static let registry = BackgroundTaskRegistry()

    func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTask) -> Void) -> Bool {
        Self.registry.register(identifier, launch) { launch in
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                launch(SystemTask(task))
            }
        }
    }

    func submit(_ identifier: String, notBefore earliest: WallInstant, now: WallInstant) throws {
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.earliestBeginDate = Date(timeIntervalSince1970: Double(earliest.unixSeconds))
        request.requiresNetworkConnectivity = false
        request.requiresExternalPower = false
        try BGTaskScheduler.shared.submit(request)
    }
}

/// A task that the system has begun.
///
/// `@unchecked`: the handler is set once, before the work begins, and completion is reported once. The system may do
/// both its own part and ours on any thread.
private final class SystemTask: BackgroundTask, @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func onExpiration(_ handler: @escaping @Sendable () -> Void) { task.expirationHandler = handler }
    func complete(isDone: Bool) { task.setTaskCompleted(success: isDone) }
}
#endif
