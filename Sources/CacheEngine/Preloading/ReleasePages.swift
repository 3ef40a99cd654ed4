import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// The pages, and what they have loaded lately, of hosts where a page has replaced a file of a release: each of them
/// gets either all of the release or what is newer, never some of both.
final class ReleasePages: Sendable {
    enum Version: Sendable {
        /// The release in force, as it stays for when there is no network.
        case release
        /// The responses that the origin has sent since.
        case newer
    }

    /// How many URLs are known.
    private static let most = 1_024

    private let known = LockedBox(RecentCache<String, Version>(budget: most))
    private let hasAny = AtomicFlag(false)

    /// The version that the page that asks was made of; `nil` where nobody knows, and for pages themselves.
    func version(for request: EngineRequest) -> Version? {
        guard hasAny.value, request.context.destination != .document, request.context.preload == nil,
            let page = request.head.headerFields[.referer] ?? request.context.document
        else { return nil }
        return known.withLock { $0.value(for: TargetURI.comparable(page)) }
    }

    /// - Parameter version: `nil` to forget it.
    func note(_ url: String, _ version: Version?) {
        guard version != nil || hasAny.value else { return }
        hasAny.value = true
        known.withLock { known in
            if let version { known.set(version, for: url) } else { known.remove(url) }
        }
    }
}

extension ExchangeMachine {
    /// The file of a release that a page has replaced since, or has stored under a query that is passed over there.
    private var kept: StoredEntry? {
        candidates.entries.first { entry in
            let isElsewhere = entry.key.uri != key?.uri && entry.response.isOfRelease
            return (isElsewhere || VerifiedContent.isKept(entry.response)) && answersOrigin(entry.response)
        }
    }

    /// Whether a file of the release is preferred to what is stored under the very address with its query.
    var wantsRelease: Bool {
        guard pageVersion == .release || pageVersion == nil && lacksNetwork, !context.destination.isPage else {
            return false
        }
        return key?.uri.utf8.contains(0x3F) ?? false
    }

    /// The file of the release in force, or the one that the page that asks was last shown with, if the page must get
    /// that one instead of a newer one.
    ///
    /// - Parameter isUnanswered: Whether the origin was asked, and gave no usable answer.
    func keptFile(isUnanswered: Bool = false) -> StoredEntry? {
        guard !context.isBackground, context.preload == nil else { return nil }
        if pageFile?.rule != nil, let pagesOwn { return pagesOwn }
        let lacksAnswer = lacksNetwork || isUnanswered
        switch pageVersion {
        case .release?: return kept
        case .newer?: return lacksAnswer ? wholePage ?? pagesOwn : nil
        case nil:
            let kept = lacksNetwork || isUnanswered && context.destination.isPage ? kept : nil
            return kept ?? (lacksAnswer ? wholePage ?? pagesOwn : nil)
        }
    }

    /// The version that an answer belongs to; `nil` where there is only one.
    ///
    /// - Parameters:
    ///   - entry: The stored response that answers; `nil` if the origin's does.
    ///   - isConfirmed: Whether the origin has just said that it still holds.
    func version(answeringWith entry: StoredEntry?, isConfirmed: Bool) -> ReleasePages.Version? {
        if let entry {
            if VerifiedContent.isKept(entry.response) { return .release }
            // Another page may have replaced files of the release since, and a newer page may be in no release.
            if context.destination.isPage, !isConfirmed {
                if entry.response.isOfRelease { return .release }
                if lacksNetwork { return .newer }
            }
        }
        let replaces = candidates.entries.contains {
            VerifiedContent.isKept($0.response) || entry == nil && $0.response.isOfRelease
        }
        return replaces && context.destination.isPage ? .newer : pageVersion
    }
}

extension RunningExchange {
    /// Notes what a page is made of.
    func noteVersion(answeringWith entry: StoredEntry?, isConfirmed: Bool = false) {
        let isPage = context.destination.isPage
        guard machine.candidates.entries.count > 1 || entry == nil || machine.pageVersion != nil || isPage,
            !context.isBackground, context.preload == nil
        else { return }
        let version = machine.version(answeringWith: entry, isConfirmed: isConfirmed)
        if version != nil || isPage { cache.releasePages.note(head.url, version) }
    }
}

