import HTTPCacheSemantics
import HTTPTypes

extension RedirectFollowing {
    /// The checks that every response must pass, redirects too: Fetch §4.3 step 5.
    func check(_ response: HTTPResponse) throws(FetchError) {
        switch tainting {
        case .basic: return
        case .cors:
            // A response of its own origin after all is judged at the end; redirects on the way tell nothing.
            if mustBeReadable || !isEnforced || response.status == .notModified && asksForConfirmation { return }
            let decision = CORSCheck.decide(
                response.headerFields, origin: request.origin, isTainted: isOriginTainted,
                credentials: request.credentials)
            if case .fail(let reason) = decision { throw Self.corsFailed(reason) }
        case .opaque:
            let decision = ResourcePolicyCheck.decide(
                response.headerFields, origin: request.origin, target: request.targetOrigin,
                relation: relation, registrableDomain: registrableDomain)
            if case .blocked(let reason) = decision {
                throw FetchError(
                    code: .resourcePolicy,
                    message: "The server does not let other pages use this response (\(reason.rawValue)).")
            }
        }
    }

    /// Whether the engine asks if what its own cache has is valid still. That has passed this check, and a 304 need not repeat
    /// `Access-Control-Allow-Origin`. No script can set a condition with one of these destinations: it is told by
    /// `Sec-Fetch-Dest`, a forbidden field.
    private var asksForConfirmation: Bool {
        let fields = request.head.headerFields
        let isElement = [.script, .style, .font, .image, .audio, .video, .track].contains(request.destination)
        return isElement && (fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince))
    }

    /// Hands out a final response, or a redirect without `Location`.
    func deliver(_ response: HTTPResponse) throws(FetchError) -> RedirectAction {
        guard mustBeReadable, !request.targetOrigin.isSameOrigin(as: firstOrigin) else {
            return delivery(response, mustBeReadable ? .basic : tainting)
        }
        let decision = CORSCheck.decide(
            response.headerFields, origin: firstOrigin, isTainted: isOriginTainted, credentials: .omit)
        guard decision == .pass else {
            throw FetchError(
                code: .unreadableRedirect,
                message: """
                    The resource is redirected to another origin, and the page could read it there; let that origin \
                    allow CORS, or use its URL in the page.
                    """)
        }
        return delivery(response, .cors)
    }

    /// "An opaque-redirect filtered response", §2.2.6: nothing of the target may be seen. The status stays, because no
    /// scheme handler can answer without one.
    func opaqueRedirect(_ response: HTTPResponse) -> RedirectAction {
        var head = HTTPResponse(status: HTTPResponse.Status(code: response.status.code))
        if tainting == .cors, let shown = request.shownOrigin ?? request.origin {
            // The CORS check is passed; the web view makes it once more.
            head.headerFields[.accessControlAllowOrigin] = shown.description
            head.headerFields[.accessControlAllowCredentials] = "true"
        }
        return .deliver(
            RedirectAction.Delivery(
                response: head, tainting: .opaque, url: request.url, isRedirected: chain.urls.count > 1))
    }

    /// Whether the CORS check is ours. A web view does its own where it knows that the request leaves the page's origin
    /// and waits for the response; only with an unknown origin, and as long as no redirect leads elsewhere, it is
    /// left to that.
    private var isEnforced: Bool { request.origin != nil || request.isSynchronous || leftFirstOrigin }

    private func delivery(_ response: HTTPResponse, _ tainting: ResponseTainting) -> RedirectAction {
        var response = response
        let isRedirected = chain.urls.count > 1
        let fields = response.headerFields
        let isFiltered = tainting == .cors && (leftFirstOrigin || request.isSynchronous)
        response.headerFields =
            isFiltered
            ? tainting.deliverableFields(of: fields, credentials: request.credentials, to: request.destination)
            : ResponseTainting.basic.readableFields(of: fields, credentials: request.credentials)
        // The web view compares with the origin that it knows, not with the one that the server was told.
        if tainting == .cors, isEnforced, let shown = request.shownOrigin ?? request.origin,
            let allowed = response.headerFields[.accessControlAllowOrigin], allowed != "*"
        {
            response.headerFields[.accessControlAllowOrigin] = shown.description
        }
        return .deliver(
            RedirectAction.Delivery(
                response: response, tainting: tainting, url: request.url, isRedirected: isRedirected))
    }

    private static func corsFailed(_ reason: CORSCheck.Reason) -> FetchError {
        FetchError(
            code: .corsFailed,
            message: "The server does not let the page's origin read this response (\(reason.rawValue)).")
    }
}
