import CacheEngine
import CacheRules
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import Locking
import Manifests
import Preloading

/// The queue of one account, and what keeps it going.
///
/// One task runs the queue, from when something is added until all is settled. Between two runs it waits for a time, for the
/// network to change, or for more.
actor PreloadSession {
    static let expectedSet = "app:expected"
    /// How many pages are expected at a time; the oldest are forgotten.
    static let mostExpected = 16
    /// The account of spent bytes is written this often.
    private static let keptEvery: Int64 = 4 << 20
    /// A longer wait is not waited for by callers.
    private static let longestWait = Duration.seconds(600)

    nonisolated let account: String
    nonisolated let queue: PreloadQueue
    private let cache: ResponseCache
    private let files: PreloadStateFiles
    private let events: PreloadEvents
    private let monitor: ConnectivityMonitor
    private let clock: EngineClock
    /// Whether another account is used now.
    private let isOver: LockedBox<Bool>
    private let driver = LockedBox<Task<Void, Never>?>(nil)
    /// Whether what waits is to be looked at again.
    private var isSignalled = false
    private var wake: CheckedContinuation<Void, Never>?
    private var isDriven = false
    private let fillings = LockedBox<[Int: Task<SeedSummary, any Error>]>([:])
    private var fillingCount = 0
    /// Counts what was added.
    private var round = 0
    private var manifests: [String: (manifest: LarderManifest, preload: ManifestPreload)] = [:]
    private var expected: [String] = []
    private var waiting: [String: Int] = [:]
    private var keptFields: ViewFields?
    private var keptBudget: PreloadBudget

    /// - Parameter isCurrent: Whether the account is the one that is used. Nothing is fetched for another one.
    init(
        account: String, cache: ResponseCache, files: PreloadStateFiles, events: PreloadEvents,
        monitor: ConnectivityMonitor, clock: EngineClock, bytesPerDay: ByteCount?,
        isCurrent: @escaping @Sendable () -> Bool
    ) {
        (self.account, self.cache, self.files, self.events) = (account, cache, files, events)
        (self.monitor, self.clock) = (monitor, clock)
        let isOver = LockedBox(false)
        self.isOver = isOver
        var budget = files.budget ?? PreloadBudget()
        budget.bytesPerDay = bytesPerDay
        keptBudget = budget
        keptFields = files.viewFields
        let configuration = PreloadConfiguration(
            connectivity: { isOver.withLock { $0 } || !isCurrent() ? .disconnected : monitor.current },
            partition: account, viewFields: keptFields ?? ViewFields(), budget: budget)
        queue = PreloadQueue(cache: cache, configuration: configuration, events: events)
    }

    // MARK: What is wanted

    func preload(_ items: [PreloadItem], set: String) async -> PreloadOutcome {
        await queue.add(items, set: set)
        return await settled(set)
    }

    func preload(_ manifest: LarderManifest) async throws(ManifestUpdateError) -> PreloadOutcome {
        let preload = try following(manifest)
        let update = try await preload.update()
        if let marked = await preload.sideEffectPages, expected.contains(where: { marked.contains($0) }) {
            expected.removeAll { marked.contains($0) }
            await queue.add(expectedItems, set: Self.expectedSet)
        }
        for page in expected { await preload.expect(page: page) }
        return await settled(manifest.id, update)
    }

    private func following(_ manifest: LarderManifest) throws(ManifestUpdateError) -> ManifestPreload {
        if let known = manifests[manifest.id], known.manifest == manifest { return known.preload }
        let preload = ManifestPreload(try source(of: manifest), queue: queue, states: files)
        manifests[manifest.id] = (manifest, preload)
        return preload
    }

    private func source(of manifest: LarderManifest) throws(ManifestUpdateError) -> ManifestSource {
        let installation: String
        do {
            installation = try files.installationID()
        } catch {
            throw ManifestUpdateError(
                code: .stateLost, message: "The state of preloading can't be read or kept, so nothing is fetched.",
                cause: error)
        }
        return try manifest.source(installationID: installation)
    }

    /// Ends with the session, and with the task of the caller.
    func fill(from seed: Seed, _ manifest: LarderManifest?) async throws -> SeedSummary {
        let configuration = PreloadConfiguration(
            connectivity: { .disconnected }, partition: account, viewFields: queue.viewFields)
        let filling = SeedFilling(
            seed, cache: cache, configuration: configuration, manifest: try manifest.map { try source(of: $0) },
            states: files)
        fillingCount += 1
        let number = fillingCount
        let task = Task { try await filling.run() }
        fillings.withLock { $0[number] = task }
        // One that was ended before it could find the task.
        if isOver.withLock({ $0 }) { task.cancel() }
        defer { fillings.withLock { $0[number] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func expect(_ page: String) async {
        for (_, preload) in manifests.values where await preload.sideEffectPages?.contains(page) == true { return }
        expected.removeAll { $0 == page }
        expected = Array((expected + [page]).suffix(Self.mostExpected))
        for (_, preload) in manifests.values { await preload.expect(page: page) }
        await queue.add(expectedItems, set: Self.expectedSet) { $0.url == page }
        await queue.expect(set: Self.expectedSet) { $0.url == page }
        drive()
    }

    private var expectedItems: [PreloadItem] { expected.map { PreloadItem(url: $0, destination: .document) } }

    func remove(_ set: String) async throws {
        manifests[set] = nil
        if set == Self.expectedSet { expected = [] }
        try await queue.remove(set: set)
    }

    /// Waits for a set. When the last one who waits for it is cancelled, it rests until it is wanted again.
    private func settled(_ set: String, _ update: ManifestUpdate? = nil) async -> PreloadOutcome {
        waiting[set, default: 0] += 1
        drive()
        let summary = await queue.waitUntilSettled(set, round: round)
        waiting[set, default: 1] -= 1
        if waiting[set] == 0 {
            waiting[set] = nil
            if Task.isCancelled { await queue.suspend(set: set) }
        }
        return PreloadOutcome(set: set, update: update, summary: summary)
    }

    // MARK: Running

    private func drive() {
        round += 1
        lookAgain()
        guard !isDriven, !isOver.withLock({ $0 }) else { return }
        isDriven = true
        let task = Task { await self.run() }
        driver.withLock { $0 = task }
    }

    private func run() async {
        let (changes, events) = (monitor.changes(), events.stream())
        let listening = Task { for await _ in changes { lookAgain() } }
        let counting = Task { await count(events) }
        while !Task.isCancelled {
            let running = round
            isSignalled = false
            let summary = await queue.run()
            keep(await queue.budget)
            let wait = summary.next.map { $0 - clock.wallTime() }
            if wait.map({ $0 > Self.longestWait }) ?? true { await queue.endWaiting(upTo: running) }
            if round != running { continue }
            guard !summary.waiting.isEmpty else { break }
            await pause(wait)
        }
        // Nothing is waited for from here on, so that what is added now begins a new task.
        listening.cancel()
        counting.cancel()
        isDriven = false
    }

    /// Has what waits looked at again.
    func lookAgain() {
        isSignalled = true
        wake?.resume()
        wake = nil
    }

    /// Returns once something is to be looked at again, or after a time.
    private func pause(_ duration: Duration?) async {
        let timer = duration.map { duration in
            Task {
                try await clock.sleep(max(.milliseconds(1), duration))
                lookAgain()
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isSignalled || Task.isCancelled { continuation.resume() } else { wake = continuation }
            }
        } onCancel: {
            Task { await self.lookAgain() }
        }
        timer?.cancel()
    }

    // MARK: What is kept

    /// Long runs end with their process: what they spend is written while they run.
    private func count(_ events: AsyncStream<PreloadEvent>) async {
        var count: Int64 = 0
        for await event in events {
            guard case .verified(_, _, _, let transferred) = event else { continue }
            count += min(transferred, Self.keptEvery)
            guard count >= Self.keptEvery else { continue }
            count = 0
            keep(await queue.budget)
        }
    }

    /// What can't be kept is learned or counted again.
    private func keep(_ budget: PreloadBudget) {
        if budget != keptBudget {
            keptBudget = budget
            try? files.keep(budget)
        }
        let fields = queue.viewFields
        guard fields != keptFields, fields != ViewFields() else { return }
        keptFields = fields
        try? files.keep(fields)
    }

    // MARK: The end

    /// Returns once nothing of it is under way.
    func end() async {
        abandon()
        for task in fillings.withLock({ Array($0.values) }) { _ = await task.result }
        await queue.stop()
        await driver.withLock { $0 }?.value
        keep(await queue.budget)
        await queue.endWaiting(upTo: .max)
    }

    /// Ends it without waiting.
    nonisolated func abandon() {
        isOver.withLock { $0 = true }
        driver.withLock { $0 }?.cancel()
        for task in fillings.withLock({ Array($0.values) }) { task.cancel() }
    }
}
