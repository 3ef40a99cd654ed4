import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// The question whether a server allows a request from another origin, Fetch §4.8 "CORS-preflight fetch".
///
/// A web view sends none for what a scheme handler answers; without it a page could send any method and any field with
/// the user's cookies to any server.
package struct CORSPreflight: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case cors(CORSCheck.Reason)
        /// The status is not 200 to 299; a redirect is not followed.
        case statusNotOK
        /// `Access-Control-Allow-Methods` or `-Headers` is no list of tokens.
        case malformedList
        case methodNotAllowed
        /// A name in lower case.
        case fieldNotAllowed(String)
    }

    /// The names of the fields to be allowed, in lower case and sorted.
    package let fieldNames: [String]
    /// The requesting origin; `nil` if unknown or hidden by a redirect. It is sent as `null`.
    package let origin: WebOrigin?
    private let target: HTTPRequest
    /// The credentials mode of the request itself. The preflight never carries any.
    package let credentials: FetchRequest.Credentials

    /// - Returns: `nil` if the request needs none: it is no CORS request, or its URL has the asking origin, or an
    ///   element or a form could send the like.
    package init?(for request: FetchRequest, isTainted: Bool = false) {
        guard request.mode == .cors, isTainted || !request.isSameOrigin else { return nil }
        // "Unsafe-request flag", Fetch §2.2.5: only scripts choose fields. Those that a media player adds ask nobody.
        var names =
            Self.ofElements.contains(request.destination) ? [] : CORSSafelist.unsafeNames(in: request.head.headerFields)
        // Nor does an EventSource, which says the ID that the server gave last (HTML §9.2.3).
        if request.isEventSource, CORSSafelist.isHarmlessEventID(in: request.head.headerFields) {
            names.removeAll { $0 == "last-event-id" }
        }
        guard !names.isEmpty || !CORSSafelist.isSafelisted(request.head.method) else { return nil }
        fieldNames = names
        origin = isTainted ? .opaque : request.origin
        target = request.head
        credentials = request.credentials
    }

    private static let ofElements: Set<Destination> = [
        .script, .style, .image, .font, .audio, .video, .track, .manifest, .object, .embed,
    ]

    package var method: HTTPRequest.Method { target.method }
    package var url: String { target.targetURL }

    /// To be sent without cookies, client certificate and body; a redirect is an answer that refuses.
    package var request: HTTPRequest {
        var fields = HTTPFields()
        fields[.accept] = "*/*"
        fields[.accessControlRequestMethod] = method.rawValue
        if !fieldNames.isEmpty { fields[.accessControlRequestHeaders] = fieldNames.joined(separator: ",") }
        fields[.origin] = (origin ?? .opaque).description
        fields[.referer] = target.headerFields[.referer]
        // Fetch §4.6: the user agent adds it to each request without one.
        fields[.userAgent] = target.headerFields[.userAgent]
        return HTTPRequest(
            method: .options, scheme: target.scheme, authority: target.authority, path: target.path,
            headerFields: fields)
    }

    /// Judges the answer, §4.8 steps 7 and 8; `nil` where the request may be sent.
    package func refusal(in response: HTTPResponse) -> Reason? {
        let refusal = CORSCheck.refusal(
            response.headerFields, origin: origin, isTainted: false, credentials: credentials)
        if let refusal { return .cors(refusal) }
        guard (200...299).contains(response.status.code) else { return .statusNotOK }
        guard let grant = PreflightGrant(response.headerFields) else { return .malformedList }
        return self.refusal(in: grant)
    }

    /// Why what a server allowed does not cover this request; `nil` where it does.
    func refusal(in grant: PreflightGrant) -> Reason? {
        let acceptsWildcard = credentials != .include
        let allowsMethod =
            CORSSafelist.isSafelisted(method) || grant.methods.contains(method.rawValue)
            || (acceptsWildcard && grant.methods.contains("*"))
        guard allowsMethod else { return .methodNotAllowed }
        for name in fieldNames where !grant.fieldNames.contains(name) {
            guard acceptsWildcard, grant.fieldNames.contains("*"), !CORSSafelist.isNonWildcard(name) else {
                return .fieldNotAllowed(name)
            }
        }
        return nil
    }
}
