import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Completes the snapshots of pages that are shown under `Verdict.snapshot`: asks for the document, and for all that it
/// names at its site, and puts what is new in place in one change.
extension PreloadQueue {
    /// How long a snapshot waits for a server that wants to be left alone; the next visit tries again.
    private static let snapshotPatience = Duration.seconds(10)

    /// Completes the snapshot of a page that is shown; for `ResponseCache.onSnapshot(_:_:)`. Nothing is done for
    /// another account's page. Content that is removed after the mark is not brought back.
    package func completeSnapshot(of request: EngineRequest, since mark: StoreMark?) async {
        let url = request.head.targetURL
        // A page behind a login is asked for with it; nobody knows whether that is right ahead of need.
        guard request.context.partition == configuration.partition, !request.head.headerFields.contains(.authorization),
            snapshots[url] == nil
        else { return }
        snapshots[url] = SnapshotProgress(mark: mark)
        defer { snapshots[url] = nil }
        let set = "snapshot:" + url
        var document = PreloadItem(url: url, destination: .document, group: .boot)
        document.needs = .releaseInForce
        document.snapshot = SnapshotPart(page: url, cookie: request.head.headerFields[.cookie])
        let before = await inPlace(document)
        snapshots[url]?.lacked = MissingFiles(.lacked, of: before?.response)
        if let before, StoredNotes.isSnapshot(before.response) {
            document.snapshot?.replaces = true
            document.snapshot?.absent = MissingFiles(.absent, of: before.response)
        }
        await add([document], set: set)
        await runUntilSettled(set: set, patience: Self.snapshotPatience)
        let items = (machine.sets[set]?.ids ?? []).compactMap { machine.entries[$0] }
        let isComplete = if case .inForce? = machine.sets[set]?.release { true } else { false }
        try? await remove(set: set)
        guard let page = await inPlace(document) else { return }
        guard isComplete else {
            let lacking = items.filter {
                if case .refused(let refusal) = $0.state { refusal.isAnswered } else { false }
            }
            guard lacking.contains(where: { !$0.isAbsent }) else { return }
            return await cache.noteLackingSnapshot(
                page, as: request, files: lacking.map(\.item.url), lacksPage: lacking.contains(where: \.isDocument))
        }
        let contents = snapshots[url]?.contents ?? [:]
        var files: [StoredEntry] = []
        for entry in items where entry.isVerified {
            // Another page may have stored a newer one since.
            let hops = await inPlace(entry)
            guard let file = hops.last, file.bodyDigest == contents[entry.item.url] else { return }
            if !entry.isDocument { files += hops }
            // A redirect of a page may be a matter of who asks: its target has a snapshot of its own.
            if entry.isDocument, hops.count > 1 { return }
        }
        let absent = items.filter(\.isAbsent).map(\.item.url)
        let isNews = await cache.keepSnapshot(page, as: request, files: files, absent: absent, before: before)
        if isNews { cache.reportNewerPage(request) }
    }

    func inPlace(_ item: PreloadItem, at url: String? = nil) async -> StoredEntry? {
        guard let hop = fetch(0, item, .never).hop(to: url ?? item.url) else { return nil }
        return await cache.stored(for: hop.request)?.entry
    }

    /// A file, and the redirects that lead to it; none if one of them is gone.
    func inPlace(_ entry: PreloadMachine.Entry) async -> [StoredEntry] {
        guard case .verified(let keys) = entry.state else { return [] }
        var hops: [StoredEntry] = []
        for key in keys {
            guard let hop = await inPlace(entry.item, at: key.uri) else { return [] }
            hops.append(hop)
        }
        return hops
    }
}

extension PreloadFetch {
    /// The files that a page, or a part of it, names, and its content: of a snapshot those at the site of the page.
    func namedFiles(_ outcome: Outcome) async -> (files: [PreloadItem], content: BodyDigest?) {
        guard let page = item.snapshot?.page ?? item.namedBy else { return ([], nil) }
        let found: StoredEntry?
        switch outcome {
        case .staged(let staged): found = staged.hops.last.flatMap { $0.response ?? $0.confirmed }
        case .verified(let keys, _):
            // Behind its redirects.
            let url = keys.last?.uri ?? item.url
            found = if let hop = hop(to: url) { await cache.stored(for: hop.request)?.entry } else { nil }
        case .absent(_, let seen?): return (files(of: page, in: seen.content, seen.fields, at: seen.url), nil)
        default: found = nil
        }
        guard let found, let content = try? await cache.store.open(found) else { return ([], found?.bodyDigest) }
        let fields = found.response.fields
        let items = files(
            of: page, in: content.decoded(by: fields, upTo: OfflineCheck.longest), fields, at: found.key.uri)
        return (items, found.bodyDigest)
    }

    private func files(
        of page: String, in content: @autoclosure () -> [UInt8]?, _ fields: HTTPFields, at url: String
    ) -> [PreloadItem] {
        var (items, choices) = ([PreloadItem](), Set<Int>())
        // It may have been redirected.
        let page = item.namedBy == item.url ? url : page
        let named = OfflineCheck.references(
            in: content(), fields, at: url, item.destination, item.page, andLater: true, on: item.screen)
        for (load, choice) in named.loads {
            // A web view takes one candidate of an image, by its screen: a snapshot has the first at once, what is
            // fetched for a screen that is not known has all.
            if let choice, item.snapshot != nil, !choices.insert(choice).inserted { continue }
            guard
                let relation = PreloadItem(url: load.url, destination: load.destination, origin: page)
                    .relation(to: load.url), relation != .crossSite || item.snapshot == nil,
                load.destination != .document, Self.mayAsk(load.url, for: page)
            else { continue }
            // A page does without what another site does not have, an alternate style sheet, and a film.
            let isMedia = load.destination == .audio || load.destination == .video
            let isLater = relation == .crossSite || !load.isNeeded || isMedia
            var file = PreloadItem(
                url: load.url, destination: load.destination, group: isLater ? .lazy : item.group,
                origin: item.destination == .document ? page : item.url)
            (file.usesCORS, file.integrity) = (load.usesCORS, load.integrity)
            (file.namedBy, file.screen) = (item.namedBy, item.screen)
            if load.destination.isCode { file.page = named.page }
            file.snapshot = item.snapshot
            if relation != .sameOrigin { file.snapshot?.cookie = nil }
            items.append(file)
        }
        return items
    }

    /// Whether a page could ask so: not for plain http from https (Mixed Content §5.3), and not for what only this
    /// device or its network has, on behalf of a page from outside.
    private static func mayAsk(_ url: String, for page: String) -> Bool {
        let isMixed = page.hasPrefix("https:") && !url.hasPrefix("https:")
        // The page is in an encoding that is not read here.
        let isUnread = url.contains("%EF%BF%BD")
        return !isMixed && !isUnread && PrivateNetwork.mayLead(from: page, to: url)
    }
}

/// A snapshot that is being completed.
struct SnapshotProgress {
    /// Content that is removed after it is not brought back.
    var mark: StoreMark?
    /// The content of each of its files, by URL.
    var contents: [String: BodyDigest] = [:]
    /// The files that its server did not have the last time.
    var lacked = MissingFiles(.lacked, of: nil)
}

extension PreloadRefusal {
    /// Whether the server has answered, and what it answers is not to be had.
    fileprivate var isAnswered: Bool {
        switch reason {
        case .status: isFinal
        case .redirectedOffHost, .tooManyRedirects, .type, .sizeExceeded, .bomb, .damaged, .unknownCoding,
            .varyUnmatchable, .notStorable:
            true
        default: false
        }
    }
}
