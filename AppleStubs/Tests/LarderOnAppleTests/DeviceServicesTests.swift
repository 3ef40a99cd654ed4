import AppleFoundation
import BackgroundTasks
import CacheTesting
import HTTPCacheSemantics
import Locking
import Security
import Testing

@testable import LarderOnApple

@Suite("What the device brings, with stand-ins for the system", .serialized, .timeLimit(.minutes(20)))
struct DeviceServicesTests {
    private func temporary() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    // MARK: App group and suspension

    @Test("an app group's store is in its folder and is suspended in the background; without it there is an error")
    func appGroup() throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        FileManager.simulatedGroups.withLock { $0 = ["group.shop": folder] }
        let larder = try Larder(appGroup: "group.shop")
        #expect(larder.directory.path == folder.path + "/Library/Caches/larder" && larder.suspendsInBackground)
        #expect(FileManager.default.fileExists(atPath: larder.directory.path))
        let error = #expect(throws: LarderError.self) { try Larder(appGroup: "group.other") }
        #expect(error?.code == .appGroupUnavailable)
    }

    @Test(
        "each pair of notifications suspends and resumes, while somebody listens",
        arguments: [
            ("UIApplicationDidEnterBackgroundNotification", "UIApplicationWillEnterForegroundNotification"),
            ("UIApplicationDidEnterBackgroundNotification", "UIApplicationDidBecomeActiveNotification"),
            ("NSExtensionHostDidEnterBackgroundNotification", "NSExtensionHostWillEnterForegroundNotification"),
            ("NSExtensionHostDidEnterBackgroundNotification", "NSExtensionHostDidBecomeActiveNotification"),
        ])
    func notifications(background: String, foreground: String) async throws {
        let log = WatchedLog()
        // Not those of the process, which other tests' stores use as well.
        let (center, assertions) = (NotificationCenter(), LockedBox<[@Sendable (Bool) -> Void]>([]))
        func post(_ name: String) { center.post(name: NSNotification.Name(name), object: nil) }
        func run(isOutOfTime: Bool = false) -> Int {
            let taken = assertions.withLock { assertions in
                defer { assertions = [] }
                return assertions
            }
            for assertion in taken { assertion(isOutOfTime) }
            return taken.count
        }
        let suspension = BackgroundSuspension(
            { assertion in assertions.withLock { $0.append(assertion) } }, suspend: { log.add("suspend") },
            resume: { log.add("resume") })
        var observation: BackgroundObservation? = BackgroundObservation(suspension, center)
        post(background)
        // The store is given up within the activity, so that the system waits.
        #expect(log.all.isEmpty)
        #expect(run() == 1)
        #expect(log.all == ["suspend"])
        post(foreground)
        await log.wait(for: ["suspend", "resume"])
        post(background)
        #expect(run(isOutOfTime: true) == 1)
        #expect(log.all == ["suspend", "resume", "suspend"])
        #expect(observation != nil)
        observation = nil
        post(foreground)
        post(background)
        #expect(run() == 0)
    }

    @Test("an assertion is an activity of the process that the system may end")
    func assertion() async {
        let log = WatchedLog()
        BackgroundObservation.assertion { log.add("\($0)") }
        // Those of other tests' stores wait for what ends them.
        for activity in ProcessInfo.takeActivities() { Thread.detachNewThread { activity(false) } }
        await log.wait(for: ["false"])
    }

    // MARK: Background tasks

    private func larder(_ isComplete: Bool) throws -> Larder {
        var configuration = LarderConfiguration(directory: try temporary())
        configuration.clock.wallTime = { WallInstant(unixSeconds: 1_700_000_000) }
        configuration.maintain = {
            var summary = MaintenanceSummary()
            summary.isComplete = isComplete
            return summary
        }
        return try Larder(configuration)
    }

    @Test("the task has to be permitted by the app's Info.plist, and one that can't be scheduled is an error")
    func refusals() throws {
        BGTaskScheduler.permittedIdentifiers.withLock { $0 = [] }
        let refused = #expect(throws: LarderError.self) { try larder(true).registerMaintenance(as: "shop.maintain") }
        #expect(refused?.code == .backgroundTaskRefused)
        BGTaskScheduler.permittedIdentifiers.withLock { $0 = ["shop.maintain"] }
        BGTaskScheduler.isUnavailable.withLock { $0 = true }
        defer { BGTaskScheduler.isUnavailable.withLock { $0 = false } }
        let unscheduled = #expect(throws: LarderError.self) {
            try larder(true).registerMaintenance(as: "shop.maintain")
        }
        #expect(unscheduled?.code == .backgroundTaskNotScheduled)
        #expect(BGTaskScheduler.shared.repeatedRegistrations.isEmpty)
    }

    @Test("an identifier is registered with the system once; the task is done by the Larder that came last")
    func registeredAgain() async throws {
        BGTaskScheduler.permittedIdentifiers.withLock { $0 = ["shop.maintain"] }
        try larder(false).registerMaintenance(as: "shop.maintain")
        try larder(true).registerMaintenance(as: "shop.maintain")
        #expect(BGTaskScheduler.shared.repeatedRegistrations.isEmpty)
        let task = try #require(BGTaskScheduler.shared.simulateLaunch("shop.maintain"))
        while task.completions.isEmpty { await Task.yield() }
        #expect(task.completions == [true])
    }

    @Test(
        "a launch without a Larder registers too; the task is then not done, or done by the Larder that came meanwhile")
    func withoutLarder() async throws {
        BGTaskScheduler.permittedIdentifiers.withLock { $0 = ["shop.maintain"] }
        let opened = LockedBox<Larder?>(nil)
        try Larder.registerMaintenance(as: "shop.maintain") { opened.withLock { $0 } }
        for larder in [nil, try larder(true)] {
            opened.withLock { $0 = larder }
            let task = try #require(BGTaskScheduler.shared.simulateLaunch("shop.maintain"))
            while task.completions.isEmpty { await Task.yield() }
            #expect(task.completions == [larder != nil])
        }
        #expect(BGTaskScheduler.shared.repeatedRegistrations.isEmpty)
    }

    @Test("on a Mac the caches folder is the app's own, in the one that all programs share")
    func cachesFolder() throws {
        let shared = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        let caches = try #require(SystemFolders().caches)
        #expect(caches.deletingLastPathComponent().standardizedFileURL == shared.standardizedFileURL)
        #expect(
            caches.lastPathComponent
                == StoreFolder.ownName(
                    bundle: Bundle.main.bundleIdentifier, process: ProcessInfo.processInfo.processName))
    }

    @Test("a task is asked for, done, reported once, and asked for again", arguments: [true, false])
    func task(isComplete: Bool) async throws {
        BGTaskScheduler.permittedIdentifiers.withLock { $0 = ["shop.maintain"] }
        try larder(isComplete).registerMaintenance(as: "shop.maintain", every: .seconds(86_400))
        #expect(BGTaskScheduler.shared.pending.map(\.earliestBeginDate?.timeIntervalSince1970) == [1_700_000_000])
        let task = try #require(BGTaskScheduler.shared.simulateLaunch("shop.maintain"))
        while task.completions.isEmpty { await Task.yield() }
        #expect(task.completions == [isComplete])
        #expect(
            BGTaskScheduler.shared.pending.map(\.earliestBeginDate?.timeIntervalSince1970) == [
                1_700_000_000 + (isComplete ? 86_400 : 3_600)
            ])
        task.expirationHandler?()
        #expect(task.completions.count == 1)
    }

    @Test("on a Mac an activity is scheduled, done and scheduled again")
    func activity() async throws {
        try larder(true).scheduleMaintenance(as: "shop.maintain", every: .seconds(7_200))
        let results = WatchedLog()
        // What is due at once is asked for as soon as the system takes it.
        #expect(NSBackgroundActivityScheduler.simulateActivities { results.add("\($0)") } == [1])
        await results.wait(for: ["finished"])
        #expect(NSBackgroundActivityScheduler.simulateActivities { _ in } == [7_200])
    }

    // MARK: Keychain

    @Test("secrets are kept, found and replaced, by store and by access group")
    func keychain() throws {
        let (one, other) = (KeychainSecrets(service: "larder.one"), KeychainSecrets(service: "larder.other"))
        let shared = KeychainSecrets(service: "larder.one", accessGroup: "TEAM.group")
        #expect(try one.secret(named: "key") == nil)
        try one.keep("first", named: "key")
        try one.keep("secönd", named: "key")
        try other.keep("third", named: "key")
        try shared.keep("fourth", named: "key")
        #expect(try one.secret(named: "key") == "secönd" && other.secret(named: "key") == "third")
        #expect(try shared.secret(named: "key") == "fourth" && one.secret(named: "none") == nil)
        // Read once the device was unlocked since its start, and on this device alone.
        #expect(
            Set(SimulatedKeychain.shared.items.map(\.accessible)) == [
                kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            ])
        #expect(SimulatedKeychain.shared.items.count == 3)
        SimulatedKeychain.shared.clear()
    }

    /// `OSStatus` of SecBase.h.
    @Test(
        "what the keychain refuses is a typed error",
        arguments: [
            (-25_308, SecretError.Code.locked), (-34_018, .notEntitled), (-50, .failed), (-25_291, .failed),
        ] as [(Int32, SecretError.Code)])
    func keychainRefusals(status: Int32, code: SecretError.Code) {
        SimulatedKeychain.shared.refuse(with: status)
        defer { SimulatedKeychain.shared.refuse(with: nil) }
        let secrets = KeychainSecrets(service: "larder.one")
        #expect(#expect(throws: SecretError.self) { try secrets.secret(named: "key") }?.code == code)
        #expect(#expect(throws: SecretError.self) { try secrets.keep("x", named: "key") }?.code == code)
    }

    @Test("the key of a proxy is in the keychain unless the app says otherwise, whatever the path of the container")
    func places() throws {
        let store = try #require(AuthorityKeyPlace.platform.store(directory: "/containers/1/Library/Caches/larder"))
        try store.keep("key", named: "ca-key.pem")
        let later = try #require(AuthorityKeyPlace.platform.store(directory: "/containers/2/Library/Caches/larder"))
        #expect(try later.secret(named: "ca-key.pem") == "key")
        SimulatedKeychain.shared.clear()
        #expect(AuthorityKeyPlace.storeFolder.store(directory: "/x") == nil)
    }

    // MARK: Challenges

    @Test("the proxy's own leaf is accepted for its host; everything else is the system's to decide")
    func challenges() {
        let proxy = LarderProxy(leaves: ["shop.test": [1, 2, 3]])
        func answer(_ host: String, _ chain: [[UInt8]]?, method: String = NSURLAuthenticationMethodServerTrust) -> (
            URLSession.AuthChallengeDisposition, Bool
        ) {
            let space = URLProtectionSpace(
                simulating: host, method: method, trust: chain.map { SecTrust(simulating: $0) })
            let (disposition, credential) = proxy.disposition(for: URLAuthenticationChallenge(simulating: space))
            return (disposition, credential != nil)
        }
        #expect(answer("shop.test", [[1, 2, 3], [9]]) == (.useCredential, true))
        #expect(answer("shop.test", [[9], [1, 2, 3]]) == (.performDefaultHandling, false))
        #expect(answer("bank.test", [[1, 2, 3]]) == (.performDefaultHandling, false))
        #expect(answer("shop.test", []) == (.performDefaultHandling, false))
        #expect(answer("shop.test", nil) == (.performDefaultHandling, false))
        #expect(answer("shop.test", [[1, 2, 3]], method: "NSURLAuthenticationMethodHTTPBasic").1 == false)
    }
}

/// What has happened, in its order.
private final class WatchedLog: Sendable {
    private let entries = LockedBox<[String]>([])

    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    func wait(for expected: [String]) async {
        while all.count < expected.count { await Task.yield() }
        #expect(all == expected)
    }
}
