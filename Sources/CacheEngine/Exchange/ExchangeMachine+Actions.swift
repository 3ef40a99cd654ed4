import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ExchangeMachine {
    enum Action {
        /// Look up the responses stored under this key, then call ``lookedUp(_:at:)``.
        case lookUp(CacheKey)
        /// Answer with this entry; the second part says how.
        case serve(StoredEntry, Use)
        /// Send this request to the origin, then call ``received(_:bodyLength:requestTime:responseTime:)`` or
        /// ``failed(_:at:)``.
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

    /// Whether a stored response may answer.
    enum Judgement {
        /// It answers as it is; the reason says why it may be served stale.
        case serve(Use, StaleReason?)
        case validate(ForwardReason)
    }

    /// What a 304 confirmed.
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

    /// What to do with the origin's response.
    struct Relay {
        var plan: StoragePlan?
        var notStored: StoreDecision.Reason?
        /// Entries that an answer to `HEAD` updates (§4.3.5).
        var updates: [StoredEntry] = []
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
        if status.forward == nil, error.code == .disconnected || error.code == .notStored {
            status.forward = .uriMiss
        }
        status.detail = error.code.name
        return .fail(error)
    }

    static let disconnected = EngineError(
        code: .disconnected, message: "There is no network, and no response for this address is stored.")
    static let mayNotAnswer = EngineError(
        code: .disconnected,
        message: "There is no network, and the stored response may not be used without asking the origin.")
    static let notStored = EngineError(
        code: .notStored, message: "The request accepts only a stored response, and none can be used.")
}
