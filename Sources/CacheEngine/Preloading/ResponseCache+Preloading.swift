import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Fetching ahead of need: unseen by pages until it is known to be good.
///
/// 1. ``reserve(_:for:)`` makes pages that want the same wait.
/// 2. ``respond(to:)`` with ``ExchangeContext/preload`` fetches under a staged key, with all that the engine does for
///    any other exchange: a beginning that broke off is resumed, and what arrives is stored while it is read.
/// 3. ``publish(_:)`` puts staged responses in their places, or ``discardStaged(_:)`` removes them.
extension ResponseCache {
    /// Makes requests of pages for a key wait for a preload.
    package func reserve(_ key: CacheKey, for terms: PreloadTerms) -> ReservedKey.Decision {
        while true {
            let traffic = traffic
            let role = flights.join(key, lookedUpAt: flights.completions(of: key)) {
                InFlight { terms.promote(in: traffic) }
            }
            switch role {
            case .first(let flight):
                return .reserved(ReservedKey(key: key, flight: flight, cache: self, terms: terms))
            case .follower(let flight): return .taken(flight)
            case .alone: return .notShared
            case .lookAgain: continue
            }
        }
    }

    /// Notes that an exchange ahead of need is over. ``ReservedKey/end(isStored:)`` does so too.
    package func endPreload(_ terms: PreloadTerms) { terms.end(in: traffic) }

    /// The stored response that a request selects by its fields, whether it answers without asking the origin, and the
    /// file of a release that a page has replaced by it, if any; that one alone where nothing else is left. Parts and
    /// codings that the request does not accept are left out.
    package func stored(
        for request: EngineRequest
    ) async -> (entry: StoredEntry, isFresh: Bool, kept: StoredEntry?)? {
        var request = request
        request.context.preload = nil
        var exchange = RunningExchange(request, cache: self)
        let decided = await exchange.decide()
        let machine = exchange.machine
        let whole = machine.candidates.entries.filter {
            $0.response.extent == .complete && $0.key.uri == machine.key?.uri
        }
        let kept = whole.first { VerifiedContent.isKept($0.response) }
        if case .serve(let entry, let use) = decided, whole.contains(where: { $0.id == entry.id }) {
            return (entry, use != .stale, kept)
        }
        let fitting = whole.filter {
            machine.mayAnswer($0.response)
                && ContentCoding.isAcceptable($0.response.fields, to: request.head.headerFields)
        }
        return (ExchangeMachine.preferred(fitting) ?? kept).map { ($0, false, kept) }
    }

    /// Gives what is stored for a request the fields of a 304 to the same one (RFC 9111 §4.3.4), if it has to be
    /// validated.
    ///
    /// - Parameters:
    ///   - time: When that one left.
    ///   - mark: From then.
    package func confirm(
        _ request: EngineRequest, by head: HTTPResponse, since mark: StoreMark?, sent time: WallInstant
    ) async {
        var exchange = RunningExchange(request, cache: self)
        exchange.mark = mark
        let answer = ExchangeMachine.OriginAnswer(head: head, requestTime: time, responseTime: now)
        guard case .forward = await exchange.decide(),
            case .freshen(let freshened) = exchange.machine.received(answer)
        else { return }
        _ = await exchange.freshen(freshened)
    }

    /// The stored response that answers a request, by its own fields alone; why none does otherwise. Sends, stores and
    /// reports nothing.
    package func storedAnswer(
        to request: EngineRequest
    ) async -> Result<(response: StoredResponse, content: StoredContent), EngineError> {
        var exchange = RunningExchange(request, cache: self)
        switch await exchange.decide() {
        case .serve(let entry, _):
            guard let content = try? await store.open(entry) else { return .failure(ExchangeMachine.disconnected) }
            return .success((entry.response, content))
        case .fail(let error): return .failure(await exchange.withPast(error))
        default: return .failure(ExchangeMachine.mayNotAnswer)
        }
    }

    /// The whole response that a staged exchange has stored, once it is; `nil` if it could not be stored.
    package func staged(_ request: EngineRequest) async -> StoredEntry? {
        guard let key = key(for: request) else { return nil }
        await arrivals.waitForCommits(key)
        return try? await store.entries(for: key).first { $0.response.extent == .complete }
    }

    /// Puts verified responses in their places, where pages find them: all of them in one change, or none.
    ///
    /// - Returns: The places of those that can't be put in theirs, as a newer response is there, or the key was
    ///   invalidated meanwhile; then nothing has changed.
    /// - Throws: `StoreError` when the store can't be written; nothing has changed then, either.
    package func publish(_ placements: [Placement]) async throws -> [Int] {
        guard !placements.isEmpty else { return [] }
        let transfers = placements.map { placement in
            StoringTransfer(
                machine: RunningExchange(placement.request, cache: self).machine, key: placement.key,
                mark: placement.mark, cache: self)
        }
        defer { performMaintenanceWhereDue() }
        return try await commits.run(placements.map(\.key)) { [store] () -> [Int] in
            var (moved, asides) = ([Int](), [StoredMove]())
            let keys = Set(placements.map(\.key))
            for (place, placement) in placements.enumerated() {
                // Content that nobody has signed takes no file of a release's place.
                if placement.tags.isEmpty,
                    try await store.entries(for: placement.key).contains(where: \.response.isOfRelease)
                {
                    guard placement.isOptional else { return [place] }
                } else {
                    moved.append(place)
                    guard placement.entry.key != placement.key else { continue }
                    // A page that is open goes on with the files that it has, one that no release has keeps its own.
                    asides +=
                        placement.tags.isEmpty
                        ? await transfers[place].asides(before: placement.entry.response)
                        : try await transfers[place].asides(before: placement.entry, besides: keys)
                }
            }
            let setAside = asides.count
            switch try await store.move(asides + moved.map { placements[$0].move }) {
            case .unchanged(let missing): return missing.map { moved[$0 - setAside] }
            case .moved(let entries):
                for (place, entry) in zip(moved, entries.dropFirst(setAside)) {
                    guard let entry else { continue }
                    await transfers[place].discardOutdated(by: entry)
                    await transfers[place].noteContent(entry)
                }
                return []
            }
        }
    }

