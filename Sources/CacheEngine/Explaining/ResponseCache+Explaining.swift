import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ResponseCache {
    /// Says how a request would be answered now, and why. Reads the store; sends, stores and counts nothing.
    ///
    /// The caller may not know which fields a web view sends. If the request lacks a field that selected a stored
    /// response (RFC 9111 §4.1), and no stored response would answer it otherwise, the stored value of that field is
    /// used.
    ///
    /// - Parameters:
    ///   - fields: The fields that it may have besides those given.
    ///   - originIsDown: Whether to go on as if nothing answered at the origin.
    package func explain(
        _ request: EngineRequest, fields: UnknownFields = UnknownFields(), originIsDown: Bool = false
    ) async -> Explanation {
        await recallPage(of: request)
        let since = await pageSince(of: request)
        var exchange = await decided(request, fields, isTraced: true, pageSince: since)
        // Content that can't be opened is dropped, and answers nobody.
        if case .serve(let entry, _) = exchange.next, (try? await store.open(entry)) == nil {
            exchange = await decided(request, fields, isTraced: true, pageSince: since)
        }
        if originIsDown { await exchange.loseOrigin() }
        let own = request.head.headerFields
        let taken = exchange.head.headerFields.filter { !own.contains($0.name) }.map(\.name.canonicalName)
        var past: (event: PastEvent, ago: Duration)?
        if let key = exchange.key, let known = await store.past(of: key) { past = (known.event, now - known.time) }
        return Explainer(exchange.machine, taken: Set(taken).sorted()).explanation(of: exchange.next, past: past)
    }

    /// Since when the page has been there that asks for a file: the stored page that `Referer` names, else the newest
    /// of the file's host. One without a validator comes new at each visit, if it was last shown with the file.
    ///
    /// - Returns: `nil` if none is known.
    private func pageSince(of request: EngineRequest) async -> WallInstant? {
        guard !request.context.destination.isPage, request.context.connectivity.hasNetwork,
            rules["older-than-page"] != nil, let key = key(for: request)
        else { return nil }
        if let file = (try? await store.entries(for: key))?.first {
            let shown = EntrySelection(tag: PageFile(file).tag)
            if let page = (try? await store.summaries(of: shown, after: nil, limit: 1))?.first,
                let stored = (try? await store.entries(for: page.key))?.first(where: { $0.id == page.id }),
                ConditionalRequest.validators(of: stored.response).isEmpty
            {
                return now
            }
        }
        var pages = EntrySelection(partition: key.partition, contentType: "text/html")
        if let page = request.head.headerFields[.referer] {
            pages.uri = TargetURI.resolve(page, against: page).map(TargetURI.comparable)
        } else {
            pages.host = request.head.authority
        }
        var since: WallInstant?
        try? await store.forEachSummary(of: pages) { page in
            since = [since, PageNews.since(page.tags)].compactMap { $0 }.max()
        }
        return since
    }

    /// The stored response that would answer a GET, if its content can be opened. Sends, stores and reports nothing.
    /// Fields that select among stored responses and that the request lacks are taken from those, as in
    /// ``explain(_:)``.
    package func storedAnswer(toVariantsOf request: EngineRequest) async -> StoredResponse? {
        guard case .serve(let entry, _) = await decided(request).next, (try? await store.open(entry)) != nil else {
            return nil
        }
        return entry.response
    }

    /// The exchange up to its decision, for the first variant of the request that the store answers; if there is none,
    /// for the first.
    private func decided(
        _ request: EngineRequest, _ fields: UnknownFields = UnknownFields(), isTraced: Bool = false,
        pageSince: WallInstant? = nil
    ) async -> RunningExchange {
        var first: RunningExchange?
        var plain = request
        let missing = fields.certain.map { ($0, UnknownFields.value) } + fields.otherwise.map { ($0.key, $0.value) }
        for (name, value) in missing where !plain.head.headerFields.contains(name) {
            plain.head.headerFields[name] = value
        }
        for variant in await variants(of: request, fields).map(\.request) + [plain] {
            var exchange = RunningExchange(variant, cache: self, isTraced: isTraced)
            exchange.pageSince = pageSince
            if case .serve = await exchange.decide() { return exchange }
            first = first ?? exchange
        }
        return first ?? RunningExchange(plain, cache: self, isTraced: isTraced)
    }
}

