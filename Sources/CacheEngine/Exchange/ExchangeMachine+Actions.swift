import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ExchangeMachine {
    enum Action {
        /// Look up the responses stored under this key, then call ``lookedUp(_:at:)``.
        case lookUp(CacheKey)
        /// Answer with this entry; the second part says how.
        case serve(StoredEntry, Use)
        /// Send this request to the origin, then call ``received(_:)`` or ``failed(_:at:)``.
        case forward(HTTPRequest, mayCollapse: Bool)
        /// Replace the response of each entry by what it holds here, then answer with the first.
        case freshen(Freshened)
        /// Hand the origin's response to the client, and store it where there is a plan.
        case relay(Relay)
        /// Answer with an error of the cache's own.
        case fail(EngineError)
    }

    /// How a stored response is used.
    enum Use: Hashable {
        case fresh
        case stale
        /// Stale, while it is validated in the background (RFC 5861 §3).
        case staleWhileRevalidating
        case validated
    }

    /// Whether a stored response may answer, and why.
    struct Judgement {
        enum Result {
            /// It answers as it is; the reason says why it may be served stale.
            case serve(Use, StaleReason?)
            case validate(ForwardReason)
        }

        enum Ground {
            /// The cache mode or a rule lets it answer whatever its age.
            case anyAge
            /// The cache mode demands the origin's confirmation.
            case confirmation
            /// Its freshness decides.
            case freshness
        }

        var result: Result
        var ground: Ground
        var basis: ReuseDecision.Basis
    }

    /// The entries that a 304 confirmed.
    struct Freshened {
        /// The entry to answer with, its response updated.
        var entry: StoredEntry
        /// The entry was stored for other nominated fields: it stays, and this becomes one more variant.
        var isNewVariant: Bool
        /// Whether the update may be stored: a 304 is a response like any other, and may forbid it.
        var isKept: Bool
        /// Other entries that the 304 confirms (RFC 9111 §4.3.4), updated.
        var others: [StoredEntry]
    }

    /// Instructions for the origin's response.
    struct Relay {
        var plan: StoragePlan?
        var notStored: StoreDecision.Reason?
        /// Entries that an answer to `HEAD` updates (§4.3.5).
        var updates: [StoredEntry] = []
        /// Whether it shows that what is stored for the request is outdated (§4.3.3), and is not stored in its place.
        var outdates = false
        /// Whether `Clear-Site-Data` asks to remove the origin's stored responses.
        var clearsOrigin = false
        /// The entry whose stored content comes first; the origin's content follows it (§3.4).
        var beginning: StoredEntry?
        /// The head for the client; `nil` for the origin's.
        var head: HTTPResponse?
    }

    mutating func fail(_ error: EngineError) -> Action {
        status.isHit = false
        status.isStored = false
        status.detail = error.code.name
        return .fail(error)
    }

    static let disconnected = EngineError(code: .disconnected, message: EngineError.nothingStored)
    /// The failure without a network where the store may not answer.
    var keptOut: EngineError {
        guard isBypassed, let rule = policy.rule else { return Self.disconnected }
        return EngineError(
            code: .disconnected, message: "There is no network, and the rule '\(rule)' lets nothing stored answer.")
    }
    static let mayNotAnswer = EngineError(
        code: .disconnected,
        message: "There is no network, and the stored response may not be used without asking the origin.")
    static let notStored = EngineError(
        code: .notStored, message: "The request accepts only a stored response, and none can be used.")
}

extension ExchangeMachine {
    /// Sends a request to the origin if there is a network.
    ///
    /// - Parameters:
    ///   - question: Its question to the origin; decides how the answer is read.
    ///   - method: The request's method; `nil` for the client's own.
    ///   - conditions: Fields that replace the client's own conditions and range.
    ///   - keepingRange: Leaves the client's range and its condition as they are.
    mutating func forward(
        _ reason: ForwardReason, _ question: Question, method: HTTPRequest.Method? = nil,
        conditions: HTTPFields = [:], keepingRange: Bool = false
    ) -> Action {
        let candidates = candidates
        state = .asking(question, reason, candidates)
        status.forward = reason
        status.isHit = false
        status.timeToLive = nil
        status.forwardStatus = nil
        if !context.connectivity.hasNetwork { return withoutNetwork(question.fallback, lookedUpAt: candidates.time) }
        noteHeadProbe()
        var outgoing = request
        if let method { outgoing.method = method }
        if !conditions.isEmpty {
            // The client's own conditions are evaluated against the stored response afterwards; if they were sent
            // along, a 304 could answer either. A range is answered from the store, or from the new response.
            ConditionalRequest.remove(from: &outgoing.headerFields, keepingRange: keepingRange)
            for field in conditions { outgoing.headerFields[field.name] = field.value }
        } else if reason != .bypass, takesConditions {
            // The web view's cache has a response that this one lacks. A 304 would leave the store empty.
            ConditionalRequest.remove(from: &outgoing.headerFields, keepingRange: true)
        }
        addModeFields(to: &outgoing.headerFields)
        let isPlain = request.method == .get && prepared.isPlain
        let isShareable = !fields.contains(.authorization) && !directives.noStore && mode != .noStore
        let mayCollapse = reason != .bypass && !wantsOriginsAnswer && isPlain && isShareable
        return .forward(outgoing, mayCollapse: mayCollapse)
    }

    /// Whether the client's conditions are answered here and not by the origin, where nothing is stored.
    private var takesConditions: Bool {
        context.upperCache != .asStated && mode != .noStore && request.method == .get && !fields.contains(.range)
    }

    /// Whether a response that has come, to a request without any conditions, is the one that the client has. To one
    /// with conditions it is another one, though it has the same validator: some servers never change theirs.
    func isKnown(_ received: StoredResponse?) -> Bool {
        guard takesConditions, case .whole? = question, let received, received.status == .ok else { return false }
        return ConditionalRequest.isSatisfied(by: received, presented: fields, isExact: isExact)
    }

    /// Whether the client wants the origin's current response, whatever is stored: then an answer to an earlier request
    /// does not do (§5.2.1.1, §5.2.1.4).
    var wantsOriginsAnswer: Bool {
        if context.isBackground { return false }
        return forwardReason == .request || mode == .revalidate || directives.noCache
            || directives.maxAge == .zero
    }

    /// Decides without a network: nothing is sent, whatever the rules say. "A cache … MAY serve stale if disconnected"
    /// (RFC 9111 §4.2.4), unless the response or a rule forbids it.
    private mutating func withoutNetwork(_ fallback: StoredEntry?, lookedUpAt time: WallInstant?) -> Action {
        guard let fallback, let time else {
            return fail(status.forward == .varyMiss ? disconnectedFailure : Self.disconnected)
        }
        guard staleReason(.unreachable, for: fallback, at: time) != nil else { return fail(Self.mayNotAnswer) }
        // The origin was not tried, so it is not the one that is unreachable.
        return serve(fallback, .stale, time, Self.disconnected.code.name)
    }

    /// Adds what a cache mode asks of the caches on the way: Fetch §4.6, HTTP-network-or-cache fetch.
    private func addModeFields(to fields: inout HTTPFields) {
        switch mode {
        case .revalidate where !context.isBackground:
            if !fields.contains(.cacheControl) { fields[.cacheControl] = "max-age=0" }
        case .noStore, .reload:
            if !fields.contains(.pragma) { fields[.pragma] = "no-cache" }
            if !fields.contains(.cacheControl) { fields[.cacheControl] = "no-cache" }
        case .protocolDefault, .reloadIgnoringLocal, .revalidate, .preferStored, .onlyIfStored: break
        }
    }
}
