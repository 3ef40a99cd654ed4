import CacheEngine
import Foundation
import HTTPCacheSemantics

/// Apps that the system suspends.
extension Larder {
    /// Lets go of every lock on the store's files, until ``resume()``: iOS ends an app that is suspended while it holds
    /// one in the folder of an app group (0xDEAD10CC).
    ///
    /// With ``LarderConfiguration/suspendsInBackground`` this is done for you. Call it in an extension before its work
    /// is over, such as before a share extension completes its request. Changes and reads wait for ``resume()`` and
    /// none is lost; see `DiskResponseStore.suspendAndWait()`. ``duringBackgroundTask(_:)`` that begins later has the
    /// store; after it the store is suspended again.
    ///
    /// - Throws: `StoreError` when the index can't be closed.
    public func suspend() async throws {
        try await suspension.suspend()
    }

    /// Takes ``suspend()`` back, and returns at once. Running proxies whose port the system has taken back meanwhile
    /// listen again.
    ///
    /// It does not open a store that was suspended because the app is in the background or has no more time, see
    /// ``LarderConfiguration/suspendsInBackground``; ``duringBackgroundTask(_:)`` does.
    public func resume() {
        suspension.resume()
    }

    /// Lets the store be used during some work, also while the app is in the background: for background tasks of the
    /// app's own, such as the handling of a silent push. Returns after the store has let go of its files again, so that
    /// the app may tell the system at once that it is done. When the system gives no more time the store lets go of its
    /// files in the middle of the work; the work then waits until the app is in the foreground.
    ///
    /// An app launched in the background has the store, also outside such work, until the system
    /// says that time is up. No notification may tell an extension that there is time again, so in
    /// an extension every use of the Larder has to be inside such work, or it may wait for ever.
    ///
    /// Without ``LarderConfiguration/suspendsInBackground`` the store is never suspended, and this does the work alone.
    public func duringBackgroundTask<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await suspension.duringTask(work)
    }

    /// A check point that can be ended at any moment by cancelling its task: marks what has expired, then removes what
    /// a crash has left behind. What is done by then stays done, and the store is whole.
    public func maintain() async -> MaintenanceSummary {
        await duringBackgroundTask {
            var summary = MaintenanceSummary()
            do {
                try Task.checkCancellation()
                summary.expired = try await cache.performMaintenance()
                try Task.checkCancellation()
                summary.removedFiles = try await store.removeOrphans()
                try Task.checkCancellation()
                try await store.flush()
                summary.isComplete = true
            } catch {
                // The next run does the rest.
            }
            return summary
        }
    }

    /// Maintenance in tasks that the system begins, of a Larder that may not be there yet; the schedule lives as long
    /// as the scheduler has its handler.
    static func scheduleMaintenance(
        _ identifier: String, every interval: Duration, _ scheduler: some BackgroundTaskScheduler, clock: EngineClock,
        of larder: @escaping @Sendable () -> Larder?
    ) throws {
        let schedule = MaintenanceSchedule(identifier, every: interval, scheduler, clock: clock) {
            larder().map { larder in
                MaintenanceSchedule.Subject(
                    record: MaintenanceRecord(path: larder.directory + "/maintained"),
                    maintain: { await larder.maintain() })
            }
        }
        try schedule.start()
    }
}
