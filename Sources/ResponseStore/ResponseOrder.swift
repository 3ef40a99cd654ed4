import HTTPCacheSemantics
import HTTPTypes

/// Whether one response to a request is newer than another, as far as can be told.
enum ResponseOrder: Hashable {
    case newer
    case older
    /// Their requests were under way at the same time, and nothing says which state the origin had later.
    case unknown

    /// - Parameters:
    ///   - response: A response that has come and is not stored.
    ///   - other: One that was stored since the request for it left.
    init(_ response: StoredResponse, _ digest: BodyDigest, after other: StoredResponse, _ otherDigest: BodyDigest) {
        // Heads keep milliseconds.
        func milliseconds(_ instant: WallInstant) -> Int64 { EntryRow.milliseconds(instant) }
        if milliseconds(other.responseTime) < milliseconds(response.requestTime) {
            self = .newer
        } else if milliseconds(response.responseTime) < milliseconds(other.requestTime) {
            self = .older
        } else if response.status == other.status && digest == otherDigest
            || Combination.isAllowed(other.fields, with: response.fields)
        {
            // The same representation, or a part of it: the later one has the later fields.
            self = .newer
        } else {
            // Not even Date tells: an origin may look at its state first and say the time of its answer later.
            self = .unknown
        }
    }
}
