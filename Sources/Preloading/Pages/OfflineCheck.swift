import CacheEngine
import CacheRules
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import PageSyntax
import ResponseStore

/// Asks the store for pages, and for all that their own HTML, CSS and the heads of their modules refer to, as a web
/// view would without a network. Nothing is sent, stored or reported.
struct OfflineCheck {
    /// Documents, style sheets and modules are read so far.
    static let longest = 8 << 20
    /// Style sheets within style sheets, frames within frames, and imports of modules.
    private static let deepest = 32

    struct Load: Hashable {
        var url: String
        var destination: PreloadDestination
        var usesCORS = false
        /// Whether the page would lack it.
        var isNeeded = true
        /// The hashes that its tag states, see ``Integrity``; empty for none.
        var integrity = ""
        /// The address as lists have it.
        var listedURL: String { TargetURI.comparable(url) }
    }

    let cache: ResponseCache
    let fields: ViewFields
    let partition: String
    /// All that is listed, by normalized URL.
    let listed: [String: PreloadItem]
    /// The tags of what is listed and in force, by normalized URL: no page gets anything else there.
    let contents: [String: String]
    /// Whether the code counts, too, that scripts load when they need it.
    var readsLater = false
    /// The pages that a web view has laid out: it has asked for the fonts that they need.
    fileprivate var rendered: Set<String> = []
    /// Files of other hosts are no part of a page here: nobody has listed them.
    private var hosts: Set<String>
    /// The files that each load lacks, itself included; pages share most of what they load.
    private var known: [Known: [OfflinePages.Missing]] = [:]

    /// A load, with what its own references depend on.
    private struct Known: Hashable {
        var load: Load
        var characters: PageCharacters?
        var isOfRendered: Bool
    }

    init(
        _ cache: ResponseCache, _ fields: ViewFields, partition: String, listed: [String: PreloadItem],
        contents: [String: String]
    ) {
        (self.cache, self.fields, self.partition, self.listed) = (cache, fields, partition, listed)
        self.contents = contents
        hosts = Set(listed.keys.compactMap { TargetURI.split($0)?.authority })
    }

    mutating func ask(for page: PreloadItem, _ result: inout OfflinePages) async {
        let load = Load(url: page.url, destination: page.destination)
        let missing = await lacks(load, of: page.url, in: page, PageFacts(), depth: 0)
        if missing.isEmpty {
            result.opening += 1
        } else {
            result.lacking.append(OfflinePages.Page(url: page.url, missing: missing))
        }
    }

    private mutating func lacks(
        _ load: Load, of source: String, in page: PreloadItem, _ facts: PageFacts, depth: Int
    ) async -> [OfflinePages.Missing] {
        let isRendered = rendered.contains(page.url)
        let key = Known(
            load: load, characters: load.destination == .style ? facts.characters : nil, isOfRendered: isRendered)
        if let known = known[key] { return known }
        // A sheet that imports itself lacks nothing by that.
        known[key] = []
        var missing: [OfflinePages.Missing] = []
        switch await answer(to: load, of: source, site: page.site) {
        case .failure(let error):
            let message =
                error.message == EngineError.nothingStored
                ? error.past?.words ?? OfflinePages.Missing.absent : error.description
            missing = [.init(url: load.url, message: message, listedAs: meant(by: load.listedURL))]
        case .success(let (url, response, content)):
            guard depth < Self.deepest, !Task.isCancelled else { break }
            if depth == 0, let host = TargetURI.split(url)?.authority { hosts.insert(host) }
            var choices: [Int: [OfflinePages.Missing]] = [:]
            let named = Self.references(
                in: content.decoded(by: response.fields, upTo: Self.longest), response.fields, at: url,
                load.destination, facts, andLater: readsLater, on: page.screen)
            for (next, choice) in named.loads {
                let isKnown = isRendered && next.destination == .font
                let isNeeded = next.isNeeded && !isKnown || listed[next.listedURL]?.content != nil
                guard isNeeded, let host = TargetURI.split(next.url)?.authority, hosts.contains(host) else { continue }
                let absent = await lacks(next, of: url, in: page, named.page, depth: depth + 1)
                guard let choice else {
                    missing += absent
                    continue
                }
                if absent.isEmpty || choices[choice]?.isEmpty == true {
                    choices[choice] = []
                } else {
                    choices[choice, default: []] += absent
                }
            }
            missing += choices.sorted { $0.key < $1.key }.flatMap(\.value)
        }
        // Each once, in the order in which they are met.
        var seen: Set<String> = []
        missing = missing.filter { seen.insert($0.url).inserted }
        known[key] = missing
        return missing
    }

