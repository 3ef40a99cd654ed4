import CacheRules
import HTTPTypes

/// Whether a response to a CORS request may be read, and if not, why. Fetch §4.9 "CORS check".
package enum CORSCheck {
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
    /// - Returns: `nil` where it may be read.
    package static func refusal(
        _ fields: HTTPFields, origin: WebOrigin?, isTainted: Bool, credentials: FetchRequest.Credentials
    ) -> Reason? {
        guard let allowed = fields[.accessControlAllowOrigin] else { return .noAllowOrigin }
        if allowed == "*" {
            // "If request's credentials mode is not include and origin is `*`, then return success."
            return credentials == .include ? .wildcardWithCredentials : nil
        }
        guard let origin else { return .unknownOrigin }
        // Octet by octet: Swift's `==` on text holds for canonically equivalent texts too.
        guard allowed.utf8.elementsEqual((isTainted ? "null" : origin.description).utf8) else { return .otherOrigin }
        let isAllowed = credentials != .include || fields[.accessControlAllowCredentials] == "true"
        return isAllowed ? nil : .credentialsNotAllowed
    }
}

/// Which filtered response a page may see, Fetch §2.2.5 "response tainting" and §2.2.6.
package enum ResponseTainting: String, Sendable, CaseIterable {
    /// All but `Set-Cookie`.
    case basic
    /// The safelisted fields, and those that the server exposes.
    case cors
    /// Nothing: no status, no fields, no bytes.
    case opaque

    /// The fields that a script may read.
    ///
    /// - Parameter credentials: `*` in `Access-Control-Expose-Headers` is a wildcard only without credentials.
    package func readableFields(
        of fields: HTTPFields, credentials: FetchRequest.Credentials
    ) -> HTTPFields {
        guard self != .opaque else { return HTTPFields() }
        let exposed = self == .cors ? Self.exposedNames(fields) : []
        let exposesAll = self == .basic || (credentials != .include && exposed.contains("*"))
        return HTTPFields(
            fields.filter { field in
                let name = field.name.canonicalName
                if CORSSafelist.isForbiddenResponseName(name) { return false }
                return exposesAll || exposed.contains(name) || CORSSafelist.isSafelistedResponseName(name)
            })
    }

    /// The fields to hand to a web view that does not know of the redirects behind a response: it would show all of
    /// them to the page. Kept besides ``readableFields(of:credentials:)`` are the fields of its own CORS check, what
    /// makes a partial response one, and for anything but a script's own fetch all fields, which no script can ask for
    /// there.
    func deliverableFields(
        of fields: HTTPFields, credentials: FetchRequest.Credentials, to destination: Destination
    ) -> HTTPFields {
        guard self == .cors, destination == .fetch || destination == .unknown else {
            return ResponseTainting.basic.readableFields(of: fields, credentials: credentials)
        }
        var result = readableFields(of: fields, credentials: credentials)
        let kept: [HTTPField.Name] = [
            .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlExposeHeaders, .contentRange,
            .xContentTypeOptions,
        ]
        for name in kept where result[values: name].isEmpty {
            result[values: name] = fields[values: name]
        }
        return result
    }

    /// In lower case. A malformed list exposes nothing.
    private static func exposedNames(_ fields: HTTPFields) -> Set<String> {
        Set((FetchText.tokens(.accessControlExposeHeaders, in: fields) ?? []).map { FetchText.lowercased($0) })
    }
}
