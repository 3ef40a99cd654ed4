import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

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
        /// When a page of it last changed something by a request, such as a POST, or signed in or out.
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
    func noteShown(_ page: StoredResponse, as request: EngineRequest) {
        if let since = Self.since(page.tags) { noteShown(since: since, as: request) }
    }

    func noteShown(since: WallInstant, as request: EngineRequest) {
        // A page that is older than another one of its site does not make files older.
        change(request.head.authority, request) { $0.since = max($0.since ?? since, since) }
    }

    /// Notes that a document is shown, new or not.
    func noteBegun(as request: EngineRequest, at now: WallInstant) {
        change(request.head.authority, request) { $0.shown = now }
    }

    /// Notes that a script or style of a page has changed: what was confirmed before the page was shown is older.
    func noteChanged(as request: EngineRequest, at now: WallInstant) {
        change(authority(ofPageOf: request), request) { site in
            let time = site.shown ?? now
            site.since = max(site.since ?? time, time)
        }
    }

    /// Notes that a page has changed something by a request: data that its scripts ask for then are not those of
    /// before.
    func notePosted(as request: EngineRequest, at now: WallInstant) {
        change(authority(ofPageOf: request), request) { $0.posted = now }
    }

    /// Whether a page of the site has changed something after a response was stored.
    func hasPosted(_ request: EngineRequest, since stored: WallInstant) -> Bool {
        posted(request).map { $0 >= stored } ?? false
    }

    /// Whether it has within the last half minute.
    func hasJustPosted(_ request: EngineRequest, since stored: WallInstant, at now: WallInstant) -> Bool {
        guard let posted = posted(request) else { return false }
        return posted >= stored && posted <= now && now - posted < .seconds(30)
    }

    private func posted(_ request: EngineRequest) -> WallInstant? {
        let name = Self.site(request.context.partition, authority(ofPageOf: request))
        return sites.withLock { $0.value(for: name)?.posted }
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
