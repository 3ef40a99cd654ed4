import HTTPCacheSemantics
import HTTPTypes

/// Whether a response that has arrived is stored, by the changes to its key since its request left:
/// docs/decisions/0012-order-of-responses.md.
enum ArrivalDecision {
    /// A response that is stored under the key for the same nominated fields.
    typealias Stored = (id: StoredEntry.ID, response: StoredResponse, digest: BodyDigest)

    /// A stored response that needs validation from now on.
    typealias Doubted = (id: StoredEntry.ID, response: StoredResponse)

    /// The response is stored in this form, which may need validation before its first use.
    case store(StoredResponse)
    /// A newer response is stored already.
    case discard
    /// The key was invalidated (RFC 9111 §4.4). The client has the response all the same, so the stored one, if it may
    /// be older, needs validation from now on: `doubted`, in its new form; `nil` where nothing changes.
    case refuse(doubted: Doubted?)

    /// - Parameter stored: Is called only where the decision depends on it.
    init(
        _ response: StoredResponse, _ digest: BodyDigest, after history: KeyHistory, stored: () throws -> Stored?
    ) rethrows {
        guard !history.isInvalidated else {
            self = .refuse(doubted: try stored().flatMap { Self.doubted($0, response, digest) })
            return
        }
        var response = response
        // A client has seen a response that is not stored and may be newer.
        if history.wasRefused { response.needsValidation = true }
        if history.wasStored, let other = try stored() {
            switch ResponseOrder(response, digest, after: other.response, other.digest) {
            case .newer:
                // A response that replaces one of uncertain order is in the same doubt.
                if other.response.needsValidation { response.needsValidation = true }
            case .older:
                self = .discard
                return
            case .unknown: response.needsValidation = true
            }
        }
        self = .store(response)
    }

    /// The form in which a stored response is kept that an origin has just validated, or a HEAD has described.
    ///
    /// - Parameters:
    ///   - history: The changes to its key since the request left.
    ///   - isDoubted: Whether the stored response needs validation now. Is called only where the decision depends on
    ///     it.
    /// - Returns: `nil` if the key was invalidated (RFC 9111 §4.4): nothing changes.
    static func validated(
        _ response: StoredResponse, after history: KeyHistory, isDoubted: () throws -> Bool
    ) rethrows -> StoredResponse? {
        guard !history.isInvalidated else { return nil }
        var response = response
        // The doubt came up after the request had left, so the answer may be older than what raised it.
        if try history.wasRefused || history.wasStored && isDoubted() { response.needsValidation = true }
        return response
    }

    private static func doubted(_ other: Stored, _ response: StoredResponse, _ digest: BodyDigest) -> Doubted? {
        guard !other.response.needsValidation, other.response.requestTime <= response.responseTime,
            ResponseOrder(response, digest, after: other.response, other.digest) != .older
        else { return nil }
        var doubted = other.response
        doubted.needsValidation = true
        return (other.id, doubted)
    }
}

/// A change to what is stored under a key. The raw value is its byte in the file of ``ChangeLog``.
enum KeyChange: UInt8 {
    case invalidated = 1
    case stored = 2
    /// A response arrived and was not stored, because its key was invalidated after its request left.
    case refused = 3
}

/// The changes to a key since a mark.
package struct KeyHistory: Hashable, Sendable {
    package internal(set) var isInvalidated = false
    var wasStored = false
    var wasRefused = false

    /// Whether something may have been stored: an unknown history counts as one with an invalidation.
    package var mayBeStored: Bool { wasStored || isInvalidated }

    mutating func add(_ change: KeyChange) {
        switch change {
        case .invalidated: isInvalidated = true
        case .stored: wasStored = true
        case .refused: wasRefused = true
        }
    }
}

/// Whether one response is newer than another for the same key, if that is known.
enum ResponseOrder: Hashable {
    case newer
    case older
    /// Their requests were in flight at the same time, and nothing says which state of the origin is later.
    case unknown

    /// - Parameters:
    ///   - response: A received response that is not stored yet.
    ///   - other: One that was stored after the request for `response` left.
    init(_ response: StoredResponse, _ digest: BodyDigest, after other: StoredResponse, _ otherDigest: BodyDigest) {
        // Stored heads have milliseconds.
        func milliseconds(_ instant: WallInstant) -> Int64 { EntryRow.milliseconds(instant) }
        let isSame =
            response.status == other.status && digest == otherDigest
            || Combination.isAllowed(other.fields, with: response.fields)
        if milliseconds(other.responseTime) < milliseconds(response.requestTime) {
            self = .newer
        } else if isSame, response.extent == .complete, other.extent != .complete {
            // The whole is worth more than a part of it that was asked for while the whole was on its way.
            self = .newer
        } else if milliseconds(response.responseTime) < milliseconds(other.requestTime) {
            self = .older
        } else if isSame {
            // The same representation or a part of it: the later response has the later fields.
            self = .newer
        } else {
            // Date does not tell either: an origin may read its state long before it sets the time of its answer.
            self = .unknown
        }
    }
}