    private func answer(
        to load: Load, of source: String, site: String
    ) async -> Result<(url: String, response: StoredResponse, content: StoredContent), EngineError> {
        var item = PreloadItem(url: load.url, destination: load.destination, origin: source, site: site)
        item.usesCORS = load.usesCORS
        var context = ExchangeContext(
            partition: partition, site: site, destination: load.destination.destination, connectivity: .disconnected)
        context.checksAllowedOrigin = true
        let unusable = EngineError(code: .invalidRequest, message: "This is no address that can be asked for.")
        guard var head = fields.request(for: item, at: load.url) else { return .failure(unusable) }
        var chain = RedirectChain(load.url)
        while true {
            switch await cache.storedAnswer(to: EngineRequest(head: head, context: context)) {
            case .failure(let error): return .failure(error)
            case .success(let (response, content)):
                let answer = HTTPResponse(status: response.status, headerFields: response.fields)
                guard RedirectChain.isRedirect(answer) else {
                    if let words = fault(of: response, content, load, head) {
                        return .failure(EngineError(code: .notStored, message: words))
                    }
                    return .success((head.targetURL, response, content))
                }
                guard let next = try? chain.next(after: head, answer) else { return .failure(unusable) }
                head = next
            }
        }
    }

    /// Why a page can't use what is stored; `nil` where it can.
    private func fault(
        of response: StoredResponse, _ content: StoredContent, _ load: Load, _ head: HTTPRequest
    ) -> String? {
        guard response.status.kind == .successful else {
            return "The stored answer has the status \(response.status.code)."
        }
        if let content = contents[load.listedURL], !response.tags.contains(content) {
            return "The stored one is of another release; it stays until the listed one comes."
        }
        if Integrity.Check(load.integrity)?.fits(content, response.fields) == false { return Integrity.mismatch }
        let isVerified = response.tags.contains(where: VerifiedContent.isTag)
        if !isVerified, response.nominatedFields.values.keys.contains("user-agent"),
            !head.headerFields.contains(.userAgent)
        {
            return
                "Its server varies by User-Agent, and that of the web view is not known before one was open over this "
                + "store; pass it with -H, or open a page first."
        }
        if listed[load.listedURL]?.content != nil, !isVerified {
            return "The stored one came with a visit, and may be of another release than the listed one."
        }
        let type = response.fields.mediaType
        // Many hosts send a page, with 200, for what they lack.
        if load.destination.isNeverHTML || listed[load.listedURL]?.destination.isNeverHTML == true,
            type == "text/html", !isVerified, !Self.isPicture(load.destination, content)
        {
            return "The stored answer is a page (text/html), as some servers send for what they lack."
        }
        // A file may be listed as a script, and be imported by a page.
        let isSVG = head.path.map { $0.prefix { $0 != "?" }.lowercased().hasSuffix(".svg") } ?? false
        // A module may import JSON with `{ type: "json" }`.
        let isJSON = load.destination == .module && type.map { MediaTypeKind($0) } == .json
        guard isJSON || MediaTypeTolerance.takes(type, as: load.destination, response.fields, isSVG: isSVG) else {
            return "The stored answer has the type '\(type ?? "none")', under which the page does not take it."
        }
        return nil
    }