    /// Why a response to a request is not to be stored by its own fields; `nil` where those let it be stored.
    package func obstacleToStoring(_ head: HTTPResponse, for request: EngineRequest) -> StoreDecision.Reason? {
        let machine = RunningExchange(request, cache: self).machine
        guard case .doNotStore(let reason) = machine.decideStoring(request.head, head.status, head.headerFields) else {
            return nil
        }
        return reason
    }

    /// The rule that keeps the store out of a request, whatever its answer is; `nil` where none does.
    package func ruleKeepingOut(_ request: EngineRequest) -> String? {
        let machine = RunningExchange(request, cache: self).machine
        return machine.isBypassed ? machine.policy.rule : nil
    }

    package func tag(_ entry: StoredEntry, _ tags: [String]) async throws {
        var response = entry.response
        response.tags += tags.filter { !response.tags.contains($0) }
        VerifiedContent.answerAll(&response)
        try await store.update(entry.id, key: entry.key, response: response, since: store.mark())
    }

    /// Removes what a staged request has stored, once it is stored.
    ///
    /// - Parameter keepsParts: Whether a beginning stays: what continues it asks whether it is still the same
    ///   (`If-Range`, RFC 9110 §13.1.5).
    package func discardStaged(_ request: EngineRequest, keepsParts: Bool = false) async {
        guard request.context.preload?.isStaged == true, let key = key(for: request) else { return }
        await arrivals.waitForCommits(key)
        guard let entries = try? await store.entries(for: key) else { return }
        try? await store.discard(entries.filter { !keepsParts || $0.response.extent == .complete })
    }

    /// Whether the store takes anything in now.
    package var canStore: Bool { (try? store.makePendingBody()) != nil }

    // MARK: What pages send

    /// Calls a listener with each GET of a page that goes to the network. Its owner must not be held by the listener.
    package func onForwarding(
        _ owner: some AnyObject & Sendable, _ listener: @escaping @Sendable (HTTPRequest, ExchangeContext) -> Void
    ) {
        forwardingListeners.withLock { $0.add(owner, listener) }
    }

    func noteForwarding(_ head: HTTPRequest, _ context: ExchangeContext) {
        for listener in forwardingListeners.withLock({ $0 }) where listener.owner != nil {
            listener.call(head, context)
        }
    }
}

/// A verified response and the place that it is to take.
package struct Placement: Sendable {
    /// Staged, or in its place already.
    package var entry: StoredEntry
    package var key: CacheKey
    /// As a page sends it, without ``ExchangeContext/preload``.
    package var request: EngineRequest
    /// Are added to those of the rules; empty for content that nobody has signed.
    package var tags: [String]
    /// Query parameters that do not change the content, as its publisher says. Unless the origin sent a
    /// `No-Vary-Search`, the response is stored with one that names them.
    package var ignoredParameters: [String]
    /// When the staged request left.
    package var mark: StoreMark?
    /// Whether the others take their places without it.
    package var isOptional: Bool

    package init(
        _ entry: StoredEntry, as key: CacheKey, for request: EngineRequest, tags: [String],
        ignoring parameters: [String] = [], since mark: StoreMark?, isOptional: Bool = false
    ) {
        (self.entry, self.key, self.request, self.tags) = (entry, key, request, tags)
        (ignoredParameters, self.mark, self.isOptional) = (parameters, mark, isOptional)
    }

    fileprivate var move: StoredMove {
        var response = entry.response
        if !response.fields.contains(.noVarySearch), let field = NoVarySearch.field(ignoring: ignoredParameters) {
            response.fields[.noVarySearch] = field
        }
        response.tags += tags.filter { !response.tags.contains($0) }
        VerifiedContent.answerAll(&response)
        var move = StoredMove(entry, to: key, response: response, since: mark)
        // Signed content takes the place of all variants, and of what a release had here before.
        (move.isOnly, move.isOptional) = (!tags.isEmpty, isOptional)
        return move
    }
}

/// A key under which a preload will store. Requests of pages for it wait for that instead of asking the origin, and
/// make the preload hurry.
package struct ReservedKey: Sendable {
    /// The state of a key that a preload wants.
    package enum Decision: Sendable {
        case reserved(ReservedKey)
        /// Another request is on its way.
        case taken(InFlight)
        /// Answers for this key are known not to be shareable, so nobody waits for another.
        case notShared
    }

    let key: CacheKey
    let flight: InFlight
    let cache: ResponseCache
    let terms: PreloadTerms

    /// Lets the requests that wait go on: they find the response in the store, or else one of them asks the origin for
    /// all. Has to be called once.
    package func end(isStored: Bool) {
        // In this order: a request that looks up again must not join the same flight.
        cache.flights.land(key, flight)
        flight.publish(isStored ? .confirmed : .abandoned)
        terms.end(in: cache.traffic)
    }
}
