import CacheEngine
import CacheRules
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Fetches one item, or finds it stored already.
struct PreloadFetch: Sendable {
    enum Outcome: Sendable {
        /// - The keys are those of the content and of the redirects that lead to it.
        case verified([CacheKey], PreloadEvent.Source)
        case refused(PreloadRefusal)
        /// As `refused`, and pages can do without it: nothing earlier is in its place, which would stay there. With
        /// what came where it names files, and may not be stored.
        case absent(PreloadRefusal, SeenContent? = nil)
        /// Verified, and not visible yet: ``PreloadFetch/publish(_:in:)`` is to follow.
        case staged(StagedResponse)
        /// To be tried again.
        case failed(PreloadRefusal)
        /// Nothing accepts a connection. To be tried again, less often where nothing has ever answered.
        case unreachable(PreloadRefusal)
        /// No answer came in time. To be tried again, but not soon.
        case silent(PreloadRefusal)
        /// The server wants to be left alone; how long it said.
        case retryAfter(Duration?)
        /// Nothing was sent.
        case waiting(PreloadWait)

        /// Those of what is in its place.
        var keys: [CacheKey] { if case .verified(let keys, _) = self { keys } else { [] } }
    }

    let item: PreloadItem
    let cache: ResponseCache
    let fields: ViewFields
    let configuration: PreloadConfiguration
    let terms: PreloadTerms
    /// Why nothing may be sent to a host now; `nil` where it may.
    let admission: @Sendable (_ host: String) async -> PreloadWait?
    /// Is told of bytes as they come from the network, and whether a page waits; what the rest has to wait for.
    let obstacle: @Sendable (_ received: Int64, _ isWanted: Bool) async -> PreloadWait?
    /// A page that waits gets what it waits for, or asks the origin where that takes an earlier response's place.
    var hold = StagedResponse.Hold.never
    var avoided = SideEffectPages()
    /// The mark of a snapshot: content that is removed after it is not brought back.
    var since: StoreMark?

    /// `Sec-Purpose: prefetch` (Fetch §3.7), and `Priority` (RFC 9218 §4).
    static func terms(
        for group: PreloadGroup, _ content: ExpectedContent? = nil, login: String? = nil
    ) -> PreloadTerms {
        var sent = HTTPFields()
        (sent[FetchField.secPurpose], sent[FetchField.priority]) = ("prefetch", "u=\(group.urgency)")
        sent[.authorization] = login
        let stage = content.map { $0.sha256.description + ":" } ?? ""
        return PreloadTerms(sentFields: sent, isStaged: true, stage: stage)
    }

    /// Content that may not be stored, and what belongs to it.
    struct SeenContent: Sendable {
        var url: String
        var fields: HTTPFields
        /// Without codings.
        var content: [UInt8]
    }

    /// One request of a chain of redirects.
    struct Hop: Sendable {
        var url: String
        /// As a page sends it.
        var request: EngineRequest
        var key: CacheKey
        /// As it is sent ahead.
        var staged: EngineRequest
        /// Holds back pages that want the same.
        var reserved: ReservedKey?
        /// The response to put in its place once all is verified.
        var response: StoredEntry?
        var mark: StoreMark?
        /// The response in its place that a page has fetched, and that is wanted: the release before keeps its own
        /// beside it, or it has come meanwhile.
        var confirmed: StoredEntry?
        /// Whether another response is in its place.
        var replaces = false
    }

    func run() async -> Outcome {
        guard var first = hop(to: item.url) else {
            return .refused(PreloadRefusal(.invalidURL, "This is no http or https URL; list absolute URLs."))
        }
        guard !avoided.contains(first.url) else { return .refused(.sideEffects) }
        // A file that a page names is fetched all the same: it may name others, which may be stored.
        if let rule = cache.ruleKeepingOut(first.request), item.namedBy == nil || rule == Rule.turnedOffName {
            return .refused(.ruled(rule))
        }
        first.reserved = await reserve(first.key)
        let outcome = await fetch(first)
        switch outcome {
        case .refused(let refusal) where await mayBeAbsent(first, refusal):
            return ended(first.reserved, .absent(refusal))
        case .failed(var refusal) where refusal.reason == .status && item.isOfPage && item.mayBeAbsent(refusal):
            refusal.isDispensable = await !hasEarlier(first)
            return ended(first.reserved, .failed(refusal))
        default: return ended(first.reserved, outcome)
        }
    }