    /// Web views show pictures under any type: their first bytes tell what they are.
    private static func isPicture(_ destination: PreloadDestination, _ content: StoredContent) -> Bool {
        guard destination == .image, let first = try? content.read(from: 0, upTo: 64) else { return false }
        return first.first { ![0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) } != 0x3C
    }

    /// The same file under another name, where pages and hosts write one in two ways.
    private func meant(by url: String) -> String? {
        guard listed[url] == nil else { return nil }
        let plain = String(url.prefix { $0 != "?" })
        let stem = plain.hasSuffix(".html") ? String(plain.dropLast(5)) : plain
        let folder = stem.hasSuffix("/index") ? String(stem.dropLast(5)) : stem
        let bare = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        return [plain, stem, folder, bare, bare + ".html", bare + "/", bare + "/index.html"].first {
            $0 != url && listed[$0] != nil
        }
    }
}

extension PreloadMachine {
    /// - Parameter set: `nil` for all sets.
    fileprivate func items(of set: String?) -> [PreloadItem] {
        set.map { (sets[$0]?.ids ?? []).compactMap { entries[$0]?.item } } ?? entries.values.map(\.item)
    }

    /// The tags of the contents of all releases that are in force, by normalized URL.
    fileprivate var contentsInForce: [String: String] {
        let inForce = Set(sets.filter { if case .inForce? = $0.value.release { true } else { false } }.keys)
        return entries.values.reduce(into: [:]) { contents, entry in
            guard inForce.contains(entry.set), !entry.item.isOptional, let content = entry.item.content else { return }
            contents[entry.url] = VerifiedContent.tag(content.sha256)
        }
    }
}

extension PreloadQueue {
    /// Whether a listed page is stored as a release before had it.
    func hasEarlierPages(of items: [PreloadItem]) async -> Bool {
        for item in items where item.needs != nil {
            guard let content = item.content, let head = viewFields.request(for: item, at: item.url) else { continue }
            let context = ExchangeContext(
                partition: configuration.partition, site: item.site, destination: .document,
                connectivity: .disconnected)
            let stored = await cache.stored(for: EngineRequest(head: head, context: context))?.entry.response
            guard let stored, stored.isOfRelease else { continue }
            if !stored.tags.contains(VerifiedContent.tag(content.sha256)) { return true }
        }
        return false
    }

    /// Asks for the pages of a set as a web view would without a network.
    ///
    /// - Parameters:
    ///   - set: `nil` for all sets.
    ///   - pages: Others that are asked for as well, and that a web view has laid out.
    package func openOffline(set: String? = nil, and pages: [String] = []) async -> OfflinePages {
        let items = machine.items(of: set) + pages.map { PreloadItem(url: $0, destination: .document) }
        var check = OfflineCheck(
            cache, viewFields, partition: configuration.partition,
            listed: items.reduce(into: [:]) { listed, item in
                guard !item.isOptional, let url = TargetURI.resolve(item.url, against: item.url) else { return }
                listed[TargetURI.comparable(url)] = item
            }, contents: machine.contentsInForce)
        check.rendered = Set(pages)
        var result = OfflinePages()
        let documents = items.filter { $0.destination == .document && !$0.isOptional }
        for item in documents.sorted(by: { $0.url < $1.url }) {
            await check.ask(for: item, &result)
        }
        return result
    }
}

extension StoredContent {
    /// The content without its codings; `nil` where it can't be read, or is longer.
    package func decoded(by fields: HTTPFields, upTo limit: Int) -> [UInt8]? {
        (try? read(from: 0, upTo: limit)).flatMap { fields.decoded($0, upTo: limit) }
    }
}

extension HTTPFields {
    /// A content without the codings that these fields name; `nil` where it can't be read, or is longer.
    func decoded(_ coded: [UInt8], upTo limit: Int) -> [UInt8]? {
        guard let codings = ContentCodings(self) else { return nil }
        return try? ContentDecoding.decode(coded, codings, limits: DecodingLimits(total: ByteCount(Int64(limit))))
    }
}
