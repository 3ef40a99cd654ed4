#if canImport(BackgroundTasks) && canImport(UIKit)
import BackgroundTasks
import Foundation
import HTTPCacheSemantics

extension Larder {
    /// Has the system give time for ``maintain()`` in the background, about once in an interval, while the device is idle.
    ///
    /// Call it at each launch, before the launch ends, once. The identifier has to be in the app's `Info.plist` under
    /// `BGTaskSchedulerPermittedIdentifiers`, and background processing among its capabilities. When the system ends the
    /// task, the run is cancelled, and the next one is asked for an hour later. Not run on a device yet.
    ///
    /// - Parameter interval: From one run to the next; a day unless set. The system may take longer.
    /// - Throws: ``LarderError``: the system refuses the identifier, or can't schedule the task now.
    @available(iOS 13.0, *)
    public func registerMaintenance(as identifier: String, every interval: Duration = .seconds(86_400)) throws {
        try scheduleMaintenance(identifier, every: interval, SystemTaskScheduler())
    }
}

/// The system's scheduler of tasks in the background.
struct SystemTaskScheduler: BackgroundTaskScheduler {
    func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTask) -> Void) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            launch(SystemTask(task))
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
/// `@unchecked`: the handler is set once, before the task is handed on to anybody else, and completion is reported once,
/// after it.
private final class SystemTask: BackgroundTask, @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func onExpiration(_ handler: @escaping @Sendable () -> Void) { task.expirationHandler = handler }
    func complete(isDone: Bool) { task.setTaskCompleted(success: isDone) }
}
#endif
