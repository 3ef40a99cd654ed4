import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// The files that each page was last shown with, where the rule `older-than-page` is in force.
///
/// Pages share files that keep their names. After a deploy, the visit of one page stores new ones, and another page
/// that opens without a network would be the old one with the new style. So each stored page has tags that name the
/// versions of its files. A file that a newer one replaces is set aside as long as a stored page has it, and answers
/// that page where there is no network, although RFC 9111 §4.1 prefers the most recent response. Where there is one,
/// the newer file is validated before the page gets it.
final class PageSets: Sendable {
    /// The most pages whose files are known here; the least recently shown are forgotten, and read again from the
    /// store.
    private static let mostPages = 64
    /// The most files of a page; others are not noted.
    static let mostFiles = 1_000

    private struct Page {
        var key: CacheKey
        /// Tells this version of the page from others, see ``PageNews``.
        var version: String
        /// The content of each file, by URL.
        var files: [UInt64: UInt64] = [:]
        /// Whether it has files that are not written down.
        var hasNews = false
        var isBeingKept = false
        /// See ``PageFile/marks``.
        var marks: Set<String> = []
        /// Whether its server has sent or confirmed it for this showing.
        var isAnswered = false
        /// The files that belong to its snapshot, by URL.
        var held: Set<UInt64> = []
        /// The rule that has it shown as its snapshot; `nil` if it is not.
        var rule: String?

        mutating func read(_ tags: [String]) {
            for file in tags.lazy.compactMap(PageFile.init(tag:)) { files[file.url] = file.content }
            held.formUnion(tags.lazy.compactMap(PageFile.heldFile))
        }

        mutating func mark(_ mark: String, _ isSet: Bool) {
            guard marks.contains(mark) != isSet else { return }
            hasNews = true
            if isSet { marks.insert(mark) } else { marks.remove(mark) }
        }
    }

    /// A file as the page that asks was last shown with it.
    struct Shown {
        var content: UInt64
        /// The rule that has the page get this one and no newer one; `nil` if none does.
        var rule: String?
    }

    private struct State {
        var pages: [String: Page] = [:]
        var order: [String] = []
        /// The page that a style or a script belongs to, which asks for files in its own name.
        var owners: [String: String] = [:]

        /// The page that asks; the one of its origin that was shown last, where the referrer does not tell: browsers
        /// name to other origins no more than their own, and scripts change the address of their page.
        func page(of asking: Asking) -> String? {
            if !asking.isCrossOrigin, pages[asking.url] != nil { return asking.url }
            return owners[asking.url] ?? order.last { $0.hasPrefix(asking.origin) }
        }
    }

    private struct Asking {
        let url: String
        /// With a slash behind it.
        let origin: String
        let isCrossOrigin: Bool

        init?(_ request: EngineRequest) {
            let context = request.context
            guard context.destination != .document, !context.isBackground, context.preload == nil,
                let url = request.head.headerFields[.referer] ?? context.document, let parts = TargetURI.split(url)
            else { return nil }
            (self.url, origin) = (TargetURI.comparable(url), "\(parts.scheme)://\(parts.authority)/")
            isCrossOrigin = parts.authority != request.head.authority
        }
    }

    private let state = LockedBox(State())
    private let hasAny = AtomicFlag(false)

    /// Where a page that is shown comes from.
    enum Source {
        /// Its server has just sent it.
        case sent
        /// Its server has just said that it holds, so that its files are asked for again.
        case confirmed
        case store
        /// The store, where it can get no files.
        case offline
    }

    /// Notes that a stored page is shown.
    ///
    /// - Parameter rule: The rule that has it shown as its snapshot; `nil` if it is not.
    /// - Returns: Whether it has to be written down.
    @discardableResult
    func noteShown(
        _ page: StoredResponse, _ key: CacheKey, as url: String, from source: Source, at now: WallInstant,
        snapshot rule: String? = nil
    ) -> Bool {
        guard let version = page.tags.first(where: PageNews.isTag) else { return false }
        hasAny.value = true
        return state.withLock { state in
            state.order.removeAll { $0 == url }
            state.order.append(url)
            if state.order.count > Self.mostPages {
                let last = state.order.removeFirst()
                state.pages[last] = nil
                state.owners = state.owners.filter { $0.value != last }
            }
            if state.pages[url]?.version != version || state.pages[url]?.key != key {
                var shown = Page(key: key, version: version)
                shown.read(page.tags)
                shown.marks = PageFile.marks.intersection(page.tags)
                state.pages[url] = shown
            }
            if source == .confirmed {
                state.pages[url]?.mark(PageFile.mixed, false)
                let marks = PageFile.seenAgain(PageNews.since(page.tags), at: now)
                for mark in marks { state.pages[url]?.mark(mark, true) }
            }
            let isFirst = source != .offline && state.pages[url]?.marks.contains(PageFile.unseen) == true
            if isFirst { state.pages[url]?.mark(PageFile.unseen, false) }
            state.pages[url]?.isAnswered = source == .sent || source == .confirmed
            state.pages[url]?.rule = rule
            return isFirst && state.pages[url]?.isBeingKept == false
        }
    }

