import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// One version of a file: the beginnings of hashes of its URL and its content. A redirect's content is where it leads.
struct PageFile: Hashable {
    static let prefix = "page-file:"

    let url: UInt64
    let content: UInt64

    init(_ file: StoredEntry) {
        let location = file.response.status.isRedirect ? file.response.fields[.location] : nil
        url = Self.hash(file.key.uri)
        content = location.map(Self.hash) ?? file.bodyDigest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    init?(tag: String) {
        guard tag.hasPrefix(Self.prefix), case let digits = tag.dropFirst(Self.prefix.count), digits.utf8.count == 32,
            let url = UInt64(digits.prefix(16), radix: 16), let content = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        (self.url, self.content) = (url, content)
    }

    init(url: UInt64, content: UInt64) { (self.url, self.content) = (url, content) }

    var tag: String {
        func digits(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return Self.prefix + digits(url) + digits(content)
    }

    static func isTag(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// The tag of a page that was shown with an older style or script, or without one of its own, see
    /// ``PageSets/Lack``.
    static let mixed = prefix + "mixed"
    /// The tag of a page that is known to have its files: it was shown again, and held, or was fetched with them.
    static let seen = prefix + "seen"

    /// The tag of such a page that was there for a while before: a file that its server does not have is gone for good.
    static let settled = prefix + "settled"
    /// How long a deploy may take that puts a page up before its files.
    private static let deployTime = Duration.seconds(600)

    /// The tags of a page that is shown again.
    ///
    /// - Parameter since: When it was asked for first.
    static func seenAgain(_ since: WallInstant?, at now: WallInstant) -> [String] {
        [seen] + (since.map { now - $0 >= deployTime } == true ? [settled] : [])
    }

    /// The tag of a page that came in the background, and was not shown yet: its files may be missing.
    static let unseen = prefix + "unseen"
    static let marks: Set = [mixed, seen, settled, unseen]

    /// Whether an older version that was whole is preferred to this page when there is no network.
    static func isLastResort(_ page: StoredResponse) -> Bool { page.tags.contains { $0 == mixed || $0 == unseen } }

    /// The marks of a page that was fetched with its files.
    static let whole = [seen, settled]

    /// Whether a media type is that of a style sheet or a script.
    static func isCode(_ type: String?) -> Bool {
        type.map { $0 == "text/css" || MediaTypeKind($0) == .javaScript } == true
    }

    /// Whether content is data, as scripts ask for: of that, the latest is shown. A script's binary code (wasm), its
    /// pictures and the like belong to it.
    static func isData(_ type: String?, for destination: Destination) -> Bool {
        guard let type, destination == .fetch || destination == .unknown else { return false }
        return ["text/html", "text/plain", "text/csv"].contains(type) || [.json, .xml].contains(MediaTypeKind(type))
    }

    /// FNV-1a: the same in each process.
    static func hash(_ uri: String) -> UInt64 {
        uri.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension ExchangeMachine {
    /// The tags of a page that was asked for at this time.
    func pageTags(_ time: WallInstant) -> [String] {
        let since = PageNews.tag(time)
        // It is fetched with its files.
        guard context.preload == nil else { return [since] + PageFile.whole }
        let last = candidates.entries.first {
            $0.response.tags.contains(PageFile.mixed) && !PageSets.isAside($0.response)
        }
        let marks = last.map { PageFile.seenAgain(PageNews.since($0.response.tags), at: time) } ?? []
        return [since] + marks + (context.isBackground ? [PageFile.unseen] : [])
    }
}

/// Pages that open from their snapshots, see `Verdict.snapshot`: the document and its files, as they were fetched
/// together.
extension PageFile {
    /// The tag of a page whose snapshot is complete, see `Verdict.snapshot`.
    static let complete = prefix + "complete"
    private static let lacking = prefix + "lacking:"
    /// How long a snapshot is shown after a newer one was found to lack something.
    private static let patience = Duration.seconds(86_400)

    /// The tag of a page whose newer snapshot lacks something since this time.
    static func lacking(since time: WallInstant) -> String { lacking + String(time.unixSeconds) }

    static func isLacking(_ tag: String) -> Bool { tag.hasPrefix(lacking) }

    /// Whether a page opens from its snapshot.
    static func isSnapshot(_ page: StoredResponse, at now: WallInstant) -> Bool {
        guard page.tags.contains(complete) else { return false }
        guard let since = page.tags.first(where: isLacking).flatMap({ Int64($0.dropFirst(lacking.count)) }) else {
            return true
        }
        return now - WallInstant(unixSeconds: since) < patience
    }

    /// The tags of a page that was fetched with these files. What its scripts fetched on a visit stays noted, unless
    /// the page had other versions of these files then.
    static func tags(_ known: [String], with files: [PageFile]) -> [String] {
        let versions = Dictionary(files.map { ($0.url, $0.content) }, uniquingKeysWith: { first, _ in first })
        let shown = known.compactMap(PageFile.init(tag:))
        let isSame = shown.allSatisfy { versions[$0.url] == nil || versions[$0.url] == $0.content }
        let others = isSame ? shown.filter { versions[$0.url] == nil } : []
        return known.filter { !isTag($0) } + (files + others).map(\.tag)
    }

    /// The tag of a file that belongs to a snapshot: nothing newer is shown with it.
    var heldTag: String { Self.held + String(url, radix: 16) }
    private static let held = prefix + "held:"

    /// The file that such a tag is of.
    static func heldFile(_ tag: String) -> UInt64? {
        tag.hasPrefix(held) ? UInt64(tag.dropFirst(held.count), radix: 16) : nil
    }
}

/// Files that a page's server does not have, by the tags of the page.
package struct MissingFiles: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// The snapshot is whole without them.
        case absent
        /// A newer snapshot lacks them.
        case lacked
    }

    static let most = 100
    private let kind: Kind
    private var tags: Set<String> = []

    package init(_ kind: Kind, of page: StoredResponse?) {
        self.kind = kind
        tags = Set(page?.tags.filter { $0.hasPrefix(Self.prefix(kind)) } ?? [])
    }

    package func contains(_ url: String) -> Bool { tags.contains(Self.tag(kind, url)) }

    static func prefix(_ kind: Kind) -> String { PageFile.prefix + kind.rawValue + ":" }

    static func tag(_ kind: Kind, _ url: String) -> String { prefix(kind) + String(PageFile.hash(url), radix: 16) }
}

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
    /// for it. Names with a content hash don't count, as a page may need them no more, or not yet; nor do those that a
    /// release changes, such as `/v12/app.js` and `main-4f1q.js`, of which the page has got as many.
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
        var (hadCode, hasCode) = (false, false)
        try? await cache.store.forEachSummary(of: selection) { summary in
            guard PageFile.isCode(summary.contentType) else { return }
            let file = PageFile.hash(summary.uri)
            if old.contains(file) { hadCode = true }
            if new.contains(file) { hasCode = true }
            guard old.contains(file) != new.contains(file),
                HashedName(path: TargetURI.split(summary.uri)?.path ?? "") == nil
            else { return }
            if new.contains(file) {
                added[Self.withoutNumbers(summary.uri), default: 0] += 1
            } else {
                times[summary.uri] = max(summary.storedAt, times[summary.uri] ?? summary.storedAt)
            }
        }
        // Whatever its names are, it has got nothing yet.
        if hadCode, !hasCode { return true }
        let late = times.filter { $0.value < page.response.responseTime }.keys
        return Dictionary(grouping: late, by: Self.withoutNumbers).contains { $1.count > added[$0] ?? 0 }
    }

    /// With `#` for each word that has a digit.
    private static func withoutNumbers(_ uri: String) -> String {
        uri.replacing(/[A-Za-z]*[0-9][0-9A-Za-z]*/, with: "#")
    }
}

/// Notes of the engine in stored responses, which are for itself alone.
package enum StoredNotes {
    /// The tags of rules, and those that say what was fetched ahead.
    package static func tags(of tags: [String]) -> [String] {
        tags.filter { !PageFile.isTag($0) && !PageNews.isTag($0) && !Preflights.isTag($0) }
    }

    /// Whether a page has a complete snapshot, see `Verdict.snapshot`.
    package static func isSnapshot(_ page: StoredResponse) -> Bool { page.tags.contains(PageFile.complete) }

    /// Whether a newer response is in its place, and a page or a release still needs it.
    package static func isSetAside(_ response: StoredResponse) -> Bool {
        PageSets.isAside(response) || VerifiedContent.isKept(response)
    }

    /// The fields that it is stored for.
    package static func nominatedFields(_ response: StoredResponse) -> NominatedFields {
        NominatedFields(values: response.nominatedFields.values.filter { VerifiedContent.isNominated($0.key) })
    }
}

extension ResponseCache {
    /// Takes over which files a page was noted to have since an exchange has looked it up.
    func keepFilesSince(_ page: inout StoredEntry) async {
        let id = page.id
        let now = (try? await store.entries(for: page.key))?.first { $0.id == id }
        guard let now else { return }
        page.response.tags =
            page.response.tags.filter { !PageFile.isTag($0) } + now.response.tags.filter(PageFile.isTag)
    }

    /// Whether a stored page was last shown with this file, besides those under some keys.
    func isOfPage(_ entry: StoredEntry, besides keys: Set<CacheKey> = []) async -> Bool {
        let selection = EntrySelection(tag: PageFile(entry).tag)
        let pages = try? await store.summaries(of: selection, after: nil, limit: keys.count + 1)
        return pages?.contains { !keys.contains($0.key) } ?? false
    }
}

extension HTTPRequest {
    /// As a page names it in `Referer`, but for the spelling.
    var url: String { TargetURI.comparable(targetURL) }
}
