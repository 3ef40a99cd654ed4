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
/// - A `no-cors` request that may be of the page's own origin, such as `<img src="/photo">`, and is redirected to another
///   origin would become readable by canvas, `cssRules` or error messages. From that hop on it carries no credentials,
///   asks as the first URL's origin, and its response is refused unless it passes the CORS check for that origin. A page
///   on a plain network would see such an image, but not read it: of two faults this is the harmless one.
///
/// A navigation goes on in the same value: keep it, and ask it about the response of the next document.
public struct RedirectFollowing: Sendable {
    /// The request to send. It never holds `Cookie`: cookies belong to each hop.
    public internal(set) var request: FetchRequest
    var chain: RedirectChain
    public internal(set) var tainting: ResponseTainting
    /// "Redirect-tainted": a foreign origin redirected to yet another, so that the origin is told as `null`.
    public internal(set) var isOriginTainted = false
    /// The farthest of all URLs. What `SameSite` cookies and `Sec-Fetch-Site` depend on, also after a navigation that
    /// the app, and no page, seems to have started. `Sec-Fetch-Site` tells it of the first URL where it is present;
    /// `none`, a navigation that no page started, counts as the same origin.
    public internal(set) var relation: SiteRelation
    let first: FetchRequest
    let firstOrigin: WebOrigin
    let registrableDomain: Site.RegistrableDomain?
    /// Whether a redirect led to another origin than that of the first URL.
    var leftFirstOrigin = false
    /// Whether a `no-cors` request left the origin that the web view takes its response for.
    var mustBeReadable = false

    /// - Parameter registrableDomain: See ``Site``.
    /// - Throws: ``FetchError`` with code `crossOrigin` for a request of mode `same-origin` to another origin.
    public init(
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
            case nil: SiteRelation(request.origin, to: firstOrigin, registrableDomain: registrableDomain)
            }
        tainting = try Self.tainting(of: self.request, .basic)
    }

    /// Whether the current request takes cookies: "includeCredentials" of Fetch §4.5.
    public var includesCredentials: Bool {
        switch request.credentials {
        case .include: true
        case .sameOrigin: tainting == .basic
        case .omit: false
        }
    }

    /// To be asked and allowed before ``request`` is sent; `nil` if it may be sent at once.
    public var preflight: CORSPreflight? {
        guard tainting == .cors else { return nil }
        var request = request
        if mustBeReadable {
            request.mode = .cors
            request.origin = firstOrigin
        }
        return CORSPreflight(for: request, isTainted: isOriginTainted)
    }

    /// The error for a preflight that was refused.
    public static func refusal(_ reason: CORSPreflight.Reason) -> FetchError {
        FetchError(
            code: .preflightFailed,
            message:
                "The server does not allow this request from another origin (\(reason)); the page gets no response.")
    }

    /// Judges the response to ``request``, and says what comes next.
    ///
    /// - Parameter isBodyReplayable: Whether the body of the request can be sent once more; `true` without a body.
    public mutating func receive(_ response: HTTPResponse, isBodyReplayable: Bool) -> RedirectAction {
        do throws(FetchError) {
            try check(response)
            guard response.status.isRedirect else { return try deliver(response) }
            switch request.redirect {
            case .error: throw Self.notAllowed
            case .manual where isOpaqueRedirect(response): return opaqueRedirect(response)
            case .manual, .follow: break
            }
            if request.mode == .webSocket { throw Self.notAllowed }
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
        switch request.mode {
        case .navigate, .webSocket: return .basic
        case .sameOrigin, .noCORS, .cors:
            if before == .basic, request.isSameOrigin { return .basic }
        }
        switch request.mode {
        case .sameOrigin:
            throw FetchError(
                code: .crossOrigin, message: "The page allows this request within its own origin only.")
        case .noCORS: return .opaque
        default: return .cors
        }
    }

    private static var notAllowed: FetchError {
        FetchError(code: .redirectNotAllowed, message: "The page allows no redirect for this request.")
    }
}