    /// Notes that a page is shown of which nothing is stored.
    func forget(_ url: String) {
        guard hasAny.value else { return }
        state.withLock { state in
            state.pages[url] = nil
            state.order.removeAll { $0 == url }
            state.owners = state.owners.filter { $0.value != url }
        }
    }

    /// Takes over the files of a page whose snapshot is complete now.
    func noteCompleted(_ page: StoredResponse, as url: String) {
        state.withLock { state in
            guard let known = state.pages[url], page.tags.contains(known.version) else { return }
            state.pages[url]?.read(page.tags)
        }
    }

    /// The way in which a page lacks a style or script of its own version.
    enum Lack {
        /// It gets one that is older than itself.
        case older(PageFile)
        /// It gets none, as its server gives no answer.
        case unanswered
        /// It gets none, as its server does not have it. This counts until ``PageFile/settled``.
        case absent
    }

    /// Notes that the page that asks is not whole.
    ///
    /// - Returns: The page, if it has to be written down.
    func noteLack(_ request: EngineRequest, _ lack: Lack) -> String? {
        guard hasAny.value, let asking = Asking(request) else { return nil }
        return state.withLock { state in
            guard let page = state.page(of: asking), let known = state.pages[page],
                !known.marks.contains(PageFile.mixed)
            else { return nil }
            let isHarmless =
                switch lack {
                // A page whose server does not answer for it is the one that was whole with this file.
                case .older(let file): !known.isAnswered && known.files[file.url] == file.content
                case .unanswered: asking.isCrossOrigin || !known.isAnswered
                case .absent: asking.isCrossOrigin || !known.isAnswered || known.marks.contains(PageFile.settled)
                }
            guard !isHarmless else { return nil }
            state.pages[page]?.mark(PageFile.mixed, true)
            return known.isBeingKept ? nil : page
        }
    }

    /// The content that the page that asks was last shown with; `nil` if that is unknown.
    func content(of uri: String, for request: EngineRequest) -> Shown? {
        guard hasAny.value, let asking = Asking(request) else { return nil }
        return state.withLock { state in
            guard let page = state.page(of: asking).flatMap({ state.pages[$0] }), case let url = PageFile.hash(uri),
                let content = page.files[url]
            else { return nil }
            return Shown(content: content, rule: page.held.contains(url) ? page.rule : nil)
        }
    }

    /// Notes the file that a page gets.
    ///
    /// - Returns: The page, if it has to be written down.
    func note(_ file: StoredEntry, for request: EngineRequest) -> String? {
        guard hasAny.value, let asking = Asking(request) else { return nil }
        // Without `Sec-Fetch-Dest`, the page behind a link.
        if request.context.destination == .unknown, file.response.tags.contains(where: PageNews.isTag) { return nil }
        let version = PageFile(file)
        let url = request.context.destination.mayAsk ? request.head.url : nil
        return state.withLock { state in
            guard let page = state.page(of: asking), let known = state.pages[page],
                known.files.count < Self.mostFiles
            else { return nil }
            if let url, url != page { state.owners[url] = page }
            guard known.files[version.url] != version.content,
                known.rule == nil || !known.held.contains(version.url),
                // A page whose server does not answer for it keeps the code that it was whole with.
                known.isAnswered || known.files[version.url] == nil || !PageFile.isCode(file.response.fields.mediaType)
            else { return nil }
            state.pages[page]?.held.remove(version.url)
            state.pages[page]?.files[version.url] = version.content
            state.pages[page]?.hasNews = true
            return known.isBeingKept ? nil : page
        }
    }

    /// The pages that have to be written down.
    var news: [String] { hasAny.value ? state.withLock { $0.pages.filter(\.value.hasNews).map(\.key) } : [] }

    /// Begins to write down a page; `nil` if there is nothing to write.
    func beginKeeping(_ url: String) -> (key: CacheKey, version: String, tags: [String])? {
        state.withLock { state -> (key: CacheKey, version: String, tags: [String])? in
            guard let page = state.pages[url], page.hasNews else {
                state.pages[url]?.isBeingKept = false
                return nil
            }
            state.pages[url]?.hasNews = false
            state.pages[url]?.isBeingKept = true
            return (page.key, page.version, page.files.map { PageFile(url: $0, content: $1).tag } + page.marks)
        }
    }

    /// Ends it; the page is not stored yet, or can't be written.
    func endKeeping(_ url: String) {
        state.withLock { state in
            state.pages[url]?.hasNews = true
            state.pages[url]?.isBeingKept = false
        }
    }

    // MARK: What is set aside

    /// Nominated by a file that a newer one has replaced. No request has such a field.
    private static let aside = ":page"

    static func isAside(_ response: StoredResponse) -> Bool {
        response.nominatedFields.values.keys.contains { $0 == aside }
    }

    static func setAside(_ entry: StoredEntry) -> StoredResponse {
        var response = entry.response
        response.nominatedFields.values[aside] = PageFile(entry).tag
        return response
    }
}

extension Destination {
    /// Whether it asks for files in its own name.
    fileprivate var mayAsk: Bool { [.style, .script, .worker, .unknown].contains(self) }
}