    /// Whether pages can do without what was refused: nothing earlier is in its place, which would stay there.
    private func mayBeAbsent(_ first: Hop, _ refusal: PreloadRefusal) async -> Bool {
        // One page that its server has no more keeps no other one.
        guard item.namedBy != item.url else { return item.mayBeAbsent(refusal) }
        if await hasEarlier(first) { return false }
        if item.mayBeAbsent(refusal) { return true }
        // The page that is stored is no better: it names the file, and lacks it as well.
        guard let page = item.namedBy, [.status, .type, .notStorable].contains(refusal.reason) else { return false }
        var check = OfflineCheck(cache, fields, partition: configuration.partition, listed: [:], contents: [:])
        check.readsLater = true
        var pages = OfflinePages()
        await check.ask(for: PreloadItem(url: page, destination: .document), &pages)
        return pages.lacking.contains { $0.missing.contains { $0.url == item.url } }
    }

    private func hasEarlier(_ hop: Hop) async -> Bool {
        let earlier = await cache.stored(for: hop.request)?.entry.response.status
        return earlier == .ok || earlier?.isRedirect == true
    }

    /// Makes what was staged visible.
    func putInPlace(_ staged: StagedResponse) async -> Outcome {
        guard let key = staged.hops.first?.key else { return .refused(Self.cancelled) }
        return ended(await reserve(key), await publish(staged))
    }

    private func ended(_ reserved: ReservedKey?, _ outcome: Outcome) -> Outcome {
        if case .verified = outcome { reserved?.end(isStored: true) } else { reserved?.end(isStored: false) }
        return outcome
    }

    /// Has pages wait that want the same. Waits for another request on its way first: it may bring what is wanted.
    private func reserve(_ key: CacheKey) async -> ReservedKey? {
        for _ in 0..<3 {
            switch cache.reserve(key, for: terms) {
            case .reserved(let reserved): return reserved
            case .taken(let other): await other.landed()
            case .notShared: return nil
            }
            if Task.isCancelled { return nil }
        }
        return nil
    }

    /// Follows redirects. Only the first key is reserved: two chains that cross must not wait for each other.
    private func fetch(_ first: Hop) async -> Outcome {
        var (hops, hop, chain) = ([Hop](), first, RedirectChain(first.url))
        while true {
            let step = await take(&hop)
            hops.append(hop)
            switch step {
            case .redirect(let response):
                do throws(PreloadRefusal) {
                    hop = try next(response, after: hop, &chain)
                } catch {
                    return await dropping(hops, .refused(error))
                }
                guard await mayLead(to: hop) else { return await dropping(hops, .refused(Self.elsewhere)) }
            case .found(let source):
                let staged = StagedResponse(hops: hops, source: source)
                return isHeld(staged) ? .staged(staged) : await publish(staged)
            case .ended(let outcome, let keepsPart):
                return await dropping(keepsPart ? hops.dropLast() : hops, outcome)
            }
        }
    }

    private func isHeld(_ staged: StagedResponse) -> Bool {
        guard let content = staged.hops.last, content.response != nil || content.confirmed != nil else { return false }
        switch hold {
        case .never: return false
        case .replacementsOnly: return staged.replaces
        case .always: return staged.replaces || !terms.isPromoted
        }
    }

    func dropping(_ hops: some Sequence<Hop> & Sendable, _ outcome: Outcome) async -> Outcome {
        for hop in hops { await cache.discardStaged(hop.staged) }
        return outcome
    }

