import CacheEngine
import Fetching
import HTTPCacheSemantics
import Manifests
import ResponseStore

/// Keeps the set of a queue as a manifest says.
///
/// The set is named after the manifest's id. A head or list that is refused changes nothing.
package actor ManifestPreload {
    private let source: ManifestSource
    private let queue: PreloadQueue
    private let states: PreloadStateFiles
    private let fetch: ManifestFetch
    /// Two updates at once could accept two heads in the wrong order.
    private var last: Task<Result<ManifestUpdate, ManifestUpdateError>, Never>?
    /// The files of the release that is listed.
    private var pages: PageFiles?
    /// The pages that the release that was listed last marks as never asked for ahead of need; `nil` before the first.
    package private(set) var sideEffectPages: SideEffectPages?

    /// - Parameter states: The states that earlier processes accepted.
    package init(_ source: ManifestSource, queue: PreloadQueue, states: PreloadStateFiles) {
        self.source = source
        self.queue = queue
        self.states = states
        fetch = ManifestFetch(cache: queue.cache, configuration: queue.configuration)
    }

    /// Asks for the head and, where it names another release, for its list; then has the queue list its files.
    /// ``PreloadQueue/runUntilSettled(patience:)`` fetches them.
    package func update() async throws(ManifestUpdateError) -> ManifestUpdate {
        let before = last
        let task = Task {
            _ = await before?.value
            do throws(ManifestUpdateError) {
                return Result<ManifestUpdate, ManifestUpdateError>.success(try await self.look())
            } catch {
                return .failure(error)
            }
        }
        last = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Has the files that a page needs fetched before those of other pages, as it is about to be opened. What it needs
    /// is what the release that was listed last says; before the first ``update()``, nothing is known.
    package func expect(page: String) async {
        guard let needed = pages?.needed(by: page), !needed.isEmpty else { return }
        await queue.expect(set: source.acceptance.id) { needed.contains($0.url) }
    }

    private func look() async throws(ManifestUpdateError) -> ManifestUpdate {
        guard TrustworthyOrigin.isPotentiallyTrustworthy(origin: source.url) else {
            throw ManifestUpdateError(
                ManifestRefusal(.wrongBase, "A manifest is read over https only; http is for loopback."))
        }
        let id = source.acceptance.id
        let known = try state(of: id)
        let answer = try await fetch.get(
            source.url, limit: SignedManifest.sizeLimit, mode: .reload, what: "head of the manifest")
        func accept(_ known: ManifestState) throws(ManifestRefusal) -> AcceptedManifest {
            try source.acceptance.accept(
                answer.content, from: source.url, state: known, clock: queue.cache.now, responseDate: answer.date)
        }
        let accepted: AcceptedManifest
        let files: Files?
        do {
            // Before the state is kept: a list that can't be had must not make its head the least that is accepted.
            files = try await self.files(of: try accept(known))
            accepted = try states.change(id) { state in
                // Anew: meanwhile another process may have accepted a later serial, or a revocation.
                let accepted = try accept(state)
                state = accepted.state
                return accepted
            }
        } catch let error as ManifestUpdateError {
            throw error
        } catch let refusal as ManifestRefusal {
            throw ManifestUpdateError(refusal)
        } catch {
            throw ManifestUpdateError(
                .stateLost, "What was accepted can't be kept, so nothing is fetched; free some space.", cause: error)
        }
        return ManifestUpdate(
            serial: accepted.head.serial, isUnchanged: accepted.isUnchanged,
            outcome: try await apply(accepted, files))
    }

    /// Keeps which release pages see; 0 for none. If it can't be kept, the next process finds out again.
    private func note(_ serial: Int64) -> ReleaseNote {
        { [states, id = source.acceptance.id] in _ = try? states.change(id) { $0.noteShown(serial) } }
    }

    private func state(of id: String) throws(ManifestUpdateError) -> ManifestState {
        do {
            return try states.manifestState(of: id) ?? ManifestState()
        } catch {
            throw ManifestUpdateError(
                .stateLost,
                "What was accepted before can't be read, so an older manifest could take its place: \(error)",
                cause: error)
        }
    }

    private func apply(
        _ accepted: AcceptedManifest, _ files: Files?
    ) async throws(ManifestUpdateError) -> ManifestUpdate.Outcome {
        switch accepted.choice {
        case .release(let release):
            let items = files?.items ?? []
            (pages, sideEffectPages) = (files?.pages, files?.sideEffectPages)
            if let sideEffectPages { await queue.avoid(sideEffectPages, set: accepted.head.id) }
            await queue.add(items, set: accepted.head.id, note: note(accepted.head.serial))
            let listed = items.filter { !$0.isOptional }
            let size = listed.reduce(into: ByteCount.zero) { $0 += $1.content?.size ?? .zero }
            return .queued(release: release.name, files: listed.count, size: size)
        case .nothing, .notYet:
            await queue.suspend(set: accepted.head.id)
            // The release in force may mark pages; its list is not read now.
            if accepted.state.shown == 0 { sideEffectPages = sideEffectPages ?? SideEffectPages() }
            if case .nothing(let reason) = accepted.choice { return .held(reason) }
            return .notYet
        case .unpin(let reason):
            (pages, sideEffectPages) = (nil, SideEffectPages())
            do {
                try await queue.remove(set: accepted.head.id)
            } catch {
                throw ManifestUpdateError(
                    .storeFailed, "The pins can't be ended, as the store can't be written.", cause: error)
            }
            note(0)()
            return .unpinned(reason)
        }
    }

    /// Whether the list marks a page, or may: before it is known, each page of its site may be marked.
    package func mayMark(_ page: String) -> Bool {
        if let sideEffectPages { return sideEffectPages.contains(page) }
        return [source.pageOrigin, source.url].contains { url in
            url.map { WebOrigin(url: $0).isSameOrigin(as: WebOrigin(url: page)) } == true
        }
    }

    private struct Files: Sendable {
        var items: [PreloadItem]
        var pages: PageFiles
        var sideEffectPages: SideEffectPages
    }

    private func files(of accepted: AcceptedManifest) async throws(ManifestUpdateError) -> Files? {
        guard let release = accepted.release else { return nil }
        let base = accepted.head.base
        let list = try await list(release, base: base)
        let origin = source.pageOrigin ?? base
        let pages = PageFiles(list, base: base, origin: origin)
        var marked = SideEffectPages()
        for origin in Set([origin, askingOrigin]) { marked.add(list, origin: origin) }
        var listed = list.files.compactMap { item(for: $0, of: list, base: base, pages) }
        // Another account may have been shown one.
        let isKept = await queue.keepsAny(of: accepted.head.id)
        let hasShownOne = accepted.state.shown > 0 && isKept
        // Beside a release that is shown, a page of the next one would get that one's files where they keep their
        // names. Pages of a release that never came to its end are shown as well.
        let hasEarlierPages = await queue.hasEarlierPages(of: listed)
        if hasShownOne || hasEarlierPages {
            for index in listed.indices where listed[index].needs != nil { listed[index].needs = .releaseInForce }
        }
        var known = Set(listed.map(\.url))
        let others = zip(list.files, listed).flatMap { file, item in
            file.otherURLs(base: base).filter { known.insert($0).inserted }.map { url in
                var other = item
                (other.url, other.otherAddressOf) = (url, item.url)
                other.mayBeKnown = hasShownOne && item.needs != nil
                return other
            }
        }
        return Files(
            // Marked pages are no part of the release: they are never fetched ahead of need.
            items: (listed + others).filter { !marked.contains($0.url) },
            pages: pages, sideEffectPages: marked)
    }

    /// The origin of the pages that will ask: as the app names it, else the head's. Files that are elsewhere, because
    /// the app has named such a base, are asked for as from there.
    private var askingOrigin: String { source.pageOrigin ?? WebOrigin(url: source.url).description }

    private func item(
        for file: ListedFile, of list: ReleaseList, base: String, _ pages: PageFiles
    ) -> PreloadItem? {
        let url = file.url(base: base)
        var item = PreloadItem(
            url: url, content: ExpectedContent(sha256: file.digest, size: file.size),
            type: file.mediaType, destination: PreloadDestination(rawValue: file.use.rawValue) ?? .fetch,
            group: PreloadGroup(rawValue: file.group.name) ?? .page, origin: askingOrigin, site: source.site)
        item.label = file.group.name
        item.ignoredParameters = list.ignoreQuery
        if file.use == .document { item.needs = pages.needs(of: file, at: url) }
        item.isOfRelease = pages.hasDocuments
        return item
    }

    /// Lists stand beside their head, and never change under their names: a stored one will do, else the origin's.
    private func list(_ release: Release, base: String) async throws(ManifestUpdateError) -> ReleaseList {
        guard let url = TargetURI.resolve(release.list.path, against: source.url) else {
            throw ManifestUpdateError(
                .unavailable, "The URL of the manifest is no URL that a list can stand beside.")
        }
        let limit = Int(clamping: min(release.list.size, ByteCount(ReleaseList.sizeLimit)).bytes)
        do {
            return try await list(release, base: base, at: url, limit: limit, mode: .preferStored)
        } catch {
            let mayBeTheStoredOne = [.unavailable, .refused(.listSize), .refused(.listHash)].contains(error.code)
            let isLate = (error.cause as? TransportError)?.code == .timedOut
            guard mayBeTheStoredOne, !isLate else { throw error }
            return try await list(release, base: base, at: url, limit: limit, mode: .reload)
        }
    }

    private func list(
        _ release: Release, base: String, at url: String, limit: Int, mode: CacheMode
    ) async throws(ManifestUpdateError) -> ReleaseList {
        let content = try await fetch.get(url, limit: limit, mode: mode, what: "list of the release").content
        do throws(ManifestRefusal) {
            return try ReleaseList(accepting: content, named: release.list, base: base)
        } catch {
            throw ManifestUpdateError(error)
        }
    }
}