extension ExchangeMachine {
    /// The file that the page that asks was last shown with, where another one is in its place.
    var pagesOwn: StoredEntry? {
        guard let pageFile else { return nil }
        let own = candidates.entries.filter { PageFile($0).content == pageFile.content }
        guard own.allSatisfy({ PageSets.isAside($0.response) }) else { return nil }
        return own.first { answersOrigin($0.response) && wouldSelect($0.response) }
    }

    /// Whether a response that is set aside would be selected if it were in its place.
    private func wouldSelect(_ response: StoredResponse) -> Bool { StoredNotes.nominatedFields(response).match(fields) }

    /// The page as it was last whole, where the one that came since was shown with older files.
    var wholePage: StoredEntry? {
        guard context.destination.isPage || context.destination == .unknown,
            isCutOff
                || candidates.entries.contains(where: {
                    PageFile.isLastResort($0.response) && mayAnswer($0.response)
                })
        else { return nil }
        return candidates.entries.first {
            PageSets.isAside($0.response) && $0.response.tags.contains(where: PageNews.isTag)
                && $0.response.extent == .complete && wouldSelect($0.response)
        }
    }

    /// The stored page that opens where there is no network.
    fileprivate var shownWithoutNetwork: StoredEntry? {
        wholePage ?? candidates.entries.first { mayAnswer($0.response) }
    }

    /// Whether a page gets this file only because its server does not answer, or with an error, and the page is newer.
    fileprivate func wouldMix(_ file: StoredResponse) -> Bool {
        guard isOlderThanPage, originFailure != nil, pagesOwn == nil else { return false }
        return PageFile.isCode(file.fields.mediaType)
    }
}

extension RunningExchange {
    /// Notes that a stored response answers, if it is a file of a page.
    func noteFile(_ entry: StoredEntry) {
        let request = machine.prepared.request
        if machine.wouldMix(entry.response), let page = cache.pageSets.noteLack(request, .older(PageFile(entry))) {
            cache.keepLater(page)
        }
        cache.noteFile(entry, for: request)
    }

    /// Whether a page asks for a style or script.
    var isPagesCode: Bool {
        switch context.destination {
        case .style, .script: true
        case .unknown: [".js", ".mjs", ".css"].contains { head.path?.prefix { $0 != "?" }.hasSuffix($0) == true }
        default: false
        }
    }

    /// Notes that a page does not get what it asks for, where that is a style or script of its own origin: without a
    /// network the version before opens.
    func noteLack(_ lack: PageSets.Lack) {
        guard isPagesCode, context.connectivity.hasNetwork,
            let page = cache.pageSets.noteLack(machine.prepared.request, lack)
        else { return }
        cache.keepLater(page)
    }
}

extension ResponseCache {
    func noteFile(_ entry: StoredEntry, for request: EngineRequest) {
        // An error is no file that a page is whole with.
        if entry.response.status.code < 400, let page = pageSets.note(entry, for: request) { keepLater(page) }
    }

    func keepLater(_ page: String) { background.transfer { await self.keepSet(of: page) } }

    /// Reads the files of the page that asks, in a process that has not shown it.
    func recallPage(of request: EngineRequest) async {
        guard let page = request.head.headerFields[.referer], let parts = TargetURI.split(page) else { return }
        var context = ExchangeContext(partition: request.context.partition, destination: .document)
        context.connectivity = request.context.connectivity
        let head = HTTPRequest(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        var shown = RunningExchange(EngineRequest(head: head, context: context), cache: self)
        _ = await shown.decide()
        guard let key = shown.key, let entry = shown.machine.shownWithoutNetwork else { return }
        pageSets.noteShown(
            entry.response, key, as: page, from: .offline, at: now, snapshot: shown.machine.snapshotRule)
    }

    /// Notes that a page is stored, whose files may have come before.
    func keepNews() async { for page in pageSets.news { await keepSet(of: page) } }

    /// Writes down which files a page has, until there is nothing new.
    private func keepSet(of page: String) async {
        while let (key, version, tags) = pageSets.beginKeeping(page) {
            let isKept = await changeTags(of: key, where: { $0.response.tags.contains(version) }) { known in
                known.filter { PageFile(tag: $0) == nil && !PageFile.marks.contains($0) } + tags
            }
            if !isKept { return pageSets.endKeeping(page) }
        }
    }

    /// Changes the tags of one stored response.
    ///
    /// - Returns: False if it is not there, or can't be written.
    func changeTags(
        of key: CacheKey, where isMeant: @escaping @Sendable (StoredEntry) -> Bool,
        _ change: @escaping @Sendable ([String]) -> [String]
    ) async -> Bool {
        let isKept = try? await commits.run([key]) { [store] () -> Bool in
            let mark = store.mark()
            guard let entry = try await store.entries(for: key).first(where: isMeant) else { return false }
            var response = entry.response
            response.tags = change(response.tags)
            if response.tags == entry.response.tags { return true }
            try await store.update(entry.id, key: key, response: response, since: mark)
            return true
        }
        return isKept ?? false
    }
}
