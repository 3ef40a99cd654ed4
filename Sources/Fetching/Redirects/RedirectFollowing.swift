import HTTPCacheSemantics
import HTTPTypes

/// Follows the redirects of one request, and judges each response, as Fetch §4.2 to §4.4 say.
///
/// A web view takes whatever a scheme handler gives it for the response of the first URL. Therefore:
///
/// - A document is never followed here, not even within its origin: the web view navigates anew, so that the document
///   gets the origin and address of its own URL.
/// - A CORS request is checked here at every hop, since a synchronous `XMLHttpRequest` is checked nowhere else, and a
///   redirect away from the page's own origin would pass for a response of that origin.
/// - A `no-cors` request that may be of the page's own origin, such as `<img src="/photo">`, and is redirected to
///   another origin would become readable by canvas, `cssRules` or error messages. From that hop on it carries no
///   credentials, asks as the first URL's origin, and its response is refused unless it passes the CORS check for that
///   origin. A page on a plain network would see such an image, but not read it: of two faults this is the harmless
///   one.
///
/// A navigation goes on in the same value: keep it, and ask it about the response of the next document.
package struct RedirectFollowing: Sendable {
    /// The request to send. It never holds `Cookie`: cookies belong to each hop.
    package internal(set) var request: FetchRequest
    var chain: RedirectChain
    package internal(set) var tainting: ResponseTainting
    /// "Redirect-tainted": a foreign origin redirected to yet another, so that the origin is told as `null`.
    package internal(set) var isOriginTainted = false
    /// The farthest of all URLs. What `SameSite` cookies and `Sec-Fetch-Site` depend on, also after a navigation that
    /// the app, and no page, seems to have started. `Sec-Fetch-Site` tells it of the first URL where it is present;
    /// `none`, a navigation that no page started, counts as the same origin.
    package internal(set) var relation: SiteRelation
    let first: FetchRequest
    let firstOrigin: WebOrigin
    let registrableDomain: Site.RegistrableDomain?
    /// Whether a redirect led to another origin than that of the first URL.
    var leftFirstOrigin = false
    /// Whether a `no-cors` request left the origin that the web view takes its response for.
    var mustBeReadable = false

    /// - Parameter registrableDomain: See ``Site``.
    /// - Throws: ``FetchError`` with code `crossOrigin` for a request of mode `same-origin` to another origin.
    package init(
        _ request: FetchRequest, registrableDomain: Site.RegistrableDomain? = nil
    ) throws(FetchError) {
        var request = request
        request.head.headerFields[.cookie] = nil
        // The web view sends no such request to another origin.
        if request.mode == .sameOrigin, request.origin == nil { request.origin = request.targetOrigin }
        self.request = request
        self.registrableDomain = registrableDomain
        first = request
        firstOrigin = request.targetOrigin
        chain = RedirectChain(request.url)
        relation =
            switch request.head.headerFields[FetchField.secFetchSite] {
            case "none": .sameOrigin
            case let site?: SiteRelation(rawValue: site) ?? .crossSite
            case nil: Self.relation(of: request, to: firstOrigin, registrableDomain)
            }
        tainting = try Self.tainting(of: self.request, .basic)
    }

    /// The farthest counts if it may be one of several documents.
    static func relation(
        of request: FetchRequest, to target: WebOrigin, _ registrableDomain: Site.RegistrableDomain?
    ) -> SiteRelation {
        guard request.origin == nil, let initiator = request.initiator else {
            return SiteRelation(request.origin, to: target, registrableDomain: registrableDomain)
        }
        switch initiator {
        case .app: return .sameOrigin
        case .document(let origins):
            let relations = origins.map {
                SiteRelation($0.onNetwork, to: target, registrableDomain: registrableDomain)
            }
            return relations.max() ?? .crossSite
        }
    }

    /// Whether the current request takes cookies: "includeCredentials" of Fetch §4.5.
    package var includesCredentials: Bool {
        switch request.credentials {
        case .include: true
        case .sameOrigin: tainting == .basic
        case .omit: false
        }
    }

    /// To be asked and allowed before ``request`` is sent; `nil` if it may be sent at once.
    package var preflight: CORSPreflight? {
        guard tainting == .cors else { return nil }
        var request = request
        if mustBeReadable {
            request.mode = .cors
            request.origin = firstOrigin
        }
        return CORSPreflight(for: request, isTainted: isOriginTainted)
    }

    /// The error for a preflight that was refused.
    package static func refusal(_ reason: CORSPreflight.Reason) -> FetchError {
        FetchError(
            code: .preflightFailed,
            message:
                "The server does not allow this request from another origin (\(reason)); the page gets no response.")
    }

    /// Judges the response to ``request``, and says what comes next.
    ///
    /// - Parameter isBodyReplayable: Whether the body of the request can be sent once more; `true` without a body.
    package mutating func receive(_ response: HTTPResponse, isBodyReplayable: Bool) -> RedirectAction {
        do throws(FetchError) {
            try check(response)
            guard response.status.isRedirect else { return try deliver(response) }
            switch request.redirect {
            case .error:
                throw FetchError(code: .redirectNotAllowed, message: "The page allows no redirect for this request.")
            case .manual where isOpaqueRedirect(response): return opaqueRedirect(response)
            case .manual, .follow: break
            }
            guard let target = try chain.target(of: response, fragment: request.fragment) else {
                return try deliver(response)
            }
            return try follow(target, response, isBodyReplayable: isBodyReplayable)
        } catch {
            return .refuse(error)
        }
    }

    /// Whether ``receive(_:isBodyReplayable:)`` makes an opaque-redirect filtered response of this one (§2.2.6).
    package func isOpaqueRedirect(_ response: HTTPResponse) -> Bool {
        response.status.isRedirect && request.redirect == .manual && request.mode != .navigate
    }

    /// Main fetch, §4.1 step 12: how far the current URL is to be trusted.
    static func tainting(of request: FetchRequest, _ before: ResponseTainting) throws(FetchError)
        -> ResponseTainting
    {
        if request.mode == .navigate || before == .basic && request.isSameOrigin { return .basic }
        switch request.mode {
        case .sameOrigin:
            throw FetchError(
                code: .crossOrigin, message: "The page allows this request within its own origin only.")
        case .noCORS: return .opaque
        case .navigate, .cors: return .cors
        }
    }
}