/// The fields of a request that its author does not know.
package struct UnknownFields: Sendable {
    /// Those that the request may have besides the given ones; `nil` for any.
    package var possible: Set<HTTPField.Name>?
    /// Those that it surely lacks.
    package var impossible: Set<HTTPField.Name> = []
    /// Those of them that it has, whatever their value is.
    package var certain: Set<HTTPField.Name> = []
    /// Those that it has where no stored response tells another value.
    package var otherwise: [HTTPField.Name: String] = [:]

    package init() {}

    /// No client sends it.
    static let value = "(unknown)"

    /// Whether a response that a field selected may be meant by a request without it.
    func mayBe(_ name: HTTPField.Name, _ value: String?) -> Bool {
        value == nil
            ? !certain.contains(name) : !impossible.contains(name) && possible?.contains(name) ?? true
    }
}

/// How a cache would answer one request now, step by step, from what is stored. Nothing is sent, stored or counted.
public struct Explanation: Hashable, Sendable, Codable {
    /// One consideration, in the order in which they decide.
    public struct Step: Hashable, Sendable, Codable {
        /// The consideration in a few words.
        public var title: String
        /// The section that decides, such as `RFC 9111 §4.2.1`; empty for the cache's own policy.
        public var section: String
        /// The finding, with figures in units for people.
        public var finding: String

        package init(title: String, section: String, finding: String) {
            self.title = title
            self.section = section
            self.finding = finding
        }
    }

    /// The kinds of answers.
    public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
        /// From the store, as it is.
        case stored
        /// From the store, though stale.
        case stale
        /// From the store at once, and validated in the background.
        case staleWhileRevalidating = "stale-while-revalidate"
        /// From the store if the origin confirms it, else from the origin.
        case validated
        /// From the origin, joined with the part that is stored.
        case completed
        /// From the origin.
        case forwarded
        /// An error of the cache's own.
        case failed

        /// Whether the store answers without the origin.
        package var isFromStore: Bool { [.stored, .stale, .staleWhileRevalidating].contains(self) }
    }

    package var method: String
    package var uri: String
    /// Where the answer comes from.
    public var answer: Answer
    /// The answer in one sentence.
    public var summary: String
    /// The considerations, in the order in which they decide.
    public var steps: [Step]
    /// The fields that would be sent to the origin besides the client's own, `Name: value` each.
    package var conditions: [String]
    /// Changes that would lead to another answer, a sentence each.
    public var changes: [String]
    /// Mistakes of the server in the selected stored response, each with its cure, a sentence each.
    public var warnings: [String]
    /// `Cache-Status` as far as it is known before the origin has answered (RFC 9211).
    public var cacheStatus: String
    /// Figures of the selected stored response, in whole seconds; `nil` when none was selected.
    package var currentAge: Int64?
    package var freshnessLifetime: Int64?
    /// Which rule of RFC 9111 §4.2.1 gave the lifetime.
    package var lifetimeSource: String?
}

extension ResponseCache {
    /// The stored responses that a request may mean if its author does not know which fields a web view sends: those
    /// under its key that match the fields it has. Each comes with the request completed by the fields that selected
    /// the response (RFC 9111 §4.1). Responses that the request selects as it is come first, then the others; among
    /// each, the most recent first.
    ///
    /// - Returns: An empty array if no stored response matches.
    package func variants(
        of request: EngineRequest, _ fields: UnknownFields = UnknownFields()
    ) async -> [(request: EngineRequest, response: StoredResponse)] {
        guard let key = key(for: request) else { return [] }
        await arrivals.waitForCommits(key)
        let own = request.head.headerFields
        let stored = await lookUp(key).map(\.response).sorted { one, other in
            let (first, second) = (one.nominatedFields.match(own), other.nominatedFields.match(own))
            return first == second ? one.date > other.date : first
        }
        var found: [(request: EngineRequest, response: StoredResponse)] = []
        for response in stored {
            var variant = request
            var mayBeMeant = true
            for (name, value) in response.nominatedFields.values {
                guard let name = HTTPField.Name(name), !own.contains(name) else { continue }
                mayBeMeant = mayBeMeant && fields.mayBe(name, value)
                if let value { variant.head.headerFields[name] = value }
            }
            guard mayBeMeant, response.nominatedFields.match(variant.head.headerFields),
                !found.contains(where: { $0.request.head == variant.head })
            else { continue }
            found.append((variant, response))
        }
        return found
    }
}
