import AppleFoundation
import BackgroundTasks
import CacheTesting
import HTTPCacheSemantics
import Locking
import Testing

@testable import LarderOnApple

extension DeviceServicesTests {
    /// Tasks that the system begins and ends when it likes, several at once, before, while and after the app works.
    @Suite("Maintenance under random orders of calls")
    struct MaintenanceOrderTests {
        /// A run of `maintain()`, which lasts until a test ends it.
        private final class Run: Sendable {
            private let state = LockedBox<(continuation: CheckedContinuation<Bool, Never>?, result: Bool?)>((nil, nil))

            func wait() async -> Bool {
                await withCheckedContinuation { continuation in
                    let result = state.withLock { state in
                        if state.result == nil { state.continuation = continuation }
                        return state.result
                    }
                    if let result { continuation.resume(returning: result) }
                }
            }

            /// The first result counts.
            func end(_ isComplete: Bool) {
                state.withLock { state -> CheckedContinuation<Bool, Never>? in
                    guard state.result == nil else { return nil }
                    state.result = isComplete
                    return state.continuation
                }?.resume(returning: isComplete)
            }
        }

        private final class Runs: Sendable {
            private let underWay = LockedBox<[Run]>([])
            /// Whether a run ends when its task is cancelled, as the real one does unless the store is suspended.
            let endsWhenCancelled = LockedBox(true)

            var isIdle: Bool { underWay.withLock { $0.isEmpty } }

            func maintain() async -> MaintenanceSummary {
                let run = Run()
                underWay.withLock { $0.append(run) }
                defer { underWay.withLock { $0.removeAll { $0 === run } } }
                var summary = MaintenanceSummary()
                summary.isComplete = await withTaskCancellationHandler {
                    await run.wait()
                } onCancel: {
                    if self.endsWhenCancelled.withLock({ $0 }) { run.end(false) }
                }
                return summary
            }

            /// Ends the first of those that are under way, if there is one.
            func end(isComplete: Bool) { underWay.withLock { $0.first }?.end(isComplete) }
        }

        private func larder(_ runs: Runs) throws -> Larder {
            var configuration = LarderConfiguration(
                directory: FileManager.default.temporaryDirectory.appendingPathComponent("larder-none/\(UUID())"))
            configuration.clock.wallTime = { WallInstant(unixSeconds: 1_700_000_000) }
            configuration.maintain = { await runs.maintain() }
            return try Larder(configuration)
        }

        @Test(
            "random orders of iOS: each task ends once, in time, after the next one was asked for, and hears nothing more"
        )
        func backgroundTasks() async throws {
            let (name, runs) = ("shop.orders", Runs())
            let opened = try larder(runs)
            let current = LockedBox<Larder?>(opened)
            BGTaskScheduler.permittedIdentifiers.withLock { $0 = [name] }
            defer { BGTaskScheduler.isUnavailable.withLock { $0 = false } }
            let counts = LockedBox((completed: 0, expired: 0))
            for seed in 0..<RandomOrders.count {
                var random = SplitMix64(seed: seed)
                runs.endsWhenCancelled.withLock { $0 = Int.random(in: 0..<4, using: &random) > 0 }
                current.withLock { $0 = opened }
                BGTaskScheduler.isUnavailable.withLock { $0 = false }
                try Larder.registerMaintenance(as: name) { current.withLock { $0 } }
                var tasks: [BGTask] = []
                var faults: [String] = []
                // Whatever the work does, the task ends.
                func expire(_ task: BGTask) async {
                    task.simulateExpiration()
                    while task.completions.isEmpty { await Task.yield() }
                }
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0...2: if let task = BGTaskScheduler.shared.simulateLaunch(name) { tasks.append(task) }
                    case 3: if let task = tasks.randomElement(using: &random) { await expire(task) }
                    case 4: runs.end(isComplete: Bool.random(using: &random))
                    case 5:
                        // Both at once.
                        let isComplete = Bool.random(using: &random)
                        async let ended: Void = runs.end(isComplete: isComplete)
                        if let task = tasks.last { await expire(task) }
                        await ended
                    case 6:
                        let isUnavailable = Bool.random(using: &random)
                        BGTaskScheduler.isUnavailable.withLock { $0 = isUnavailable }
                        try? Larder.registerMaintenance(as: name) { current.withLock { $0 } }
                    case 7: current.withLock { $0 = $0 == nil ? opened : nil }
                    default: await Task.yield()
                    }
                }
                while !runs.isIdle || tasks.contains(where: { $0.completions.isEmpty }) {
                    runs.end(isComplete: true)
                    await Task.yield()
                }
                for task in tasks {
                    task.simulateExpiration()
                    faults += task.faults
                    if task.completions.count != 1 { faults.append("ended \(task.completions.count) times") }
                    let isDone = task.completions.first == true
                    counts.withLock { if isDone { $0.completed += 1 } else { $0.expired += 1 } }
                }
                if !BGTaskScheduler.isUnavailable.withLock({ $0 }), current.withLock({ $0 }) != nil,
                    !tasks.isEmpty, BGTaskScheduler.shared.pending.isEmpty
                {
                    // It was refused while the system was unavailable; the next launch asks again.
                    try Larder.registerMaintenance(as: name) { current.withLock { $0 } }
                    if BGTaskScheduler.shared.pending.isEmpty { faults.append("nothing was asked for") }
                }
                guard faults.isEmpty else {
                    Issue.record("seed \(seed): \(faults)")
                    return
                }
            }
            // Both happen often, or the orders show nothing.
            let (completed, expired) = counts.withLock { $0 }
            #expect(completed > RandomOrders.count / 10 && expired > RandomOrders.count / 10)
            #expect(BGTaskScheduler.shared.repeatedRegistrations.isEmpty)
        }

        @Test("random orders of a Mac: each activity ends once, and each identifier has one activity that waits")
        func activities() async throws {
            let runs = Runs()
            let larder = try larder(runs)
            _ = NSBackgroundActivityScheduler.simulateActivities { _ in }
            while !runs.isIdle { runs.end(isComplete: true) }
            for seed in 0..<RandomOrders.count {
                var random = SplitMix64(seed: seed)
                var registered: Set<String> = []
                let begun = LockedBox(0)
                let results = LockedBox<[NSBackgroundActivityScheduler.ActivityResult]>([])
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0:
                        let name = Bool.random(using: &random) ? "shop.one" : "shop.two"
                        registered.insert(name)
                        try larder.scheduleMaintenance(as: name)
                    case 1:
                        let intervals = NSBackgroundActivityScheduler.simulateActivities { result in
                            results.withLock { $0.append(result) }
                        }
                        begun.withLock { $0 += intervals.count }
                    case 2: runs.end(isComplete: Bool.random(using: &random))
                    default: await Task.yield()
                    }
                    let waiting = NSBackgroundActivityScheduler.scheduledIdentifiers
                    if Set(waiting).count < waiting.count {
                        Issue.record("seed \(seed): \(waiting)")
                        return
                    }
                }
                while !runs.isIdle || results.withLock({ $0.count }) < begun.withLock({ $0 }) {
                    runs.end(isComplete: true)
                    await Task.yield()
                }
                let waiting = NSBackgroundActivityScheduler.scheduledIdentifiers
                guard Set(waiting).count == waiting.count, registered.isSubset(of: waiting),
                    results.withLock({ $0.count }) == begun.withLock({ $0 })
                else {
                    Issue.record("seed \(seed): \(waiting) of \(registered), \(results.withLock { $0 })")
                    return
                }
            }
        }
    }
}
