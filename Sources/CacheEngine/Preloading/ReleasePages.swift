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

extension StoringTransfer {
    /// Sets a file of a release, or of a page that is stored, aside before a response takes its place.
    func keepOlder(than new: StoredResponse) async {
        for move in await asides(before: new) { _ = try? await cache.store.move([move]) }
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
        let isLastWhole = known.contains {
            !PageSets.isAside($0.response) && PageFile.isLastResort($0.response)
        }
        var moves: [StoredMove] = []
        for entry in known
        where entry.key == key && !VerifiedContent.isKept(entry.response) {
            let older = entry.response
            // One that was asked for after this one's answer is newer: this one is discarded in its favour.
            if isChanged, new.responseTime < older.requestTime { continue }
            let isPage = older.tags.contains(where: PageNews.isTag)
            if PageSets.isAside(older) {
                // A page in a frame is a file as well.
                let isFile = await cache.isOfPage(entry)
                if !isFile, !(isPage && isLastWhole) { try? await cache.store.discard([entry]) }
                continue
            }
            var isReplaced = older.isOfRelease
            if !isReplaced, older.nominatedFields == new.nominatedFields || machine.isReplaced(older) {
                let isWhole =
                    older.extent == .complete && older.tags.contains { PageFile(tag: $0) != nil }
                    && !PageFile.isLastResort(older)
                let isHeld = await cache.isOfPage(entry)
                isReplaced = isHeld || isPage && isWhole
            }
            guard isReplaced else { continue }
            let aside = older.isOfRelease ? VerifiedContent.keep(older) : PageSets.setAside(entry)
            var move = StoredMove(entry, to: key, response: aside, since: mark)
            move.isOptional = true
            moves.append(move)
        }
        return moves
    }
}

/// Since when each site has shown the page that it shows now, so that a new page does not get the old files.
///
/// On a server that states no freshness the store answers for a style or a script at once, and validates it behind.
/// After a deploy that would be the new page with the old style. So the rule `older-than-page` has files validated
/// first that were last confirmed before the page came; once they are, or where the page was confirmed, they answer at
/// once.
final class PageNews: Sendable {
    /// A stored page has a tag with this prefix and the time at which its content was asked for, in milliseconds since
    /// the Unix epoch: a 304 changes the other times.
    private static let prefix = "page-since:"
    /// How many sites are known.
    private static let most = 256

    private struct Site: Sendable {
        /// Since when the page has been there that it shows.
        var since: WallInstant?
        /// When it last showed a document.
        var shown: WallInstant?
        /// When a page of it last changed something by a request, such as a POST.
        var posted: WallInstant?
    }

    private let sites = LockedBox(RecentCache<String, Site>(budget: most))

    static func tag(_ since: WallInstant) -> String {
        let (seconds, attoseconds) = since.sinceEpoch.components
        return prefix + String(seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000)
    }

    static func isTag(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Since when a stored page has been there; `nil` without the tag.
    static func since(_ tags: [String]) -> WallInstant? {
        tags.first(where: isTag).flatMap { Int64($0.dropFirst(prefix.count)) }
            .map { WallInstant(sinceEpoch: .milliseconds($0)) }
    }

    /// Notes that a stored page is shown.
    func shows(_ page: StoredResponse, as request: EngineRequest) {
        if let since = Self.since(page.tags) { shows(since: since, as: request) }
    }

    func shows(since: WallInstant, as request: EngineRequest) {
        // A page that is older than another one of its site does not make files older.
        change(request.head.authority, request) { $0.since = max($0.since ?? since, since) }
    }

    /// Notes that a document is shown, new or not.
    func begins(as request: EngineRequest, at now: WallInstant) {
        change(request.head.authority, request) { $0.shown = now }
    }

    /// Notes that a script or style of a page has changed: what was confirmed before the page was shown is older.
    func changes(as request: EngineRequest, at now: WallInstant) {
        change(authority(ofPageOf: request), request) { site in
            let time = site.shown ?? now
            site.since = max(site.since ?? time, time)
        }
    }

    /// Notes that a page has changed something by a request: data that its scripts ask for then are not those of
    /// before.
    func posts(as request: EngineRequest, at now: WallInstant) {
        change(authority(ofPageOf: request), request) { $0.posted = now }
    }

    /// Whether a page of the site has changed something within the last half minute, and after a response was stored.
    func hasJustPosted(_ request: EngineRequest, since stored: WallInstant, at now: WallInstant) -> Bool {
        let name = Self.site(request.context.partition, authority(ofPageOf: request))
        guard let posted = sites.withLock({ $0.value(for: name)?.posted }) else { return false }
        return posted >= stored && posted <= now && now - posted < .seconds(30)
    }

    private func change(_ authority: String?, _ request: EngineRequest, _ change: (inout Site) -> Void) {
        let name = Self.site(request.context.partition, authority)
        sites.withLock { sites in
            var site = sites.value(for: name) ?? Site()
            change(&site)
            sites.set(site, for: name)
        }
    }

    /// The host of the page that asks: a frame's by its `Referer`, unless that is a style's of a host without pages.
    private func authority(ofPageOf request: EngineRequest) -> String? {
        let hosts = [request.head.headerFields[.referer], request.context.document]
            .compactMap { $0.flatMap { TargetURI.split($0)?.authority } }
        let partition = request.context.partition
        return sites.withLock { sites in
            hosts.first { sites.value(for: Self.site(partition, $0)) != nil }
        } ?? hosts.last ?? request.head.authority
    }

    /// Since when the page that asks for a file has been there; `nil` if that is unknown.
    func since(for request: EngineRequest, at now: @autoclosure () -> WallInstant) -> WallInstant? {
        let name = Self.site(request.context.partition, authority(ofPageOf: request))
        let since = sites.withLock { sites -> WallInstant? in
            let site = sites.value(for: name)
            guard request.context.destination == .fetch, let posted = site?.posted else { return site?.since }
            return max(posted, site?.since ?? posted)
        }
        // A clock that was set back would have every file asked about again and again.
        return since.flatMap { $0 <= now() ? $0 : nil }
    }

    private static func site(_ partition: String, _ authority: String?) -> String { "\(partition) \(authority ?? "")" }
}

extension ExchangeMachine {
    /// Whether a response may be a page that a web view shows, itself or in a frame.
    func isPage(_ fields: HTTPFields) -> Bool {
        context.destination.isPage
            || context.destination == .unknown && fields.mediaType == "text/html"
    }
}
