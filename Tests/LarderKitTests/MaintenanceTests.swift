import CacheEngine
import CacheTesting
import Foundation
import HTTPCacheSemantics
import Testing

@testable import LarderKit

@Suite("Maintenance in background tasks", .timeLimit(.minutes(5)))
struct MaintenanceTests {
    private final class System: BackgroundTaskScheduler {
        struct Request: Equatable, Sendable {
            var identifier: String
            var earliest: WallInstant
        }

        let requests = WatchedValue<[Request]>([])
        private let launch = WatchedValue<(@Sendable (any BackgroundTask) -> Void)?>(nil)
        let accepts: Bool
        let refuses = WatchedValue(false)

        init(accepts: Bool = true) { self.accepts = accepts }

        func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTask) -> Void) -> Bool {
            if accepts { self.launch.update { $0 = launch } }
            return accepts
        }

        func submit(_ identifier: String, notBefore earliest: WallInstant, now: WallInstant) throws {
            if refuses.value { throw CocoaError(.featureUnsupported) }
            requests.update { $0.append(Request(identifier: identifier, earliest: earliest)) }
        }

        func begin() -> GivenTask {
            let task = GivenTask()
            launch.value?(task)
            return task
        }
    }

    private final class GivenTask: BackgroundTask {
        let completions = WatchedValue<[Bool]>([])
        private let handler = WatchedValue<(@Sendable () -> Void)?>(nil)

        func onExpiration(_ handler: @escaping @Sendable () -> Void) { self.handler.update { $0 = handler } }
        func complete(isDone: Bool) { completions.update { $0.append(isDone) } }
        func expire() { handler.value?() }
    }

    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private static let day = Duration.seconds(86_400)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func schedule(
        _ system: System,
        _ maintain: @escaping @Sendable () async -> MaintenanceSummary = {
            var summary = MaintenanceSummary()
            summary.isComplete = true
            return summary
        }
    ) -> MaintenanceSchedule {
        MaintenanceSchedule(
            "shop.maintain", every: Self.day, system, clock: clock.engineClock,
            subject: { [path = directory.path] in
                .init(record: MaintenanceRecord(path: path + "/maintained"), maintain: maintain)
            })
    }

    @Test("it is due at once, and again an interval after each run that was complete, whenever the app is launched")
    func dates() async throws {
        let system = System()
        try schedule(system).start()
        #expect(system.requests.value == [.init(identifier: "shop.maintain", earliest: clock.now)])
        let task = system.begin()
        try await task.completions.wait { $0 == [true] }
        #expect(system.requests.value.last?.earliest == clock.now + Self.day)
        let due = clock.now + Self.day
        // A launch does not put it off.
        clock.advance(by: .seconds(3_600))
        let next = System()
        try schedule(next).start()
        #expect(next.requests.value.map(\.earliest) == [due])
        // What is overdue is due now.
        clock.advance(by: Self.day * 3)
        let late = System()
        try schedule(late).start()
        #expect(late.requests.value.map(\.earliest) == [clock.now])
    }

    @Test(
        "a record that is damaged, or of a time to come, counts as none",
        arguments: ["", "yesterday", "-5", "99999999999999999999", "4000000000\n", "17e8"])
    func records(text: String) throws {
        try text.write(toFile: directory.path + "/maintained", atomically: false, encoding: .utf8)
        let system = System()
        try schedule(system).start()
        #expect(system.requests.value.map(\.earliest) == [clock.now])
    }

    @Test("when the system ends the task the run is cancelled, reported as not done, and asked for an hour later")
    func expiration() async throws {
        let system = System()
        let gate = Gate()
        try schedule(system) {
            try? await gate.pass()
            var summary = MaintenanceSummary()
            summary.isComplete = !Task.isCancelled
            return summary
        }.start()
        let task = system.begin()
        try await gate.arrivals(1)
        task.expire()
        try await task.completions.wait { $0 == [false] }
        #expect(system.requests.value.last?.earliest == clock.now + MaintenanceSchedule.retryTime)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/maintained"))
    }

    @Test("a task whose work waits on when time is up is completed at once, and once; work that ends later is noted")
    func waitingWork() async throws {
        let system = System()
        let (hasBegun, isOpen) = (WatchedValue(false), WatchedValue(false))
        try schedule(system) {
            hasBegun.update { $0 = true }
            // As at the gate of a suspended store, which heeds no cancellation.
            await Task { try? await isOpen.wait { $0 } }.value
            var summary = MaintenanceSummary()
            summary.isComplete = true
            return summary
        }.start()
        let task = system.begin()
        try await hasBegun.wait { $0 }
        task.expire()
        task.expire()
        #expect(task.completions.value == [false])
        #expect(system.requests.value.map(\.earliest) == [clock.now, clock.now + MaintenanceSchedule.retryTime])
        isOpen.update { $0 = true }
        try await system.requests.wait { $0.last?.earliest == clock.now + Self.day }
        #expect(task.completions.value == [false])
        #expect(MaintenanceRecord(path: directory.path + "/maintained").last(before: clock.now) == clock.now)
    }

    @Test("without a store the task is registered and asked for an hour later; it is not done, and asked for again")
    func withoutStore() async throws {
        let system = System()
        try MaintenanceSchedule("shop.maintain", every: Self.day, system, clock: clock.engineClock, subject: { nil })
            .start()
        let task = system.begin()
        try await task.completions.wait { $0 == [false] }
        let later = clock.now + MaintenanceSchedule.retryTime
        #expect(system.requests.value.map(\.earliest) == [later, later])
    }

    @Test("an identifier that the system has accepted is not registered again; one that it refused is")
    func registry() {
        let registry = BackgroundTaskRegistry()
        let launched = WatchedValue<[Int]>([])
        var calls = 0
        var system: BackgroundTaskRegistry.Launch?
        for (number, accepts) in [false, true, true].enumerated() {
            let isRegistered = registry.register("shop.maintain", { _ in launched.update { $0.append(number) } }) {
                (calls, system) = (calls + 1, $0)
                return accepts
            }
            #expect(isRegistered == accepts)
        }
        #expect(calls == 2)
        system?(GivenTask())
        #expect(launched.value == [2])
    }

    @Test("a refused identifier and a request that can't be made are typed errors that say what to do")
    func refusals() throws {
        let refused = #expect(throws: LarderError.self) { try schedule(System(accepts: false)).start() }
        #expect(refused?.code == .backgroundTaskRefused && refused?.message.contains("Info.plist") == true)
        let system = System()
        system.refuses.update { $0 = true }
        let unscheduled = #expect(throws: LarderError.self) { try schedule(system).start() }
        #expect(unscheduled?.code == .backgroundTaskNotScheduled && unscheduled?.cause is CocoaError)
    }

    @Test("a run whose task is cancelled before it begins does nothing; the next one does all")
    func cancelled() async throws {
        let larder = try Larder(
            LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: ScriptedTransport())
        // What a crash leaves behind.
        let orphan = directory.store + "/bodies/" + String(repeating: "ab", count: 32)
        try "x".write(toFile: orphan, atomically: false, encoding: .utf8)
        let gate = Gate()
        let run = Task {
            try? await gate.pass()
            return await larder.maintain()
        }
        try await gate.arrivals(1)
        run.cancel()
        #expect(await run.value == MaintenanceSummary())
        #expect(FileManager.default.fileExists(atPath: orphan))
        let summary = await larder.maintain()
        #expect(summary.isComplete && summary.removedFiles == 1)
        #expect(!FileManager.default.fileExists(atPath: orphan))
    }
}
