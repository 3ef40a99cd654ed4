import CacheEngine
import HTTPCacheSemantics
import Manifests
import Preloading
import ResponseStore
import ViewCare

/// Fetches ahead of need into a store, once.
package final class PreloadRun: Sendable {
    /// How it ended.
    package struct Outcome: Sendable {
        /// `nil` where there is none, or none newer could be had.
        package var manifest: ManifestUpdate?
        /// The id under which the manifest was taken; `nil` where none was asked for.
        package var manifestID: String?
        /// Why no newer manifest could be had.
        package var manifestProblem: ManifestUpdateError?
        /// The serial of the release that pages see; `nil` if there is none.
        package var shownSerial: Int64?
        package var summary: PreloadSummary
        package var sources: [PreloadEvent.Source: Int]
        package var refused: [(item: PreloadItem, refusal: PreloadRefusal)]
        package var waiting: [(item: PreloadItem, wait: PreloadWait)]
        /// The URLs that whole pages asked for and that were not stored, and why.
        package var unstored: [(url: String, reason: StoreDecision.Reason)] = []
        /// Why the links of pages could not be had.
        package var failedLinkPages: [HostError] = []
        /// Which of the listed pages open without a network, and what the others lack.
        package var offline = OfflinePages()

        /// Names that the manifests of this store turn off, see `ManifestHead.turnsOff`.
        package var turnedOff: [String] = []

        /// Whether all that was asked for is in the store.
        package var isComplete: Bool {
            manifestProblem == nil && failedLinkPages.isEmpty && summary.verified == summary.items
        }
    }

    /// The longest wait for a retry, since somebody waits. A later one is left to another run.
    private static let patience = Duration.seconds(20)

    /// How long the head of an answer is waited for. A server that is silent longer is left to another run.
    package static let answerLimit = Duration.seconds(60)

    /// How long a manifest's whole head is waited for, see docs/manifests.md.
    package static let headLimit = Duration.seconds(64)

    /// The set of what is listed by hand.
    private static let listed = "listed"
    /// An empty set, so that whoever reads the events knows that there are no more.
    private static let end = "end of events"

    private let request: PreloadRequest
    private let records: PreloadStateFiles
    private let local: LocalCache
    private let queue: PreloadQueue
    /// Where this process takes turns with others, see ``SetTurn``.
    private let turns: String

    /// Opens the store.
    ///
    /// - Throws: ``HostError``, `StoreError`, `DialerError`.
    package convenience init(_ request: PreloadRequest) throws {
        let local = try LocalCache(request.cache)
        guard !local.store.isReadOnly else {
            throw HostError(
                code: .badUse,
                message:
                    "The store '\(request.cache.storeDirectory)' can't be written, so nothing can be fetched into it; "
                    + "check the free space and its permissions, or choose another --store.")
        }
        local.connectivity = request.connectivity
        try self.init(request, local)
    }

    /// - Parameter local: A cache that others use as well.
    init(_ request: PreloadRequest, _ local: LocalCache) throws {
        self.request = request
        self.local = local
        turns = request.cache.storeDirectory + "/preload"
        records = PreloadStateFiles(folder: request.stateDirectory ?? turns)
        if let refusal = FolderOwnership.refusal(of: records.folder) {
            throw HostError(code: .badUse, message: "--state: the folder '\(records.folder)' \(refusal.words).")
        }
        var fields = request.viewFields
        if request.usesKnownFields, let known = PreloadStateFiles(folder: turns).viewFields {
            fields = known
            fields.more = request.viewFields.more
            fields.authorization = request.viewFields.authorization
        }
        var configuration = PreloadConfiguration(
            connectivity: { local.connectivity }, partition: request.cache.account,
            viewFields: fields, budget: records.budget ?? PreloadBudget())
        configuration.budget.bytesPerDay = request.bytesPerDay
        configuration.answerTimeout = Self.answerLimit
        queue = PreloadQueue(cache: local.cache, configuration: configuration)
    }

    /// Fetches until all is there, or nothing more can be had now. What was fetched stays, also when this is cancelled.
    ///
    /// - Parameters:
    ///   - waiting: Called where another process fetches a set of this name, which is waited for.
    ///   - progress: Called with each event, in order.
    package func run(
        waiting: @escaping @Sendable (String) -> Void = { _ in }, progress: @escaping @Sendable (PreloadEvent) -> Void
    ) async throws -> Outcome {
        let events = queue.events
        let watching = Task {
            var seen = Seen()
            for await event in events {
                if case .queued(set: Self.end, _) = event { break }
                seen.note(event)
                progress(event)
            }
            return seen
        }
        var outcome = Outcome(summary: PreloadSummary(), sources: [:], refused: [], waiting: [])
        var marked = request.sideEffectPages
        await queue.avoid(marked, set: Self.listed)
        var turns: [SetTurn?] = []
        if let manifest = request.manifest {
            turns.append(await turn(manifest.id, waiting))
            marked.add(try await update(manifest, &outcome))
        }
        if !request.items.isEmpty {
            turns.append(await turn(Self.listed, waiting))
            await queue.add(request.items, set: Self.listed)
        }
        for page in request.linkPages {
            turns.append(await turn(page, waiting))
            do throws(PreloadPageError) { await queue.add(try await queue.items(ofPage: page), set: page) } catch {
                // All else that is wanted is fetched all the same.
                outcome.failedLinkPages.append(HostError(code: .pageFailed, message: "\(page): \(error)", cause: error))
            }
        }
        defer { withExtendedLifetime(turns) {} }
        let queue = queue
        outcome.summary = await withTaskCancellationHandler {
            await queue.runUntilSettled(patience: Self.patience)
        } onCancel: {
            Task { await queue.stop() }
        }
        if !request.pages.isEmpty { try await loadPages(avoiding: marked, &outcome) }
        if let id = outcome.manifestID, let state = try? records.manifestState(of: id), state.shown > 0 {
            outcome.shownSerial = state.shown
        }
        outcome.turnedOff = records.turnedOff.sorted()
        try? records.keep(await queue.budget)
        await local.cache.waitForCommits()
        if !Task.isCancelled { outcome.offline = await queue.openOffline(and: request.pages) }
        await queue.add([], set: Self.end)
        let all = await watching.value
        outcome.sources = all.sources
        outcome.refused = all.refused.map { ($0.key, $0.value) }.sorted { $0.item.url < $1.item.url }
        outcome.waiting = all.waiting.map { ($0.key, $0.value) }.sorted { $0.item.url < $1.item.url }
        return outcome
    }

    /// - Returns: `nil` where the task is cancelled, so that nothing is fetched any more.
    private func turn(_ set: String, _ waiting: (String) -> Void) async -> SetTurn? {
        try? await SetTurn.take(set, of: request.cache.account, in: turns, local.cache) { waiting(set) }
    }

    /// Accepts the manifest.
    ///
    /// - Returns: The pages that it marks.
    private func update(
        _ manifest: PreloadRequest.Manifest, _ outcome: inout Outcome
    ) async throws -> SideEffectPages {
        let preload = try preload(of: manifest)
        outcome.manifestID = manifest.id
        do throws(ManifestUpdateError) { outcome.manifest = try await preload.update() } catch {
            outcome.manifestProblem = error
        }
        // What it turns off, or on again, counts for its own files already.
        local.cache.rules = TurnedOff(records.turnedOff).before(request.cache.rules)
        return await preload.sideEffectPages ?? .everything
    }

    /// - Parameter marked: The pages that are not loaded.
    private func loadPages(avoiding marked: SideEffectPages, _ outcome: inout Outcome) async throws {
        let (traffic, log) = (HiddenPageTraffic(avoiding: marked), ReportLog(passingTo: request.cache.observer))
        let host = try await HiddenPageHost.start(
            local, request.cache, traffic, request.pageLimits, observer: log)
        queue.learnFields(from: host.cache)
        let preload = WholePagePreload(queue: queue, traffic: traffic, limits: request.pageLimits) { try host.open() }
        outcome.summary.add(await preload.preload(request.pages))
        await host.stop()
        var known: Set<String> = []
        outcome.unstored = log.take().compactMap { report in
            guard let reason = report.notStored, report.method == .get, known.insert(report.uri).inserted else {
                return nil
            }
            return (report.uri, reason)
        }
        let learned = queue.viewFields
        if learned.userAgent != nil { try? PreloadStateFiles(folder: turns).keep(learned) }
    }

    private func preload(of manifest: PreloadRequest.Manifest) throws -> ManifestPreload {
        let installation: String
        do { installation = try records.installationID() } catch {
            throw HostError(
                code: .badUse,
                message:
                    "The folder '\(records.folder)' can't be written; check the free space and its permissions, or "
                    + "choose another --state.", cause: error)
        }
        let acceptance = ManifestAcceptance(
            trust: manifest.trust, id: manifest.id, base: manifest.base, appVersion: manifest.appVersion,
            installID: installation)
        let source = ManifestSource(
            url: manifest.url, acceptance: acceptance, pageOrigin: request.pageOrigin, site: request.site)
        return ManifestPreload(source, queue: queue, states: records)
    }

    /// Events that have come so far.
    private struct Seen {
        var sources: [PreloadEvent.Source: Int] = [:]
        var refused: [PreloadItem: PreloadRefusal] = [:]
        var waiting: [PreloadItem: PreloadWait] = [:]

        mutating func note(_ event: PreloadEvent) {
            switch event {
            case .queued, .started: break
            case .verified(let item, _, let source, _):
                waiting[item] = nil
                sources[source, default: 0] += 1
            case .refused(let item, _, let refusal):
                waiting[item] = nil
                refused[item] = refusal
            case .waiting(let item, _, let wait): waiting[item] = wait
            case .done: break
            }
        }
    }
}
