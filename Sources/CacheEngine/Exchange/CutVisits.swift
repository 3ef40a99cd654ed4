import CacheRules
import HTTPCacheSemantics
import ResponseStore

/// Pages whose visit was cut off after a deploy: by a bad network, or with the app.
///
/// Such a page is new, and a script that it did not get any more is still that of the version before. Without a network
/// the version before opens, which was whole, until the new one is visited again. A page that was shown so is known by
/// ``PageFile/mixed``; this is for the first time.
extension RunningExchange {
    /// Whether the version before stands beside a page, so that ``isCutOff(_:)`` has to be asked.
    func hasVersionBefore(_ found: [StoredEntry]) -> Bool {
        found.count > 1 && (context.destination.isPage || context.destination == .unknown)
            && machine.policy.verdict != .snapshot
            && found.contains { PageSets.isAside($0.response) && $0.response.tags.contains(where: PageNews.isTag) }
    }

    /// Whether a style or script that the version before had has not come since the page did, and the page did not ask
    /// for it. Names with a content hash don't count: their old content is no other's; nor do those that a release
    /// changes, such as `/v12/app.js` and `main-4f1q.js`, of which the page has got as many.
    func isCutOff(_ found: [StoredEntry]) async -> Bool {
        let versions = found.filter { $0.response.tags.contains(where: PageNews.isTag) }
        guard let before = versions.first(where: { PageSets.isAside($0.response) }),
            let page = versions.first(where: { !PageSets.isAside($0.response) }),
            // A snapshot knows itself what it lacks.
            !page.response.tags.contains(PageFile.seen), !StoredNotes.isSnapshot(page.response),
            !StoredNotes.isSnapshot(before.response)
        else { return false }
        func files(_ entry: StoredEntry) -> Set<UInt64> {
            Set(entry.response.tags.lazy.compactMap(PageFile.init(tag:)).map(\.url))
        }
        let (old, new) = (files(before), files(page))
        guard !old.isSubset(of: new) else { return false }
        var selection = EntrySelection(partition: page.key.partition)
        selection.host = page.key.host
        // The last time of each, as the version before is stored too.
        var (times, added) = ([String: WallInstant](), [String: Int]())
        try? await cache.store.forEachSummary(of: selection) { summary in
            guard Self.isCode(summary.contentType), case let file = PageFile.hash(summary.uri),
                old.contains(file) != new.contains(file),
                HashedName(path: TargetURI.split(summary.uri)?.path ?? "") == nil
            else { return }
            if new.contains(file) {
                added[Self.withoutNumbers(summary.uri), default: 0] += 1
            } else {
                times[summary.uri] = max(summary.storedAt, times[summary.uri] ?? summary.storedAt)
            }
        }
        let late = times.filter { $0.value < page.response.responseTime }.keys
        return Dictionary(grouping: late, by: Self.withoutNumbers).contains { $1.count > added[$0] ?? 0 }
    }

    /// With `#` for each word that has a digit.
    private static func withoutNumbers(_ uri: String) -> String {
        uri.replacing(/[A-Za-z]*[0-9][0-9A-Za-z]*/, with: "#")
    }

    private static func isCode(_ type: String?) -> Bool {
        type.map { $0 == "text/css" || $0.contains("javascript") } ?? false
    }
}
