import CacheEngine
import CacheRules
import HTTPCacheSemantics
import Locking
import Manifests
import Preloading
import ViewCare

/// The queue of one account, with the manifests that it follows and the pages that are expected.
actor PreloadSession {
    static let expectedSet = "app:expected"
    /// How many pages are expected at a time; the oldest are forgotten.
    static let mostExpected = 16

    nonisolated let account: String
    nonisolated let queue: PreloadQueue
    private let cache: ResponseCache
    private let files: PreloadStateFiles
    private let policy: PolicyInForce
    /// Where this process takes turns with others, see ``SetTurn``.
    private let turns: String
    /// Those that this process has.
    private let held: HeldTurns
    private let monitor: ConnectivityMonitor
    /// Whether another account is used now.
    private let isOver: LockedBox<Bool>
    /// Has the queue look again when the network changes.
    private let listening = LockedBox<Task<Void, Never>?>(nil)
    private let fillings = LockedBox<Set<Task<SeedSummary, any Error>>>([])
    private var manifests: [String: (manifest: LarderManifest, preload: ManifestPreload)] = [:]
    private var expected: [String] = []

    /// While another account is used nothing is fetched.
    init(_ account: String, of sessions: PreloadSessions) {
        let (isOver, files, monitor) = (LockedBox(false), sessions.files, sessions.monitor)
        (self.account, self.isOver, self.files, self.monitor) = (account, isOver, files, monitor)
        (cache, policy, turns, held) = (sessions.cache, sessions.policy, sessions.turns, sessions.held)
        let accountInUse = sessions.account
        var budget = files.budget ?? PreloadBudget()
        budget.bytesPerDay = sessions.bytesPerDay
        let configuration = PreloadConfiguration(
            connectivity: { isOver.withLock { $0 } || accountInUse() != account ? .disconnected : monitor.current },
            partition: account, viewFields: files.viewFields ?? ViewFields(), budget: budget)
        queue = PreloadQueue(
            cache: sessions.cache, configuration: configuration, events: sessions.events, storage: files)
    }

    // MARK: What is wanted

    func preload(_ items: [PreloadItem], set: String) async -> PreloadOutcome {
        await queue.add(items, set: set)
        return await settled(set)
    }

    func preload(_ manifest: LarderManifest) async throws(ManifestUpdateError) -> PreloadOutcome {
        let preload = try following(manifest)
        let turn = try await turn(manifest.id)
        held.add(turn)
        defer {
            turn.end()
            held.remove(turn)
        }
        let update = try await preload.update()
        policy.turnedOff = TurnedOff(files.turnedOff)
        if let marked = await preload.sideEffectPages, !expected.isEmpty {
            expected.removeAll { marked.contains($0) }
            await queue.add(await expectedItems(), set: Self.expectedSet) { _ in false }
        }
        for page in expected { await preload.expect(page: page) }
        return await settled(manifest.id, update)
    }

    /// Waits until no other process fetches the same set.
    private func turn(_ set: String) async throws(ManifestUpdateError) -> SetTurn {
        do {
            return try await SetTurn.take(set, of: account, in: turns, cache)
        } catch {
            throw ManifestUpdateError(
                .cancelled, "It was cancelled; what was accepted before stays.", cause: error)
        }
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
                .stateLost, "The state of preloading can't be read or kept, so nothing is fetched.", cause: error)
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
        let task = Task<SeedSummary, any Error> { try await filling.run() }
        fillings.withLock { _ = $0.insert(task) }
        // One that was ended before it could find the task.
        if isOver.withLock({ $0 }) { task.cancel() }
        defer { fillings.withLock { _ = $0.remove(task) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Whether a manifest that was preloaded marks a page, or may: its marks are not known before its list is.
    func isMarked(_ page: String) async -> Bool {
        for (_, preload) in manifests.values where await preload.mayMark(page) { return true }
        return false
    }

    func expect(_ page: String) async {
        for (_, preload) in manifests.values where await preload.sideEffectPages?.contains(page) == true { return }
        expected.removeAll { $0 == page }
        expected = Array((expected + [page]).suffix(Self.mostExpected))
        for (_, preload) in manifests.values { await preload.expect(page: page) }
        // It is asked for once the marks are known.
        if await isMarked(page) { return }
        await queue.add(await expectedItems(), set: Self.expectedSet) { $0.url == page }
        await queue.expect(set: Self.expectedSet) { $0.url == page }
        listen()
        await queue.goOn()
    }

    /// Those that no manifest marks, or may mark.
    private func expectedItems() async -> [PreloadItem] {
        while true {
            let pages = expected
            var items: [PreloadItem] = []
            for page in pages where await !isMarked(page) {
                var item = PreloadItem(url: page, destination: .document)
                item.isGuessed = true
                items.append(item)
            }
            // Others may have come meanwhile.
            if pages == expected { return items }
        }
    }

    func remove(_ set: String) async throws {
        let hadManifest = manifests.removeValue(forKey: set) != nil
        if set == Self.expectedSet { expected = [] }
        try await queue.remove(set: set)
        if hadManifest, !expected.isEmpty {
            await queue.add(await expectedItems(), set: Self.expectedSet) { _ in false }
            await queue.goOn()
        }
        if (try? files.manifestState(of: set)) != nil { try? files.change(set) { $0.noteShown(0) } }
    }

    private func settled(_ set: String, _ update: ManifestUpdate? = nil) async -> PreloadOutcome {
        listen()
        let summary = await queue.runUntilSettled(set: set)
        return PreloadOutcome(set: set, update: update, summary: summary, offline: await queue.openOffline(set: set))
    }

    private func listen() {
        listening.withLock { task in
            guard task == nil, !isOver.withLock({ $0 }) else { return }
            task = Task { [changes = monitor.changes(), queue] in
                for await _ in changes { await queue.lookAgain() }
                await queue.close()
            }
        }
    }

    // MARK: The end

    /// Returns once nothing of it is under way.
    func end() async {
        abandon()
        for task in fillings.withLock({ $0 }) { _ = await task.result }
        await queue.close()
    }

    /// Ends it without waiting.
    nonisolated func abandon() {
        isOver.withLock { $0 = true }
        listening.withLock { $0 }?.cancel()
        for task in fillings.withLock({ $0 }) { task.cancel() }
    }
}

/// The turns of a ``Larder``. While its store is suspended it has none: iOS ends an app that is suspended with a lock.
final class HeldTurns: Sendable {
    private let state = LockedBox<(turns: [SetTurn], isSuspended: Bool)>(([], false))

    /// One that comes while the store is suspended is let go at once; its work waits for the store.
    func add(_ turn: SetTurn) {
        let isSuspended = state.withLock { state in
            state.turns.append(turn)
            return state.isSuspended
        }
        if isSuspended { turn.end() }
    }

    func remove(_ turn: SetTurn) { state.withLock { $0.turns.removeAll { $0 === turn } } }

    func suspend() {
        let turns = state.withLock { state in
            state.isSuspended = true
            return state.turns
        }
        for turn in turns { turn.end() }
    }

    func resume() { state.withLock { $0.isSuspended = false } }
}

/// The result of fetching a set ahead of need.
public struct PreloadOutcome: Hashable, Sendable {
    /// Its name, as in ``Larder/preloadEvents``.
    public var set: String
    /// The decision of the manifest; `nil` for other sets.
    public var update: ManifestUpdate?
    /// How far the set has come. What is waiting goes on by itself while the ``Larder`` lives.
    public var summary: PreloadSummary

    /// The set's pages, asked for without a network once all has come that can come now: which open, and what the
    /// others lack.
    public var offline = OfflinePages()

    /// Whether all of it is in the store, and is what it has to be. Not where the manifest names no release.
    public var isReady: Bool { summary.items > 0 && summary.verified == summary.items }
}
