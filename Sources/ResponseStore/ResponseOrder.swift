import HTTPCacheSemantics
import HTTPTypes

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
        if milliseconds(other.responseTime) < milliseconds(response.requestTime) {
            self = .newer
        } else if milliseconds(response.responseTime) < milliseconds(other.requestTime) {
            self = .older
        } else if response.status == other.status && digest == otherDigest
            || Combination.isAllowed(other.fields, with: response.fields)
        {
            // The same representation or a part of it: the later response has the later fields.
            self = .newer
        } else {
            // Date does not tell either: an origin may read its state long before it sets the time of its answer.
            self = .unknown
        }
    }
}