/// The action that ``RedirectFollowing`` decides on for a response.
package enum RedirectAction: Hashable, Sendable {
    /// Hand the response to the web view, with the fields as they are here, and its body.
    case deliver(Delivery)
    /// Discard the body and send ``RedirectFollowing/request``. Ask for its preflight first, and whether it takes
    /// cookies.
    ///
    /// - keepsBody: Whether the body of the request is to be sent again; otherwise there is none.
    case follow(keepsBody: Bool)
    /// End the scheme task, and let the web view navigate the same frame to the URL of that request.
    case navigate(keepsBody: Bool)
    /// End the scheme task; the URL is for another app, such as `tel:`. Only for navigations of the main frame. Whether
    /// the user is asked first is the app's decision, as in ``NavigationDecision``.
    case handToApp(url: String)
    /// Fail the scheme task.
    case refuse(FetchError)

    package struct Delivery: Hashable, Sendable {
        /// Without the fields that the page may not see.
        package var response: HTTPResponse
        package var tainting: ResponseTainting
        /// Without fragment.
        package var url: String
        package var isRedirected: Bool
    }
}

extension RedirectFollowing {
    /// The checks that every response must pass, redirects too: Fetch §4.3 step 5.
    func check(_ response: HTTPResponse) throws(FetchError) {
        switch tainting {
        case .basic: return
        case .cors:
            // A response of its own origin after all is judged at the end; redirects on the way tell nothing.
            if mustBeReadable || !isEnforced || response.status == .notModified && asksForConfirmation { return }
            let refusal = CORSCheck.refusal(
                response.headerFields, origin: request.origin, isTainted: isOriginTainted,
                credentials: request.credentials)
            if let refusal {
                throw FetchError(
                    code: .corsFailed,
                    message: "The server does not let the page's origin read this response (\(refusal.rawValue)).")
            }
        case .opaque:
            let refusal = ResourcePolicyCheck.refusal(
                response.headerFields, origin: request.origin ?? request.topLevelOrigin?.onNetwork,
                target: request.targetOrigin,
                relation: relation, registrableDomain: registrableDomain)
            if let refusal {
                throw FetchError(
                    code: .resourcePolicy,
                    message: "The server does not let other pages use this response (\(refusal.rawValue)).")
            }
        }
    }

    /// Whether the engine asks if what its own cache has is valid still. That has passed this check, and a 304 need not
    /// repeat `Access-Control-Allow-Origin`. No script can set a condition with one of these destinations: it is told
    /// by `Sec-Fetch-Dest`, a forbidden field.
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
        let refusal = CORSCheck.refusal(
            response.headerFields, origin: firstOrigin, isTainted: isOriginTainted, credentials: .omit)
        guard refusal == nil else {
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
                response: response, tainting: tainting, url: request.url, isRedirected: chain.urls.count > 1))
    }
}
