import HTTPCacheSemantics
import HTTPTypes

/// Which part of the referring URL a request tells, W3C Referrer Policy §3.
package enum ReferrerPolicy: String, CaseIterable, Sendable {
    case noReferrer = "no-referrer"
    case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
    case sameOrigin = "same-origin"
    case origin
    case strictOrigin = "strict-origin"
    case originWhenCrossOrigin = "origin-when-cross-origin"
    /// The default.
    case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
    case unsafeURL = "unsafe-url"

    /// Reads `Referrer-Policy`, §8.1: the last policy that is known counts.
    ///
    /// - Returns: `nil` if there is none, and the policy in force stays.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: FetchField.referrerPolicy].flatMap { $0.split(separator: ",") }
        let known = values.compactMap { Self(rawValue: FetchText.lowercased(ListField.trimmed($0))) }
        guard let last = known.last else { return nil }
        self = last
    }

    /// "Determine request's referrer", §8.3.
    ///
    /// - Parameters:
    ///   - referrer: As much of the referring URL as is known; never more is sent. Only http and https are.
    ///   - target: The URL of the request.
    /// - Returns: The value of `Referer`; `nil` to send none. Longer than 4,096 octets, it is only the origin.
    package func referer(from referrer: String?, to target: WebURL) -> String? {
        guard let source = referrer.flatMap({ WebURL($0) }) else { return nil }
        let origin = source.origin.description + "/"
        let whole = source.url.utf8.count > 4_096 ? origin : source.url
        let isSameOrigin = source.origin.isSameOrigin(as: target.origin)
        let isDowngrade =
            source.origin.isPotentiallyTrustworthy && !target.origin.isPotentiallyTrustworthy
        switch self {
        case .noReferrer: return nil
        case .noReferrerWhenDowngrade: return isDowngrade ? nil : whole
        case .sameOrigin: return isSameOrigin ? whole : nil
        case .origin: return origin
        case .strictOrigin: return isDowngrade ? nil : origin
        case .originWhenCrossOrigin: return isSameOrigin ? whole : origin
        case .strictOriginWhenCrossOrigin: return isSameOrigin ? whole : isDowngrade ? nil : origin
        case .unsafeURL: return whole
        }
    }
}
