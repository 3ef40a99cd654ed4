import HTTPTypes

/// Whether a response to a CORS request may be read, and if not, why. Fetch §4.9 "CORS check".
package enum CORSCheck: Hashable, Sendable {
    case pass
    case fail(Reason)

    package enum Reason: String, CaseIterable, Sendable {
        /// No `Access-Control-Allow-Origin`.
        case noAllowOrigin = "no-allow-origin"
        /// It names another origin, several, or the same one in another spelling.
        case otherOrigin = "other-origin"
        /// `*`, but the request was made with credentials.
        case wildcardWithCredentials = "wildcard-with-credentials"
        /// `Access-Control-Allow-Credentials` is not exactly `true`.
        case credentialsNotAllowed = "credentials-not-allowed"
        /// Nothing told which origin asks; only `*` would do.
        case unknownOrigin = "unknown-origin"
    }

    /// - Parameters:
    ///   - fields: The response's. Two lines count as one value with a comma, which is no origin.
    ///   - origin: The requesting origin; `nil` if unknown.
    ///   - isTainted: Whether a redirect from one foreign origin to another made the origin `null`
    ///     ("redirect-tainted origin", §2.2.5).
    ///   - credentials: The request's credentials mode.
    package static func decide(
        _ fields: HTTPFields, origin: WebOrigin?, isTainted: Bool, credentials: FetchRequest.Credentials
    ) -> CORSCheck {
        guard let allowed = fields[.accessControlAllowOrigin] else { return .fail(.noAllowOrigin) }
        if allowed == "*" {
            // "If request's credentials mode is not include and origin is `*`, then return success."
            return credentials == .include ? .fail(.wildcardWithCredentials) : .pass
        }
        guard let origin else { return .fail(.unknownOrigin) }
        // Octet by octet: Swift's `==` on text holds for canonically equivalent texts too.
        guard allowed.utf8.elementsEqual((isTainted ? "null" : origin.description).utf8) else {
            return .fail(.otherOrigin)
        }
        guard credentials == .include else { return .pass }
        guard fields[.accessControlAllowCredentials] == "true" else {
            return .fail(.credentialsNotAllowed)
        }
        return .pass
    }
}