    private func next(
        _ response: HTTPResponse, after hop: Hop, _ chain: inout RedirectChain
    ) throws(PreloadRefusal) -> Hop {
        let step: HTTPRequest?
        do throws(FetchError) {
            step = try chain.next(after: hop.request.head, response)
        } catch {
            let isLong = error.code == .tooManyRedirects || error.code == .redirectLoop
            throw PreloadRefusal(isLong ? .tooManyRedirects : .invalidURL, error.message)
        }
        guard let url = step?.targetURL, let next = self.hop(to: url) else {
            throw PreloadRefusal(.invalidURL, "It is redirected to what is no http or https URL.")
        }
        let (from, to) = (hop.request.head, next.request.head)
        // A page is the user's choice, and may lead to `www`; lists are of their host.
        let isOfSite =
            item.namedBy != nil
            && SiteRelation(
                WebOrigin(url: hop.url), to: WebOrigin(url: next.url),
                registrableDomain: { PublicSuffixes.registrableDomain($0) }) != .crossSite
        guard from.authority == to.authority || isOfSite, from.scheme == to.scheme || to.scheme == "https" else {
            throw PreloadRefusal(
                .redirectedOffHost,
                "It is redirected to '\(to.scheme ?? "")://\(to.authority ?? "")'; list the address behind it.")
        }
        if let login = terms.sentFields[.authorization], fields.login(at: to.authority ?? "") != login {
            throw PreloadRefusal(
                .redirectedOffHost,
                "It is redirected to '\(to.authority ?? "")', which must not get the password; list that address.")
        }
        if avoided.contains(next.url) { throw PreloadRefusal.sideEffects }
        return next
    }

    func hop(to url: String) -> Hop? {
        guard var head = fields.request(for: item, at: url) else { return nil }
        if let snapshot = item.snapshot { head.headerFields[.cookie] = snapshot.cookie }
        var context = ExchangeContext(
            partition: configuration.partition, site: item.site, destination: item.destination.destination,
            connectivity: configuration.connectivity(), timeout: configuration.answerTimeout)
        context.checksAllowedOrigin = true
        let request = EngineRequest(head: head, context: context)
        context.preload = terms
        guard let key = cache.key(for: request) else { return nil }
        return Hop(url: head.targetURL, request: request, key: key, staged: EngineRequest(head: head, context: context))
    }

    enum Step: Sendable {
        case redirect(HTTPResponse)
        case found(PreloadEvent.Source)
        /// - `keepsPart`: The beginning that has arrived stays, to be resumed.
        case ended(Outcome, keepsPart: Bool = false)
    }

    private func take(_ hop: inout Hop) async -> Step {
        var asked = hop.request
        // As for a reload: only names that prove their content answer.
        if item.isOfPage { asked.head.headerFields[.cacheControl] = "max-age=0" }
        let stored = await cache.stored(for: asked)
        if let (entry, isFresh, kept) = stored {
            let head = HTTPResponse(status: entry.response.status, headerFields: entry.response.fields)
            if isFresh || item.mayBeKnown, RedirectChain.isRedirect(head) { return .redirect(head) }
            if item.isOfPage {
                if entry.response.status == .ok, isFresh || entry.response.isOfRelease, await hasItsHash(entry) {
                    return .found(.store)
                }
                hop.replaces = true
            } else if await isWanted(entry, isFresh: isFresh, isBesideKept: kept != nil) {
                if kept.map({ $0.id != entry.id }) ?? false { (hop.confirmed, hop.replaces) = (entry, true) }
                return .found(.store)
            }
            if let kept, await isWanted(kept, isFresh: false, isBesideKept: true) { return .found(.store) }
            hop.replaces = true
        }
        if item.isOfPage {
            // A killed process may have left another version. A snapshot's page that was removed stays so.
            await cache.discardStaged(hop.staged, keepsParts: stored == nil)
            if item.snapshot != nil, item.destination == .document, stored == nil {
                return .ended(.refused(Self.changed))
            }
        }
        if await findStaged(&hop, stored?.entry) { return .found(.store) }
        if item.mayBeKnown, let known = await knownAnswer(&hop, stored?.entry) { return known }
        // The listed length is without codings, which may be more than is stored; nobody knows before.
        if let size = item.content?.size, size > cache.store.longestBody { return .ended(.refused(tooLong(size))) }
        if let wait = await admission(hop.request.head.authority ?? "") {
            return .ended(.waiting(wait), keepsPart: true)
        }
        // Nothing is expected but what the origin has now: it can confirm what is stored.
        if let entry = stored?.entry, entry.response.status == .ok, await hasItsHash(entry) {
            if item.isOfPage { return await downloadIfChanged(&hop, entry) }
            if item.content == nil { return await validate(hop) }
        }
        return await download(&hop)
    }

