import CacheEngine
import CacheTesting
import Foundation
import HTTPCacheSemantics
import Locking
import Testing

@testable import LarderKit

@Suite("An app that the system suspends", .timeLimit(.minutes(5)))
struct BackgroundTests {
    /// A system that keeps what it is asked to do, and does it when told.
    private final class System: Sendable {
        let log = WatchedValue<[String]>([])
        let back = WatchedValue(0)
        private let asked = WatchedValue<[@Sendable (Bool) -> Void]>([])

        var suspension: BackgroundSuspension { suspension() }

        func suspension(isAutomatic: Bool = true) -> BackgroundSuspension {
            BackgroundSuspension(
                isAutomatic: isAutomatic, { work in self.asked.update { $0.append(work) } },
                suspend: { self.log.update { $0.append("suspend") } },
                resume: { self.log.update { $0.append("resume") } },
                goOn: { self.back.update { $0 += 1 } })
        }

        /// Returns when an assertion is asked for.
        func isAsked() async throws { try await asked.wait { !$0.isEmpty } }
        var hasBeenAsked: Bool { !asked.value.isEmpty }

        /// Does the oldest of what it was asked for on a thread of its own.
        ///
        /// - Returns: A value that is true when it is done.
        func run(_ isOutOfTime: Bool = false, keeping: Bool = false) -> WatchedValue<Bool> {
            let work = asked.update { keeping ? $0.first : ($0.isEmpty ? nil : $0.removeFirst()) }
            let isDone = WatchedValue(false)
            Thread.detachNewThread {
                work?(isOutOfTime)
                isDone.update { $0 = true }
            }
            return isDone
        }
    }