extension ResponseCache {
    /// Notes that the page under a key, if it was shown, is of no release any more.
    package func leaveRelease(_ key: CacheKey) async {
        let isShownPage: @Sendable (StoredEntry) -> Bool = {
            $0.response.isOfRelease && $0.response.tags.contains(where: PageNews.isTag)
        }
        _ = await changeTags(of: key, where: isShownPage) { $0.filter { $0 != VerifiedContent.release } }
    }
}

extension StoringTransfer {
    /// Sets a file of a release, or of a page that is stored, aside before a response takes its place.
    func keepOlder(than new: StoredResponse) async {
        for move in await asides(before: new) { _ = try? await cache.store.move([move]) }
    }

    /// The moves that set files aside which a release replaces, for stored pages that are not replaced with them. What
    /// is aside already moves as well: the release removes the rest.
    func asides(before new: StoredEntry? = nil, besides keys: Set<CacheKey>) async throws -> [StoredMove] {
        var moves: [StoredMove] = []
        for entry in try await cache.store.entries(for: key)
        where entry.key == key && entry.bodyDigest != new?.bodyDigest && entry.response.extent == .complete
            && !VerifiedContent.isKept(entry.response) && !entry.response.tags.contains(where: PageNews.isTag)
        {
            guard await cache.isOfPage(entry, besides: keys) else { continue }
            var aside = PageSets.setAside(entry)
            aside.tags.removeAll(where: VerifiedContent.isTag)
            moves.append(move(entry, as: aside))
        }
        return moves
    }

    /// The moves that set it aside; what is set aside and not needed any more is removed.
    func asides(before new: StoredResponse) async -> [StoredMove] {
        guard machine.context.preload?.isStaged != true else { return [] }
        var known = machine.candidates.entries
        // A release may have been put in place since the request left.
        let isChanged = mark.map { cache.store.history(of: key, since: $0).mayBeStored } ?? true
        if isChanged || known.isEmpty && machine.forwardReason != .uriMiss {
            known = (try? await cache.store.entries(for: key)) ?? []
        }
        // Where the page that is being replaced was never whole, the one before it stays.
        let isLastWhole = known.contains { !PageSets.isAside($0.response) && PageFile.isLastResort($0.response) }
        var moves: [StoredMove] = []
        for entry in known where entry.key == key && !VerifiedContent.isKept(entry.response) {
            let older = entry.response
            // One that was asked for after this one's answer is newer: this one is discarded in its favour.
            if isChanged, new.responseTime < older.requestTime { continue }
            let isPage = older.tags.contains(where: PageNews.isTag)
            // Data from before a change by a page, or of the account before, is shown by none.
            let isOutdated =
                !isPage && PageFile.isData(older.fields.mediaType, for: machine.context.destination)
                && cache.pageNews.hasPosted(machine.prepared.request, since: older.responseTime)
            if PageSets.isAside(older) {
                // A page in a frame is a file as well.
                let isFile = !isOutdated ? await cache.isOfPage(entry) : false
                if !isFile, !(isPage && isLastWhole) { try? await cache.store.discard([entry]) }
                continue
            }
            var isReplaced = older.isOfRelease
            if !isReplaced, !isOutdated, older.nominatedFields == new.nominatedFields || machine.isReplaced(older) {
                let isWhole =
                    older.extent == .complete && older.tags.contains { PageFile(tag: $0) != nil }
                    && !PageFile.isLastResort(older)
                let isHeld = await cache.isOfPage(entry)
                isReplaced = isHeld || isPage && isWhole
            }
            guard isReplaced else { continue }
            moves.append(move(entry, as: older.isOfRelease ? VerifiedContent.keep(older) : PageSets.setAside(entry)))
        }
        return moves
    }

    private func move(_ entry: StoredEntry, as aside: StoredResponse) -> StoredMove {
        var move = StoredMove(entry, to: key, response: aside, since: mark)
        move.isOptional = true
        return move
    }
}