    /// Whether a content has a hash that its page states, if it states any.
    private func hasItsHash(_ entry: StoredEntry) async -> Bool {
        guard let check = Integrity.Check(item.integrity), let content = try? await cache.store.open(entry) else {
            return true
        }
        return check.fits(content, entry.response.fields)
    }

    /// Whether an earlier run has fetched all of it, and what is in its place is no newer.
    private func findStaged(_ hop: inout Hop, _ stored: StoredEntry?) async -> Bool {
        let mark = cache.store.mark()
        guard let expected = item.content, let staged = await cache.staged(hop.staged), staged.response.status == .ok
        else { return false }
        guard stored.map({ $0.response.responseTime < staged.response.responseTime }) ?? true,
            await ContentCheck.holds(staged, expected, in: cache)
        else {
            // It may be of another release, and fresh: it must not answer for the origin.
            await cache.discardStaged(hop.staged)
            return false
        }
        (hop.response, hop.mark) = (staged, mark)
        return true
    }

    /// The response that is to be fetched, if another one, such as a chain of redirects, has stored it meanwhile.
    func inPlace(_ hop: Hop) async -> StoredEntry? {
        guard let (entry, isFresh, kept) = await cache.stored(for: hop.request) else { return nil }
        return await isWanted(entry, isFresh: isFresh, isBesideKept: kept != nil) ? entry : nil
    }

    /// The tags of the content once it is in its place.
    var tags: [String] {
        guard let content = item.content else { return [] }
        return [VerifiedContent.tag(content.sha256)] + (item.isOfRelease ? [VerifiedContent.release] : [])
    }

    /// Whether a stored response is what is to be fetched.
    ///
    /// - Parameter isBesideKept: Whether it counts as one of the release only once that is in force.
    private func isWanted(_ entry: StoredEntry, isFresh: Bool, isBesideKept: Bool) async -> Bool {
        guard entry.response.status == .ok else { return false }
        guard let expected = item.content else { return isFresh || entry.response.isOfRelease }
        let tags = isBesideKept ? [VerifiedContent.tag(expected.sha256)] : tags
        if tags.allSatisfy(entry.response.tags.contains) { return true }
        if tags.first.map(entry.response.tags.contains) == true {
            try? await cache.tag(entry, tags)
            return true
        }
        // A visit may have stored the right bytes under a type that pages refuse.
        guard (try? checkType(entry.response.fields)) != nil, await ContentCheck.holds(entry, expected, in: cache)
        else { return false }
        // If it can't be written down, it is verified again next time.
        try? await cache.tag(entry, tags + [VerifiedContent.visited])
        return true
    }

    /// Removes what was staged, or the beginning of it that was to be resumed.
    func discardBeginning(_ staged: StagedResponse?) async {
        for hop in staged?.hops ?? [] { await cache.discardStaged(hop.staged) }
        if let hop = hop(to: item.url) { await cache.discardStaged(hop.staged) }
    }

    private func publish(_ staged: StagedResponse) async -> Outcome {
        await Self.publish([(self, staged)], in: cache).first ?? .refused(Self.cancelled)
    }

    func tooLong(_ size: ByteCount) -> PreloadRefusal {
        PreloadRefusal(
            .sizeExceeded,
            "It has \(size), and the store takes \(cache.store.longestBody) at most, a quarter of its budget; take it "
                + "off the list, or raise the store's budget.")
    }

    static let changed = PreloadRefusal(
        .validatorChanged, "Something newer is stored, or it was removed meanwhile; the next visit asks again.")

    static let cancelled = PreloadRefusal(.cancelled, "It was cancelled; add it again to fetch it.")

    /// The store's own reason, where it gave one.
    static func unstorable(_ error: any Error) -> PreloadRefusal {
        (error as? StoreError).map { PreloadRefusal(.diskFull, $0.message) } ?? diskFull
    }

    static let diskFull = PreloadRefusal(
        .diskFull,
        "It can't be stored: the disk is full, or it is longer than a quarter of the store's budget; free some space.")
}