    @Test("in the background the store is suspended before the system's assertion ends, and resumed in the foreground")
    func background() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        #expect(system.log.value.isEmpty)
        try await system.run().wait { $0 }
        #expect(system.log.value == ["suspend"])
        suspension.enterForeground()
        try await system.log.wait { $0 == ["suspend", "resume"] }
        // There and back before the system has begun: nothing has to be suspended.
        suspension.enterBackground()
        suspension.enterForeground()
        try await system.run().wait { $0 }
        #expect(system.log.value == ["suspend", "resume"])
    }

    @Test("a system that has no time at all says so, and the store is suspended at once")
    func refused() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        try await system.run(true).wait { $0 }
        #expect(system.log.value == ["suspend"])
    }

    @Test("a task has the store in the background until it is over, and holds the system's assertion as long")
    func task() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        try await system.run().wait { $0 }
        let gate = Gate()
        let work = Task { try await suspension.duringTask { try await gate.pass() } }
        try await gate.arrivals(1)
        #expect(system.log.value == ["suspend", "resume"])
        let assertion = system.run()
        gate.open()
        try await work.value
        #expect(system.log.value == ["suspend", "resume", "suspend"])
        try await assertion.wait { $0 }
    }

    @Test("a task that fails gives the store back as well")
    func failingTask() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        try await system.run().wait { $0 }
        await #expect(throws: CancellationError.self) { try await suspension.duringTask { throw CancellationError() } }
        #expect(system.log.value == ["suspend", "resume", "suspend"])
    }

    @Test(
        "a store that is opened while the app is in the foreground already is in use after the first task, until the app leaves"
    )
    func openedLate() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.beginLaunch()
        let launch = system.run()
        await suspension.duringTask {}
        #expect(system.log.value.isEmpty)
        try await system.run().wait { $0 }
        suspension.enterBackground()
        try await system.run().wait { $0 }
        try await launch.wait { $0 }
        #expect(system.log.value == ["suspend"])
    }

    @Test(
        "an extension that has suspended its store has it in a later task, and holds the system's assertion from its resumption on"
    )
    func usedAgain() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.beginLaunch()
        let launch = system.run()
        try await suspension.suspend()
        try await launch.wait { $0 }
        await suspension.duringTask { #expect(system.log.value == ["suspend", "resume"]) }
        #expect(system.log.value == ["suspend", "resume", "suspend"])
        try await system.run().wait { $0 }
        suspension.resume()
        try await system.log.wait { $0.last == "resume" }
        // It is in use, and has to let go when time is up.
        try await system.isAsked()
        try await system.run(true).wait { $0 }
        #expect(system.log.value == ["suspend", "resume", "suspend", "resume", "suspend"])
    }

    @Test("in the background the app's own word opens no store that nobody would suspend again")
    func resumedInBackground() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        try await system.run().wait { $0 }
        suspension.resume()
        // Behind it in the queue.
        try await suspension.suspend()
        #expect(!system.log.value.contains("resume"))
        suspension.resume()
        suspension.enterForeground()
        try await system.log.wait { $0.last == "resume" }
    }

    @Test("a store that the app alone suspends stays in use in the background, and those who listen hear of the return")
    func ownStore() async throws {
        let system = System()
        let suspension = system.suspension(isAutomatic: false)
        suspension.enterBackground()
        suspension.enterForeground()
        try await system.back.wait { $0 == 1 }
        #expect(system.log.value.isEmpty && !system.hasBeenAsked)
        try await suspension.suspend()
        suspension.resume()
        try await system.log.wait { $0 == ["suspend", "resume"] }
    }

    @Test("a suspension that fails is an error of the one who asked, and is tried again when asked again")
    func failedSuspension() async throws {
        let (fails, calls) = (WatchedValue(true), WatchedValue(0))
        let suspension = BackgroundSuspension(
            { _ in },
            suspend: {
                calls.update { $0 += 1 }
                if fails.value { throw CocoaError(.fileWriteUnknown) }
            }, resume: {})
        await #expect(throws: CocoaError.self) { try await suspension.suspend() }
        fails.update { $0 = false }
        try await suspension.suspend()
        #expect(calls.value == 2)
    }

    @Test("a Larder that is gone holds no assertion")
    func gone() async throws {
        let system = System()
        var suspension: BackgroundSuspension? = system.suspension
        weak let held = suspension
        suspension?.beginLaunch()
        let launch = system.run()
        suspension?.end()
        suspension = nil
        try await launch.wait { $0 }
        // The thread of the assertion may be on its way out.
        while held != nil { await Task.yield() }
    }

    @Test("when time is up in the middle of a task, the store is suspended there and then")
    func expired() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.enterBackground()
        try await system.run().wait { $0 }
        let gate = Gate()
        let work = Task { try await suspension.duringTask { try await gate.pass() } }
        try await gate.arrivals(1)
        // The first call waits for the end of the work when the second one comes.
        let assertion = system.run(keeping: true)
        try await system.run(true).wait { $0 }
        #expect(system.log.value == ["suspend", "resume", "suspend"])
        try await assertion.wait { $0 }
        gate.open()
        try await work.value
        #expect(system.log.value == ["suspend", "resume", "suspend"])
    }

    @Test("an app that is launched in the background and told nothing lets go of the store when time is up")
    func launched() async throws {
        let system = System()
        let suspension = system.suspension
        suspension.beginLaunch()
        let assertion = system.run(keeping: true)
        try await system.run(true).wait { $0 }
        #expect(system.log.value == ["suspend"])
        try await assertion.wait { $0 }
        suspension.enterForeground()
        try await system.log.wait { $0 == ["suspend", "resume"] }
    }

    @Test("the assertion of the launch ends when it is known where the app is, or when the store is suspended")
    func launchIsOver() async throws {
        for ending in 0..<3 {
            let system = System()
            let suspension = system.suspension
            suspension.beginLaunch()
            let assertion = system.run()
            switch ending {
            case 0: suspension.enterForeground()
            case 1:
                suspension.enterBackground()
                try await system.run().wait { $0 }
            default: try await suspension.suspend()
            }
            try await assertion.wait { $0 }
            #expect(system.log.value == (ending == 0 ? [] : ["suspend"]))
        }
    }

    @Test("a suspended Larder answers nobody and fails nobody; it goes on where it was")
    func larder() async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        transport.on("https://shop.example/") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .contentType: "text/plain"], body: "hello")
        }
        let larder = try Larder(
            LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: transport)
        #expect(try await larder.text("https://shop.example/") == "hello")
        await larder.cache.waitForCommits()
        try await larder.suspend()
        let text = Task { try await larder.text("https://shop.example/") }
        let removed = Task { try await larder.remove(URL(test: "https://other.example/")) }
        for _ in 0..<5 { await Task.yield() }
        larder.resume()
        #expect(try await text.value == "hello")
        _ = try await removed.value
        #expect(transport.requests(to: "https://shop.example/").count == 1)
    }

    @Test("maintenance of a suspended Larder is done, and leaves it suspended")
    func maintenanceMeanwhile() async throws {
        let directory = try TemporaryDirectory()
        let larder = try Larder(
            LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: ScriptedTransport())
        try await larder.suspend()
        #expect(larder.store.isSuspended)
        #expect(await larder.maintain().isComplete)
        #expect(larder.store.isSuspended)
        larder.resume()
        #expect(await larder.maintain().isComplete)
        #expect(!larder.store.isSuspended)
    }

    @Test("where the system suspends no apps the store stays in use after background tasks, whatever is configured")
    func otherSystems() async throws {
        let directory = try TemporaryDirectory()
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.suspendsInBackground = true
        let larder = try Larder(configuration, transport: ScriptedTransport())
        #expect(await larder.maintain().isComplete)
        if !BackgroundObservation.isPossible { #expect(!larder.store.isSuspended) }
        #expect(await larder.duringBackgroundTask { 7 } == 7)
    }

    @Test(
        "an app without folders of its own has one that is named by its bundle, or else by its program",
        arguments: [
            ("com.example.shop", "Shop", "com.example.shop"), (nil, "shop-tool", "shop-tool"), ("", "shop", "shop"),
            (nil, "../shop", "..-shop"), (nil, "..", "program"), (nil, "", "program"),
        ] as [(String?, String, String)])
    func ownFolder(bundle: String?, process: String, name: String) {
        #expect(StoreFolder.ownName(bundle: bundle, process: process) == name)
    }

    @Test("the app group's folder is in its caches; without the entitlement there is a typed error")
    func appGroup() throws {
        struct Folders: StoreFolder.Attributes {
            var caches: URL? { nil }
            func container(ofAppGroup group: String) -> URL? {
                group == "group.shop" ? URL(fileURLWithPath: "/groups/shop") : nil
            }
            func make(_ folder: URL) {}
            func excludeFromBackup(_ folder: URL) {}
            func protect(_ folder: URL) {}
        }
        let folder = try StoreFolder.prepare(named: "larder", inAppGroup: "group.shop", Folders())
        #expect(folder.path == "/groups/shop/Library/Caches/larder")
        let error = #expect(throws: LarderError.self) {
            try StoreFolder.prepare(named: "larder", inAppGroup: "group.other", Folders())
        }
        #expect(error?.code == .appGroupUnavailable && error?.message.contains("group.other") == true)
    }
}
