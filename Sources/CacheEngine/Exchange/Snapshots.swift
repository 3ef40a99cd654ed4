import CacheRules
import HTTPCacheSemantics
import Locking
import ResponseStore

extension ResponseCache {
    /// Has the snapshot of each page completed that is shown under `Verdict.snapshot`: what a newer document names is
    /// fetched, and all of it put in place. One at a time for each page, in the background. It is called while its
    /// owner lives, and must not hold that.
    ///
    /// - Parameter complete: Gets the request of the page, and the store's state since which a removal counts. Without
    ///   one, a snapshot is validated like any other page.
    package func onSnapshot(
        _ owner: some AnyObject & Sendable, _ complete: @escaping @Sendable (EngineRequest, StoreMark?) async -> Void
    ) {
        snapshotCompleter.withLock { $0 = OwnedCall(owner: owner, call: complete) }
    }

    var completesSnapshots: Bool { snapshotCompleter.withLock { $0?.owner != nil } }

    /// Has the snapshot of a page completed once the page is done, as the latest visit asked for it: its cookies may be
    /// of another session.
    func wantSnapshot(for request: EngineRequest, _ key: CacheKey) {
        snapshotVisits.withLock { $0[key] = request }
        background.start(key) { await self.completeSnapshot(under: key) }
    }

    /// Completes the snapshot of a page that was asked for without a network.
    ///
    /// - Returns: False where there is none to be completed.
    func completeSnapshot(of request: EngineRequest) async -> Bool {
        let prepared = prepare(request)
        guard completesSnapshots, let key = prepared.key, prepared.decision.verdict == .snapshot else { return false }
        snapshotVisits.withLock { $0[key] = $0[key] ?? request }
        await completeSnapshot(under: key)
        return true
    }

    private func completeSnapshot(under key: CacheKey) async {
        while snapshotVisits.withLock({ $0[key] != nil }) {
            guard (try? await traffic.waitForQuiet { false }) != nil,
                let completer = snapshotCompleter.withLock({ $0 }), completer.owner != nil
            else { return }
            // In this order: what is removed before takes the visit away.
            let mark = store.mark()
            guard let visit = snapshotVisits.withLock({ $0.removeValue(forKey: key) }) else { return }
            await completer.call(visit, mark)
        }
    }

    /// Notes that all of a page's snapshot is in its place.
    ///
    /// - Parameters:
    ///   - files: The responses that belong to it.
    ///   - absent: The URLs of files that its server does not have.
    ///   - before: The page as it was.
    /// - Returns: Whether another snapshot of the page was complete before, of other contents.
    package func keepSnapshot(
        _ page: StoredEntry, as request: EngineRequest, files: [StoredEntry], absent: [String], before: StoredEntry?
    ) async -> Bool {
        let versions = files.prefix(PageSets.mostFiles).map(PageFile.init)
        let tags =
            versions.map(\.heldTag) + absent.prefix(MissingFiles.most).map { MissingFiles.tag(.absent, $0) }
            + [PageFile.complete]
        await changeSnapshot(page, request) { PageFile.tags($0, with: versions) + tags }
        guard let before, before.response.tags.contains(PageFile.complete) else { return false }
        return before.bodyDigest != page.bodyDigest || !Set(before.response.tags).isSuperset(of: versions.map(\.tag))
    }

    /// Notes the files that a page was fetched with ahead of need: without a network it gets those, as one that was
    /// shown with them does. A page with a snapshot has its own.
    package func keepFiles(_ files: [StoredEntry], of page: StoredEntry) async {
        let versions = files.prefix(PageSets.mostFiles).map(PageFile.init)
        _ = await changeTags(of: page.key, where: { $0.id == page.id }) { known in
            known.contains(PageFile.complete)
                ? known : PageFile.tags(known, with: versions) + PageFile.whole
        }
    }

    /// Notes that a newer snapshot could not be completed. After a day the older snapshot is not shown any more; at
    /// once where the page itself is not there any more, or is another one's.
    ///
    /// - Parameter files: The URLs that it lacks: they are asked for first the next time.
    package func noteLackingSnapshot(
        _ page: StoredEntry, as request: EngineRequest, files: [String], lacksPage: Bool
    ) async {
        let since = PageFile.lacking(since: now)
        let lacked = files.prefix(MissingFiles.most).map { MissingFiles.tag(.lacked, $0) }
        await changeSnapshot(page, request) { tags in
            if lacksPage { return tags.filter { $0 != PageFile.complete } }
            let others = tags.filter { !$0.hasPrefix(MissingFiles.prefix(.lacked)) }
            return others + lacked + (others.contains(where: PageFile.isLacking) ? [] : [since])
        }
    }

    private func changeSnapshot(
        _ page: StoredEntry, _ request: EngineRequest, _ change: @escaping @Sendable ([String]) -> [String]
    ) async {
        _ = await changeTags(of: page.key, where: { $0.id == page.id }, change)
        guard let entry = try? await store.entries(for: page.key).first(where: { $0.id == page.id }) else { return }
        pageSets.noteCompleted(entry.response, as: request.head.url)
    }

    /// Tells that a newer page is in its place, so that an app may offer to load it again.
    package func reportNewerPage(_ request: EngineRequest) {
        guard let observer = configuration.observer, observer.isListening else { return }
        var request = request
        request.context.isBackground = true
        let exchange = RunningExchange(request, cache: self)
        observer.record(
            exchange.makeReport(
                .stored, status: 200, [:], bytes: 0, cacheStatus: nil, notStored: nil,
                start: configuration.clock.uptime()))
    }
}
